"""The CPUs that this process may use, and the threads that NumPy's BLAS may start."""

import os

# Environment variables, read when NumPy is loaded; each library has one of its own. The judge compares several answers
# at a time and divides large products itself (comparison/expectation.py). Products of several threads would wait for
# each other in BLAS, and its idle threads keep cores busy (docs/measurements.md).
ONE_BLAS_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def allowed() -> frozenset[int]:
    """Return the numbers of the CPUs that the calling thread may use; all CPUs on systems that do not say (macOS).

    A class, a batch system or `taskset` may allow fewer than the machine has.
    """
    if hasattr(os, "sched_getaffinity"):
        return frozenset(os.sched_getaffinity(0))
    return frozenset(range(os.cpu_count() or 1))
