"""The findings of `barrier_phases.py` as facts."""

from __future__ import annotations

from grader.model.races import StrayArrival, Touch
from grader.ptxsim.analysis.geometry import Dim3
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.barrier_phases import Arrival, Stray
from grader.ptxsim.checked.touches import touch_of
from grader.ptxsim.engine.program import Kernel
from grader.ptxsim.engine.trace import Events


def stray_found(kernel: Kernel, grid: Dim3, events: Events, found: Stray) -> StrayArrival:
    """Return the facts of a stray arrival."""
    first, second = (_touch(kernel, grid, events, arrival) for arrival in (found.before, found.arrival))
    return StrayArrival(found.number, found.expected, first, second, found.again)


def _touch(kernel: Kernel, grid: Dim3, events: Events, arrival: Arrival) -> Touch:
    thread = int(events["warp"][arrival.event]) * LANES + int(arrival.lanes.argmax())
    return touch_of(kernel, grid, events, arrival.event, thread)
