"""The lines of barriers: where the threads of a block wait for each other in several lines, or not all of them wait.

CUDA C++ Programming Guide, "Synchronization Functions": conditional code may call __syncthreads() only if the condition
is the same in all threads of the block. Since Volta, a barrier waits for all threads that have not returned. Such
barriers are remarks, not faults, unless they cause a race.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import Accesses, acting
from grader.ptxsim.checked.epochs import epochs_of
from grader.ptxsim.checked.traced_launch import TracedLaunch, coordinates
from grader.ptxsim.engine.trace import Events, Integers, Mask, of_lane, of_warp
from grader.ptxsim.generate.traces import Event
from grader.ptxsim.records.traced import BarrierInTwoLines, ReturnedBefore


def tolerated(launch: TracedLaunch) -> BarrierInTwoLines | ReturnedBefore | None:
    """Return the first barrier that not all threads of a block reach, or reach on different lines; None without one.

    If the trace has barriers for parts of blocks, there is no remark.
    """
    events = launch.events
    barriers = np.flatnonzero(events["kind"] == Event.BARRIER)
    total = prod(launch.kernel.geometry.block)
    row, lane = np.nonzero(acting(events[barriers]))
    event = barriers[row]
    if not len(event) or (events["words"][event, lane] != total << 1).any():
        return None
    epoch = epochs_of(events, acting(events)).of_lanes[event, lane]
    lines = launch.lines[event]
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


def met(launch: TracedLaunch, one: Accesses, other: Accesses) -> tuple[int, int]:
    """Return the lines of the first barrier at which the threads of two accesses wait on different lines, or zeros.

    The barrier after the accesses counts too. Later barriers may be on one line again if a thread is a step behind.
    """
    for lines in zip(*(_barriers(launch, access) for access in (one, other)), strict=False):
        if lines[0] != lines[1]:
            return min(lines), max(lines)
    return 0, 0


def skipped(launch: TracedLaunch, one: Accesses, other: Accesses) -> int:
    """Return the line of a barrier that other threads of the block reach, but not those of two accesses; 0 without one.

    Both threads reach later barriers, so they have not returned before it.
    """
    events = launch.events
    own = [_of_thread(events, access) for access in (one, other)]
    of_block = np.flatnonzero((events["block"] == one.block[0]) & (events["kind"] == Event.BARRIER))
    last = min((int(barriers[-1]) for barriers in own if barriers.size), default=0)
    reached = launch.lines[np.concatenate(own)].tolist()
    return min({*launch.lines[of_block[of_block < last]].tolist()} - {*reached}, default=0)


def _barriers(launch: TracedLaunch, access: Accesses) -> list[int]:
    """Return the lines of the barriers of a thread, up to the first one after the table's first access."""
    barriers = _of_thread(launch.events, access)
    last = int(np.searchsorted(barriers, access.event[0])) + 1
    return list(launch.lines[barriers[:last]].tolist())


def _of_thread(events: Events, access: Accesses) -> Integers:
    """Return the barrier events of the thread of the table's first access."""
    own = of_warp(events, access.block[0], access.warp[0]) & of_lane(events, access.thread[0] % LANES)
    return np.flatnonzero(own & (events["kind"] == Event.BARRIER))


@dataclass(frozen=True, slots=True)
class Arrival:
    """The arrival of lanes of a warp at a barrier in an event; `waits` is false for bar.arrive."""

    warp: int
    lanes: Mask
    event: int
    waits: bool


@dataclass(frozen=True, slots=True)
class EarlyArrival:
    """An arrival, and one of the previous phase that may come after it; `expected` threads open the barrier.

    `again`: in the previous phase, a warp arrived without waiting, and arrived once more.
    """

    number: int
    expected: int
    arrival: Arrival
    before: Arrival
    again: bool


def early_arrival(
    number: int, expected: int, arrival: Arrival, known: Integers, ended: Sequence[Arrival]
) -> EarlyArrival | None:
    """Return the fault of an arrival that may belong to the previous phase: chance decides who waits for whom.

    A barrier opens when the expected number of threads has arrived, no matter which (PTX ISA, "bar, barrier"). An
    arrival certainly belongs to a phase only if the end of the previous phase happens before it: its warp has waited
    there, or has synchronised with a thread that knows of the end. That needs no fence.

    `ended` are the arrivals of the previous phase. `known` has, for each warp of the launch, the event up to which
    it happens before the arrival.
    """
    others = [own for own in ended if own.warp != arrival.warp]
    again = len({(own.warp, own.lanes.tobytes()) for own in others}) < len(ended)
    for before in others:
        if known[before.warp] <= before.event:
            return EarlyArrival(number, expected, arrival, before, again)
    return None
