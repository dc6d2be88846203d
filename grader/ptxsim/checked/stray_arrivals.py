"""The findings of `barrier_phases.py` as facts."""

from __future__ import annotations

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.barrier_phases import Arrival, Stray
from grader.ptxsim.checked.touches import touch_of
from grader.ptxsim.checked.traced_launch import TracedLaunch
from grader.ptxsim.records.races import StrayArrival, Touch


def stray_found(launch: TracedLaunch, found: Stray) -> StrayArrival:
    """Return the facts of a stray arrival."""
    first, second = (_touch(launch, arrival) for arrival in (found.before, found.arrival))
    return StrayArrival(found.number, found.expected, first, second, found.again)


def _touch(launch: TracedLaunch, arrival: Arrival) -> Touch:
    thread = int(launch.events["warp"][arrival.event]) * LANES + int(arrival.lanes.argmax())
    return touch_of(launch, arrival.event, thread)
