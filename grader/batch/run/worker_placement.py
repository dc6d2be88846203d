"""How the machine's own workers share it: one to a GPU, or one to a group of processors on the simulator.

Each has processors of its own, so that a time limit means the same to every student, whatever the others do meanwhile.
On GPUs too: whoever waits for a device is not put aside for another's compiler. Most machines count both GPUs and
processors from the first socket on, so that a GPU's share is near it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from grader.errors import UsageError
from grader.host import blas_threads, nvml
from grader.host.cpu_affinity import allowed
from grader.model import Backend

# Libraries of numeric code take their number of threads from these.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

# The processors of a worker, by their numbers. The name is none that is passed on to student code.
SHARE = "GRADE_BATCH_PROCESSORS"

# On the simulator, where nobody says how many workers: one for so many processors. Compiling and much of drawing and
# judging keep one processor busy. Two processors were busy for 95 % of a class by one worker; by Amdahl's law that is
# 87 % of four and 57 % of sixteen. And a student's own machine has four as a rule: what is through in time there is
# through in time here.
PROCESSORS_EACH = 4


def environments(backend: Backend, workers: int | None) -> list[dict[str, str]]:
    """What each worker has in its environment; `workers` is None where the machine decides.

    Raises UsageError where more GPUs are asked for than there are: two submissions on one disturb each other's timing.
    """
    mine = processors()
    if not backend.capabilities.uses_gpu:
        return _shared(mine, workers or max(1, len(mine) // PROCESSORS_EACH))
    gpus = nvml.visible_gpus()
    if workers and workers > len(gpus):
        raise UsageError(f"{workers} workers need a GPU each, and this machine has {len(gpus)}.", "Name fewer.")
    chosen = gpus[: workers or len(gpus)]
    shared = _shared(mine, len(chosen))
    return [{**one, "CUDA_VISIBLE_DEVICES": gpu} for one, gpu in zip(shared, chosen, strict=True)]


def processors() -> list[int]:
    """Those that this process may use, the threads of one core side by side."""
    return sorted(allowed(), key=_core)


def groups(processors: Sequence[int], workers: int) -> list[Sequence[int]]:
    """The processors of each worker: all have as many, or a time limit would mean less to one student than to another.

    What does not go round is left to the command. With more workers than processors, some have the same one.
    """
    size = max(1, len(processors) // workers)
    firsts = [number * size % len(processors) for number in range(workers)]
    return [processors[first : first + size] for first in firsts]


def keep_to_share(environment: Mapping[str, str]) -> None:
    """Keep this process to its share: every thread that it has, BLAS's as well, and whatever they start from now on."""
    share = [int(one) for one in environment.get(SHARE, "").split(",") if one]
    if not share or not hasattr(os, "sched_setaffinity"):  # macOS has no such thing
        return
    for thread in Path("/proc/self/task").iterdir():
        with suppress(ProcessLookupError):  # ended since
            os.sched_setaffinity(int(thread.name), share)


def _shared(processors: Sequence[int], workers: int) -> list[dict[str, str]]:
    return [
        {**dict.fromkeys(THREADS, str(len(group))), **blas_threads.PATIENCE, SHARE: ",".join(map(str, group))}
        for group in groups(processors, workers)
    ]


def _core(processor: int) -> tuple[int, int, int]:
    """The socket of a processor, the first of those that share its core, and itself; zeros where nobody says."""
    topology = Path(f"/sys/devices/system/cpu/cpu{processor}/topology")
    try:
        socket = int((topology / "physical_package_id").read_text())
        first = (topology / "thread_siblings_list").read_text().replace("-", ",").partition(",")[0]
        return socket, int(first), processor
    except (OSError, ValueError):
        return 0, 0, processor
