"""A device's attributes as the driver states them, and how fast its memory copies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.contract.messages import Surveyed
from grader.worker.cuda.device import Device
from grader.worker.cuda.pycuda_types import CudaModule

# CUDA's names of the attributes that students list in their tables, and those that the theoretical bandwidth needs.
ATTRIBUTES = ("MULTIPROCESSOR_COUNT", "WARP_SIZE", "MAX_THREADS_PER_BLOCK", "MAX_THREADS_PER_MULTIPROCESSOR",
              "MAX_SHARED_MEMORY_PER_BLOCK", "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN",
              "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR",
              "MAX_REGISTERS_PER_BLOCK", "MAX_REGISTERS_PER_MULTIPROCESSOR", "L2_CACHE_SIZE", "CLOCK_RATE",
              "MEMORY_CLOCK_RATE", "GLOBAL_MEMORY_BUS_WIDTH", "MAX_BLOCK_DIM_X", "MAX_BLOCK_DIM_Y", "MAX_BLOCK_DIM_Z",
              "MAX_GRID_DIM_X", "MAX_GRID_DIM_Y", "MAX_GRID_DIM_Z")  # fmt: skip
CACHES = 16  # size of a copy over the L2 cache, so that at most a sixteenth of it hits the cache
LARGEST = 1 << 30
ROUNDS = 30
COPIES = 4  # in a round, back to back behind the gate
WARM_ROUNDS = 5
THREADS = 256


def survey(device: Device, trusted: CudaModule) -> Surveyed:
    """The device's attributes, and the seconds of `ROUNDS` copies, each the mean of a few back to back."""
    free, total = device.driver.mem_get_info()
    size = min(LARGEST, CACHES * device.attribute("L2_CACHE_SIZE"), free // 4) // 16 * 16
    attributes = {name: device.attribute(name) for name in ATTRIBUTES}
    seconds = tuple(_copies(device, trusted, size))[WARM_ROUNDS:]
    return Surveyed({**attributes, "TOTAL_MEMORY": total}, 2 * size, seconds)


def _copies(device: Device, trusted: CudaModule, size: int) -> Iterator[float]:
    driver, stream = device.driver, device.stream
    source, target = driver.mem_alloc(size), driver.mem_alloc(size)
    driver.memset_d32(source, 0x3F800000, size // 4)
    flag = driver.pagelocked_empty(1, np.uint32, mem_flags=driver.host_alloc_flags.DEVICEMAP)
    gate, copy, words = trusted.get_function("gate"), trusted.get_function("copy"), size // 16
    for _ in range(WARM_ROUNDS + ROUNDS):
        before, after = driver.Event(), driver.Event()
        flag[0] = 0
        gate(np.uint64(flag.base.get_device_pointer()), block=(1, 1, 1), grid=(1, 1), stream=stream)
        before.record(stream)
        for _ in range(COPIES):
            copy(source, target, np.uint64(words), block=(THREADS, 1, 1), grid=(-(-words // THREADS), 1), stream=stream)
        after.record(stream)
        flag[0] = 1
        after.synchronize()
        yield after.time_since(before) / 1e3 / COPIES
