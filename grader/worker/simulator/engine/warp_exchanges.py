"""Lanes of a warp that wait for each other at shuffles or votes in several branches.

On a device, lanes exchange values wherever they execute the same operation with the same mask (PTX ISA, "shfl.sync").
The simulator lets them meet in one place only, so lanes that wait in several are no fault of the kernel.
"""

from __future__ import annotations

from collections import defaultdict
from ctypes import c_int32

import numpy as np
from numpy.typing import NDArray

from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.generate.layout import ENDED, Warp

_EXCHANGES = frozenset({"shfl", "vote", "match", "redux", "elect"})


def exchange_between_branches(kernel: Kernel, memory: NDArray[np.uint8], warps: int) -> bool:
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
        if lanes and operation.partition(".")[0] in _EXCHANGES:
            waiting[operation].append(lanes)
    alive = warp.alive & 0xFFFFFFFF
    return any(len(masks) > 1 and np.bitwise_or.reduce(masks) & 0xFFFFFFFF == alive for masks in waiting.values())
