"""Environment variables for the threads of NumPy's OpenBLAS, read when NumPy is loaded."""

from __future__ import annotations

# By default a thread of OpenBLAS waits for its next product in a loop of 2**26 cycles, 20 ms, on a core that a worker
# could use. With 2**14 the judge of a default grade takes half the CPU time (docs/measurements.md).
PATIENCE = {"OPENBLAS_THREAD_TIMEOUT": "14"}

# A worker multiplies nothing with BLAS, which would start a thread for each CPU of the machine when it is loaded.
ONE = {"OPENBLAS_NUM_THREADS": "1"}
