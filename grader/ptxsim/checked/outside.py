"""Accesses in a trace that are outside of variables and of memory from malloc or new."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grader.ptxsim.checked.accesses import CHANGES, acting
from grader.ptxsim.checked.traced_launch import TracedLaunch, access_of_lane
from grader.ptxsim.engine.describe import component
from grader.ptxsim.engine.source_names import source_name
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.layout import CONSTANTS, GLOBALS, HEAP, SEGMENT_BITS
from grader.ptxsim.generate.traces import Event
from grader.ptxsim.records.traced import OutsideVariable

SEGMENTS = (HEAP, GLOBALS, CONSTANTS)


@dataclass(frozen=True, slots=True)
class Outside:
    """The event, the lane and the address of an access, and the start of the variable or heap block before it, or 0."""

    event: int
    lane: int
    address: int
    start: int


def first_outside(events: Events, sizes: Mapping[int, int]) -> Outside | None:
    """Return the first access outside of heap blocks and variables; `sizes` has their bytes by address."""
    starts = np.array([0, *sorted(sizes)], np.int64)
    ends = starts + np.array([0, *(sizes[int(start)] for start in starts[1:])], np.int64)
    accesses = np.flatnonzero(np.isin(events["kind"], (Event.READ, *CHANGES)))
    words = events["words"][accesses]
    before = np.searchsorted(starts, words, side="right") - 1
    beyond = words + events["size"][accesses, None] > ends[before]
    outside = beyond & acting(events[accesses]) & np.isin(words >> SEGMENT_BITS, SEGMENTS)
    for row in np.flatnonzero(outside.any(axis=1))[:1]:
        lane = int(outside[row].argmax())
        address, start = int(words[row, lane]), int(starts[before[row, lane]])
        same_segment = start >> SEGMENT_BITS == address >> SEGMENT_BITS
        return Outside(int(accesses[row]), lane, address, start if same_segment else 0)
    return None


def outside_found(launch: TracedLaunch, heap: Mapping[int, int]) -> OutsideVariable | None:
    """Return the record of the first access outside of variables and heap blocks; `heap` has their bytes by address."""
    variables = {address: variable for variable, address in launch.kernel.variables}
    sizes = dict(heap) | {address: variable.size for address, variable in variables.items()}
    found = first_outside(launch.events, sizes)
    if found is None:
        return None
    access = access_of_lane(launch, found.event, found.lane)
    name = source_name(variables[found.start].name) if found.start in variables else ""
    element, size = component(launch.kernel.places[int(launch.events["where"][found.event])]), sizes.get(found.start, 0)
    offset = max(found.address - found.start, size)  # a wide access may begin inside
    return OutsideVariable(access, name, offset, size, element)
