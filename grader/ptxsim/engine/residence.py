"""Run blocks that wait for each other: the resident blocks of a simulated device take turns."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Sequence

from grader.ptxsim.analysis.geometry import Geometry
from grader.ptxsim.engine.native import Loaded
from grader.ptxsim.engine.processor import Processor
from grader.ptxsim.engine.program import Kernel
from grader.ptxsim.generate.layout import Status

# The limits of an H200: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability". The system
# reserves 1 KiB of shared memory per block.
MULTIPROCESSORS = 132
THREADS, BLOCKS, SHARED, RESERVED = 2048, 32, 228 << 10, 1 << 10
MOST_MEMORY = 1 << 29  # bytes of this machine's memory


def most_resident(kernel: Kernel) -> int:
    """Return the number of blocks that can be resident on the device, and in this machine's memory, at a time."""
    geometry = Geometry(kernel.block)
    by_shared = SHARED // (kernel.shared_bytes + RESERVED)
    on_device = MULTIPROCESSORS * min(BLOCKS, THREADS // (32 * geometry.warps), by_shared)
    memory = kernel.shared_bytes + kernel.code.stride * geometry.warps + (1 << 18)
    return min(on_device, MOST_MEMORY // memory)


def run_together(
    code: Loaded, processors: Sequence[Processor], count: int, stop: ctypes.c_int32, order: str, seed: int
) -> None:
    """Run resident blocks in turns until all `count` have ended, or one has failed. Others replace those that end."""
    shuffled = random.Random(seed)  # noqa: S311 - an order of blocks, which has to be the same for the same seed
    waiting = iter(range(len(processors), count))
    left = [(processor, code.run) for processor in processors]
    if order == "reverse":
        left.reverse()
    while left:
        unfinished = []
        if order == "interleaved":
            shuffled.shuffle(left)
        for processor, run in left:
            processor.status = Status(run(ctypes.addressof(processor.state)))
            if processor.status is Status.YIELDED:
                unfinished.append((processor, code.resume))
            elif processor.status is not Status.DONE:
                stop.value = 1
                return
            elif (block := next(waiting, None)) is not None:
                processor.take_one(block)
                unfinished.append((processor, code.run))
        left = unfinished
