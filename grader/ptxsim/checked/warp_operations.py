"""The findings of `warp_masks.py` as facts."""

from __future__ import annotations

from grader.model.traced import LeftOut, MissingSource
from grader.ptxsim.analysis.geometry import Dim3
from grader.ptxsim.checked.touches import coordinates, touch_of
from grader.ptxsim.checked.warp_masks import first_left_out, first_missing_source
from grader.ptxsim.engine.program import Kernel
from grader.ptxsim.engine.trace import Events


def left_out_found(kernel: Kernel, grid: Dim3, events: Events) -> LeftOut | None:
    """Return the first warp operation in a thread that its mask leaves out."""
    found = first_left_out(events)
    return LeftOut(touch_of(kernel, grid, events, found.event, found.thread), found.mask) if found else None


def missing_source_found(kernel: Kernel, grid: Dim3, events: Events) -> MissingSource | None:
    """Return the first shuffle that reads from a thread which does not take part in it."""
    found = first_missing_source(events)
    if found is None:
        return None
    call = touch_of(kernel, grid, events, found.event, found.thread)
    return MissingSource(call, coordinates(found.source, kernel.block), found.rounds_before)
