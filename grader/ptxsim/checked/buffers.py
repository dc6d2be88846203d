"""Which elements of a shared array are written and read, to distinguish wrong buffers or rows from missing barriers."""

from __future__ import annotations

import numpy as np

from grader.ptxsim.checked.accesses import CHANGES, Accesses, Integers, Mask, acting, unit_of, units
from grader.ptxsim.checked.epochs import epochs_of
from grader.ptxsim.checked.traced_launch import TracedLaunch
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.layout import ARRAY_BITS
from grader.ptxsim.generate.traces import Event
from grader.ptxsim.records.races import Rows

_LEAST_GAPS = 2
_WIDEST_GAP = 0.25  # of a row: padding is narrow; a wider gap is due to missing threads
_WIDEST_GAP_OF_TILE = 0.5  # of a row of a fragment's tile: 8 elements after 16 keep rows aligned


def reads_only_the_filled(launch: TracedLaunch, access: Accesses) -> bool:
    """Whether a line reads only elements that its block writes between the same barriers, and none written before.

    The first row of `access` is a read of shared memory by that line. This is true if a step reads the buffer that it
    fills instead of the one that the previous step has filled.
    """
    events = launch.events
    event, epoch = int(access.event[0]), int(access.epoch[0])
    line = launch.kernel.places[int(events["where"][event])].line
    of_line = np.array([place.line == line for place in launch.kernel.places])[events["where"]]
    of_block = events["block"] == access.block[0]
    changes = of_block & np.isin(events["kind"], CHANGES)
    array = int(access.place[0]) * access.unit >> ARRAY_BITS
    acts = acting(events)
    epochs = epochs_of(events, acts).of_lanes
    now = acts & (epochs == epoch)
    read = _places(events, of_block & of_line & (events["kind"] == Event.READ), now, array)
    filled = _places(events, changes, now, array)
    before = np.setdiff1d(_places(events, changes, acts & (epochs < epoch), array), filled)
    return bool(len(before) and np.isin(read, filled).all() and not np.isin(read, before).any())


def written_by_warps(events: Events, access: Accesses) -> int:
    """Return the number of warps that write the place of the table's first access between the same two barriers."""
    acts = acting(events)
    now = acts & (epochs_of(events, acts).of_lanes == access.epoch[0])
    written = events["kind"] == Event.WRITE
    place, size = int(access.place[0]) * access.unit, events["size"][:, None]
    covers = now & (events["words"] <= place) & (place < events["words"] + size)
    chosen = written & (events["block"] == access.block[0]) & covers.any(1)
    return len(np.unique(events["warp"][chosen]))


def rows_set(events: Events, event: int, address: int, element: int, *, of_fragment: bool = False) -> Rows | None:
    """Return the rows that a block has written in a shared array before a read; None if the gaps are irregular.

    Also None if the block reads the gap of every row: then it is not padding, but a part that is never written.
    `address` is the generic address of the read, and `element` the number of bytes of an element. `of_fragment`: the
    read loads a fragment of a tile.
    """
    acts, of_block = acting(events), events["block"] == events["block"][event]
    before = acts & (np.arange(len(events)) < event)[:, None]
    changes = of_block & np.isin(events["kind"], CHANGES)
    unit, array = unit_of(events), address >> ARRAY_BITS
    elements = np.unique(_places(events, changes, before, array) * unit // element)
    ends = np.flatnonzero(np.diff(elements) > 1)
    starts = np.concatenate([elements[:1], elements[ends + 1]])
    distances, lengths = np.unique(np.diff(starts)), np.unique(np.diff(ends))
    if len(ends) < _LEAST_GAPS or len(distances) != 1 or len(lengths) != 1 or ends[0] + 1 != lengths[0]:
        return None
    read = _places(events, of_block & (events["kind"] == Event.READ), acts, array) * unit // element
    if np.isin(np.arange(elements[0], elements[-1] + 1), read).all():
        return None
    length, distance = int(lengths[0]), int(distances[0])
    widest = _WIDEST_GAP_OF_TILE if of_fragment else _WIDEST_GAP
    return Rows(length, distance) if distance - length <= widest * length else None


def _places(events: Events, chosen: Mask, acts: Mask, array: int) -> Integers:
    """Return the units of a shared array that lanes access in the `chosen` events."""
    unit, found = unit_of(events), [np.zeros(0, np.int64)]
    for event, _, place in units(events, unit, chosen):
        found.append(place[acts[event] & (place * unit >> ARRAY_BITS == array)])
    return np.unique(np.concatenate(found))
