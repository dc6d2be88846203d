"""The untrusted side: compiles and runs student code, and returns data, never a verdict.

It imports `contract`, `model`, `host` and `errors` only; one folder for each backend.
"""
