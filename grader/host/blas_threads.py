"""How the threads of NumPy's BLAS wait for their next product, as OpenBLAS is told when NumPy is loaded."""

from __future__ import annotations

# OpenBLAS keeps a thread spinning for 2**26 cycles by default, 20 ms, on a core that a worker could have. With 2**14
# the judge of a default grade takes half the processor time (docs/measurements.md).
PATIENCE = {"OPENBLAS_THREAD_TIMEOUT": "14"}
