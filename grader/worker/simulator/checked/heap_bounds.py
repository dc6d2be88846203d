"""Accesses outside the memory that malloc or new has returned, as a trace shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grader.model import Fault, Verdict
from grader.worker.simulator.analysis.geometry import Dim3
from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.checked.accesses import CHANGES, acting
from grader.worker.simulator.checked.findings import Touch, touch_of
from grader.worker.simulator.checked.wording import axes
from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.engine.trace import Events
from grader.worker.simulator.generate.layout import HEAP, SEGMENT_BITS, window
from grader.worker.simulator.generate.traces import Event


@dataclass(frozen=True, slots=True)
class OutsideHeap:
    """The event and the lane of an access, its offset in the block before it, and the size of that; in bytes."""

    event: int
    lane: int
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class OutsideHeapFound:
    """The same with the facts of the access."""

    access: Touch
    offset: int
    size: int


def first_outside(events: Events, sizes: Mapping[int, int]) -> OutsideHeap | None:
    """Return the first access to the heap outside its blocks, of which `sizes` has the bytes by address."""
    starts = np.array([0, *sorted(sizes)], np.int64)
    extents = np.array([0, *(sizes[int(start)] for start in starts[1:])], np.int64)
    accesses = np.flatnonzero(np.isin(events["kind"], (Event.READ, *CHANGES)))
    words = events["words"][accesses]
    block = np.searchsorted(starts, words, side="right") - 1
    offsets = words - starts[block]
    beyond = offsets + events["size"][accesses, None] > extents[block]
    outside = beyond & acting(events[accesses]) & (words >> SEGMENT_BITS == HEAP)
    for row in np.flatnonzero(outside.any(axis=1))[:1]:
        lane = int(outside[row].argmax())
        return OutsideHeap(int(accesses[row]), lane, int(offsets[row, lane]), int(extents[block[row, lane]]))
    return None


def outside_found(kernel: Kernel, grid: Dim3, events: Events, sizes: Mapping[int, int]) -> OutsideHeapFound | None:
    """Return the facts of the first access to the heap outside its blocks."""
    found = first_outside(events, sizes)
    if found is None:
        return None
    thread = int(events["warp"][found.event]) * LANES + found.lane
    return OutsideHeapFound(touch_of(kernel, grid, events, found.event, thread), found.offset, found.size)


def outside(found: OutsideHeapFound) -> Fault:
    """Return the fault of an access outside the memory that malloc or new has returned."""
    access, is_known = found.access, found.offset < window(1)  # or else no block is before it
    where = f": byte {found.offset} of {found.size}" if is_known else ""
    sentence = (
        f"Thread {axes(access.thread)} of block {axes(access.block)} {'reads' if access.reads else 'writes'} outside "
        f"memory from malloc() or new in line {access.line}{where}."
    )
    hint = "Compare the index with the number of elements. malloc() expects bytes: elements times sizeof(float)."
    return Fault(Verdict.OUT_OF_BOUNDS, sentence, hint, access.line or None)
