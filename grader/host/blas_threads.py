"""Environment variables for the threads of NumPy's BLAS, read when NumPy is loaded."""

from __future__ import annotations

# One: the judge compares several answers at a time and divides large products itself
# (comparison/product.py). Products of several threads would wait for each other in BLAS, and its idle threads keep
# cores busy (docs/measurements.md). Each library has a variable of its own.
ONE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
