"""The findings of `warp_masks.py` as facts."""

from __future__ import annotations

from grader.ptxsim.checked.touches import coordinates, touch_of
from grader.ptxsim.checked.traced_launch import TracedLaunch
from grader.ptxsim.checked.warp_masks import first_left_out, first_missing_source
from grader.ptxsim.records.traced import LeftOut, MissingSource


def left_out_found(launch: TracedLaunch) -> LeftOut | None:
    """Return the first warp operation in a thread that its mask leaves out."""
    found = first_left_out(launch.events)
    return LeftOut(touch_of(launch, found.event, found.thread), found.mask) if found else None


def missing_source_found(launch: TracedLaunch) -> MissingSource | None:
    """Return the first shuffle that reads from a thread which does not take part in it."""
    found = first_missing_source(launch.events)
    if found is None:
        return None
    call = touch_of(launch, found.event, found.thread)
    return MissingSource(call, coordinates(found.source, launch.kernel.block), found.rounds_before)
