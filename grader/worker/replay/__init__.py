"""Run a failed launch once more, thread by thread, for what a student reads of it: values of variables, conditions.

No verdict comes from here: what does not happen again is not reported.
"""
