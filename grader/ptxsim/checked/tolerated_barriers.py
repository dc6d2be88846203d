"""Barriers that GPUs tolerate although CUDA forbids them. They are remarks, not faults.

CUDA C++ Programming Guide, "Synchronization Functions": conditional code may call __syncthreads() only if the condition
is the same in all threads of the block. Since Volta, a barrier waits for all threads that have not returned.
"""

from __future__ import annotations

from math import prod

import numpy as np

from grader.ptxsim.checked.accesses import acting
from grader.ptxsim.checked.epochs import epochs_of
from grader.ptxsim.checked.traced_launch import TracedLaunch, coordinates
from grader.ptxsim.generate.traces import Event
from grader.ptxsim.records.traced import BarrierInTwoLines, ReturnedBefore


def tolerated(launch: TracedLaunch) -> BarrierInTwoLines | ReturnedBefore | None:
    """Return the first barrier that not all threads of a block reach, or reach on different lines; None without one.

    If the trace has barriers for parts of blocks, there is no remark.
    """
    events = launch.events
    barriers = np.flatnonzero(events["kind"] == Event.BARRIER)
    total = prod(launch.kernel.block)
    row, lane = np.nonzero(acting(events[barriers]))
    event = barriers[row]
    if not len(event) or (events["words"][event, lane] != total << 1).any():
        return None
    epoch = epochs_of(events, acting(events)).of_lanes[event, lane]
    lines = np.array([place.line for place in launch.kernel.places])[events["where"][event]]
    _, phase = np.unique(np.stack([events["block"][event], epoch]), axis=1, return_inverse=True)
    phase = phase.reshape(-1)
    arrived = np.bincount(phase)
    lowest, highest = np.full(len(arrived), np.iinfo(np.int64).max), np.zeros(len(arrived), np.int64)
    np.minimum.at(lowest, phase, lines)
    np.maximum.at(highest, phase, lines)
    for number in np.flatnonzero((lowest != highest) | (arrived < total))[:1]:
        block = coordinates(int(events["block"][event[phase == number][0]]), launch.grid)
        if lowest[number] != highest[number]:
            return BarrierInTwoLines(block, int(lowest[number]), int(highest[number]))
        return ReturnedBefore(block, int(lowest[number]), total - int(arrived[number]), total)
    return None
