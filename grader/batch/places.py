"""How the machine's own workers share it: one to a GPU, or one for each group of cores on the simulator."""

from __future__ import annotations

import os

from grader import machine, threads
from grader.errors import UsageError
from grader.model import Backend

# Libraries of numeric code take their number of threads from these.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def environments(backend: Backend, workers: int | None) -> list[dict[str, str]]:
    """What each worker has in its environment; `workers` is None where the machine decides.

    Raises UsageError where more GPUs are asked for than there are: two submissions on one disturb each other's timing.
    """
    if backend is Backend.SIMULATOR:
        return _shared(workers or 1)
    gpus = machine.visible_gpus()
    if workers and workers > len(gpus):
        raise UsageError(f"{workers} workers need a GPU each, and this machine has {len(gpus)}.", "Name fewer.")
    chosen = gpus[: workers or len(gpus)]
    shared = _shared(len(chosen))
    return [{**one, "CUDA_VISIBLE_DEVICES": gpu} for one, gpu in zip(shared, chosen, strict=True)]


def _shared(workers: int) -> list[dict[str, str]]:
    cores = os.cpu_count() or 1
    return [{**dict.fromkeys(THREADS, str(max(1, cores // workers))), **threads.PATIENCE}] * workers
