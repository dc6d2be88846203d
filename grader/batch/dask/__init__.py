"""Dask: clusters on this machine or elsewhere, and grading on them. Only this folder imports it."""
