"""The findings of `barrier_phases.py` as facts, and in sentences for a student."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model import DataRace, Fault, RacingAccess, Verdict
from grader.worker.simulator.analysis.geometry import Dim3
from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.checked.barrier_phases import Arrival, StrayArrival
from grader.worker.simulator.checked.touches import Touch, axes, touch_of
from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.engine.trace import Events


@dataclass(frozen=True, slots=True)
class StrayFound:
    """Two arrivals at one barrier, of one phase or of two: nothing but chance decides.

    `again` says that a thread has arrived before, has not waited and has arrived once more.
    """

    number: int
    expected: int
    first: Touch
    second: Touch
    again: bool


def stray_found(kernel: Kernel, grid: Dim3, events: Events, found: StrayArrival) -> StrayFound:
    """Return the facts of a stray arrival."""
    first, second = (_touch(kernel, grid, events, arrival) for arrival in (found.before, found.arrival))
    return StrayFound(found.number, found.expected, first, second, found.again)


def _touch(kernel: Kernel, grid: Dim3, events: Events, arrival: Arrival) -> Touch:
    thread = int(events["warp"][arrival.event]) * LANES + int(arrival.lanes.argmax())
    return touch_of(kernel, grid, events, arrival.event, thread)


def fault(found: StrayFound) -> Fault:
    """Return the fault of arrivals at a barrier whose phases depend on chance."""
    first, second, barrier = found.first, found.second, f"barrier {found.number}"
    who = [f"thread {axes(touch.thread)}" for touch in (first, second)]
    where = [f" in line {touch.line}" if touch.line else "" for touch in (first, second)]
    both = f"{who[0]} and {who[1]} of block {axes(first.block)}"
    if first.line == second.line:
        arrive = f"Data race{where[0]}: {both} arrive there at {barrier}"
    else:
        arrive = (
            f"Data race: {who[0]} arrives at {barrier}{where[0]}, and {who[1]} of block {axes(first.block)}{where[1]}"
        )
    missing = "and nothing makes one wait for the other"
    sentence = (
        f"{arrive}, {missing}: the barrier opens for any {found.expected} threads, so that some may pass it before "
        "those that they wait for."
    )
    lines = [touch.line for touch in (first, second) if touch.line]
    pair = [RacingAccess(name, touch.line or None, "arrives") for name, touch in zip(who, (first, second), strict=True)]
    race = DataRace(barrier, pair[0], pair[1], missing)
    return Fault(Verdict.DATA_RACE, sentence, _hint(found), min(lines, default=None), race=race)


def _hint(found: StrayFound) -> str:
    if found.again:
        return (
            f"bar.arrive does not wait. A thread may arrive at barrier {found.number} again only after the others have "
            "passed it: let them say so at a second barrier, and wait there first."
        )
    return (
        f"Give each group of threads that wait for each other a number of its own, such as 1 for one half of the block "
        f"and 2 for the other. If all of these threads wait for each other, the count of barrier {found.number} must "
        "be the number of them all."
    )
