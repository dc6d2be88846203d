"""Lanes of a warp that wait for each other at shuffles, votes or barriers of the warp in several branches.

On a device, lanes meet wherever they execute the same operation with the same mask (PTX ISA, "shfl.sync" and
"bar.warp.sync"). The simulator lets them exchange values in one place only, and groups with masks of their own wait in
one place at a time only. So lanes that wait in several may be no fault of the kernel.
"""

from __future__ import annotations

from collections import defaultdict
from ctypes import c_int32

import numpy as np
from numpy.typing import NDArray

from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.generate.layout import ENDED, Warp

_OPERATIONS = ("shfl.", "vote.", "match.", "redux.", "elect.", "bar.warp.", "barrier.warp.")


def waits_in_several_branches(kernel: Kernel, memory: NDArray[np.uint8], warps: int) -> bool:
    """Whether all lanes of a warp that have not ended wait at one operation, but in several places."""
    return any(_in_several_places(kernel, memory.ctypes.data + number * kernel.stride) for number in range(warps))


def _in_several_places(kernel: Kernel, at: int) -> bool:
    warp = Warp.from_address(at)
    if warp.state == ENDED or not warp.resume:
        return False
    waiting: dict[str, list[int]] = defaultdict(list)
    for stop in kernel.stops:
        operation = kernel.places[stop.place].instruction
        lanes = c_int32.from_address(at + stop.waiting).value
        if lanes and operation.startswith(_OPERATIONS):
            waiting[operation].append(lanes)
    alive = warp.alive & 0xFFFFFFFF
    return any(len(masks) > 1 and np.bitwise_or.reduce(masks) & 0xFFFFFFFF == alive for masks in waiting.values())
