"""The placement of this machine's workers: some on each GPU, or one on each group of CPU cores for the simulator.

Workers on one GPU compile and check concurrently, and time one after the other (host/gpu_lock.py).
Each worker has its own CPU cores, so that a time limit is the same for every student, whatever else runs. On GPUs, this
also keeps another student's compiler from delaying a launch. Most machines number GPUs and CPU cores by socket, so that
a worker's cores are near its GPU.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from grader.host import cpus, nvml
from grader.host.cpus import allowed
from grader.model import Backend

# The variable with the numbers of a worker's CPUs. Student code does not get variables with such a name.
SHARE = "GRADE_BATCH_PROCESSORS"

GPU_VARIABLE = "CUDA_VISIBLE_DEVICES"  # which GPU a process sees

# CPU cores for each worker, for the simulator by default. Compiling, drawing and judging mostly use one core. One
# worker kept two cores busy for 95 % of the time of a class; by Amdahl's law, that is 87 % of four cores and 57 % of
# sixteen. A student's own machine usually has four, so a kernel that keeps the time limit there also keeps it here.
PROCESSORS_EACH = 4

# Workers on one GPU at most, and bytes of its memory for each, by default. Contexts of four workers take about 2 GB.
MOST_FOR_A_GPU, GPU_MEMORY_EACH = 4, 6 << 30


def environments(backend: Backend, workers: int | None) -> list[dict[str, str]]:
    """Return the environment of each worker; `workers` is their number, or None for the default."""
    mine = processors()
    if not backend.capabilities.uses_gpu:
        return _shared(mine, workers or max(1, len(mine) // PROCESSORS_EACH))
    gpus = nvml.visible_gpus()
    workers = workers or len(gpus) * _for_each_gpu(len(mine) // len(gpus))
    shared = _shared(mine, workers)
    chosen = sorted(number % len(gpus) for number in range(workers))
    return [{**variables, GPU_VARIABLE: gpus[gpu]} for variables, gpu in zip(shared, chosen, strict=True)]


def names(environments: Sequence[Mapping[str, str]]) -> list[str]:
    """Return a name for each worker, with the number of its GPU among those that are used, if it has one."""
    gpus = list(dict.fromkeys(environment.get(GPU_VARIABLE, "") for environment in environments))
    workers = [f"worker {number}" for number in range(1, len(environments) + 1)]
    if gpus == [""]:
        return workers
    return [
        f"GPU {gpus.index(environment[GPU_VARIABLE])}, {worker}"
        for environment, worker in zip(environments, workers, strict=True)
    ]


def _for_each_gpu(processors: int) -> int:
    """Return the number of workers for each GPU. All are assumed to have the memory of the first."""
    return max(1, min(MOST_FOR_A_GPU, processors // PROCESSORS_EACH, nvml.memory_bytes() // GPU_MEMORY_EACH))


def processors() -> list[int]:
    """Return the CPUs that this process may use; hardware threads of one core are adjacent."""
    return sorted(allowed(), key=_core)


def groups(processors: Sequence[int], workers: int) -> list[Sequence[int]]:
    """Return the CPUs of each worker: equally many, so that a time limit is the same for every student.

    The command uses the remaining CPUs. With more workers than CPUs, some workers share a CPU.
    """
    size = max(1, len(processors) // workers)
    firsts = [number * size % len(processors) for number in range(workers)]
    return [processors[first : first + size] for first in firsts]


def keep_to_share(environment: Mapping[str, str]) -> None:
    """Pin all threads of this process, including BLAS's, and the processes that they will start, to its CPUs."""
    share = [int(cpu) for cpu in environment.get(SHARE, "").split(",") if cpu]
    if not share or not hasattr(os, "sched_setaffinity"):  # macOS cannot pin processes
        return
    for thread in Path("/proc/self/task").iterdir():
        with suppress(ProcessLookupError):  # the thread has ended
            os.sched_setaffinity(int(thread.name), share)


def _shared(processors: Sequence[int], workers: int) -> list[dict[str, str]]:
    return [{**cpus.ONE_BLAS_THREAD, SHARE: ",".join(map(str, group))} for group in groups(processors, workers)]


def _core(processor: int) -> tuple[int, int, int]:
    """Return the socket of a CPU, the first CPU of its core, and the CPU; zeros if the system does not say."""
    topology = Path(f"/sys/devices/system/cpu/cpu{processor}/topology")
    try:
        socket = int((topology / "physical_package_id").read_text())
        first = (topology / "thread_siblings_list").read_text().replace("-", ",").partition(",")[0]
        return socket, int(first), processor
    except (OSError, ValueError):
        return 0, 0, processor
