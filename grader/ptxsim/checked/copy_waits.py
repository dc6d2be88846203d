"""Asynchronous copies (cp.async): when their threads wait for them, and accesses to their destination before the wait.

A copy may write at any time until its own thread has waited for it. An access that the trace shows between the copy and
the wait is not ordered after the copy; if it were, it would come after the wait. A store of the copied value is
harmless. For two copies to one place, see `copy_races.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import CHANGES, acting, units, values_of
from grader.ptxsim.engine.trace import Events, Integers, Mask, of_lane, of_same_warp, warps_of
from grader.ptxsim.generate.layout import ARRAY_BITS, ARRAYS, SHARED, window
from grader.ptxsim.generate.traces import ALL_COPIES, Event, How

NEVER = 1 << 24  # the number of an event after all others
_PLACE_BITS, _EVENT_BITS = ARRAY_BITS + (ARRAYS - 1).bit_length(), 24  # units of shared memory; events


@dataclass(frozen=True, slots=True)
class EarlyCopyUse:
    """A copy, and an access (`use`) to its destination at `address` before the wait for it: events and their lanes.

    `is_awaited`: the copy's thread waits later, for this or another copy. `overwrites`: the use reads the old content,
    because no barrier is between it and the copy. `replaces_unread`: an earlier group's copy to the place has not been
    read yet.
    """

    copy: int
    copier: int
    use: int
    user: int
    address: int
    is_awaited: bool
    overwrites: bool
    replaces_unread: bool


def copy_ends(events: Events) -> Integers | None:
    """Return, for each event and lane, the event at which the lane has waited for its copy (events x 32), or NEVER.

    The events of copies, and those in which copies read their source, have one. None for a launch without copies. An
    arrival at an mbarrier counts as a wait, because threads wait for the mbarrier instead.
    """
    if not (events["kind"] == Event.COPY).any():
        return None
    ends = np.full((len(events), LANES), NEVER, np.int64)
    acts, owner = acting(events), warps_of(events)
    chosen = np.flatnonzero(np.isin(events["kind"], (Event.COPY, Event.COMMIT)) | _is_wait(events))
    by_warp = chosen[np.argsort(owner[chosen], kind="stable")]
    for own in np.split(by_warp, np.flatnonzero(np.diff(owner[by_warp])) + 1):
        lanes, which = np.unique(acts[own], axis=1, return_inverse=True)
        for number, acting_then in enumerate(lanes.T):
            _lane_waits(events, own[acting_then], ends, np.flatnonzero(which == number))
    reads = source_reads(events)
    ends[reads] = ends[reads + 1]
    return ends


def source_reads(events: Events) -> Integers:
    """Return the events in which copies read their source. Each is immediately before the event of its copy."""
    owner = warps_of(events)
    follows = (events["kind"][1:] == Event.COPY) & (owner[1:] == owner[:-1])
    return np.flatnonzero(follows & (events["how"][:-1] & How.SOURCE != 0))


def _is_wait(events: Events) -> Mask:
    return np.asarray((events["kind"] == Event.WAIT) | (events["how"] & How.COPIES != 0))


def _lane_waits(events: Events, own: Integers, ends: Integers, lanes: Integers) -> None:
    """Set `ends` for copies of lanes that take part in the same events `own`; each lane waits for its own groups."""
    kinds = events["kind"][own]
    pending = np.where(kinds == Event.WAIT, events["size"][own], ALL_COPIES)
    groups = np.cumsum(kinds == Event.COMMIT)
    copies, waits = np.flatnonzero(kinds == Event.COPY), _is_wait(events[own])
    for_all = np.flatnonzero(waits & (pending == ALL_COPIES))
    counted = np.flatnonzero(waits & (pending != ALL_COPIES))
    complete = np.maximum.accumulate(groups[counted] - pending[counted])  # groups after each of these waits
    by_all = np.append(own[for_all], NEVER)[np.searchsorted(for_all, copies)]
    by_count = np.append(own[counted], NEVER)[np.searchsorted(complete, groups[copies], side="right")]
    ends[own[copies][:, None], lanes] = np.minimum(by_all, by_count)[:, None]


def first_early_use(events: Events, unit: int) -> EarlyCopyUse | None:
    """Return the first access of the block to a copy's destination before the wait for the copy; None without one."""
    ends = copy_ends(events)
    if ends is None:
        return None
    _, block = np.unique(events["block"], return_inverse=True)
    copied = _columns(events, unit, block, (Event.COPY,))
    if not len(copied[0]):
        return None
    keys, copy, copier, _, new = (column[np.argsort(copied[0])] for column in copied)
    key, use, user, address, value = _columns(events, unit, block, (Event.READ, Event.WRITE, Event.ATOMIC))
    before = np.searchsorted(keys, key) - 1
    same = (before >= 0) & (keys[before] >> _EVENT_BITS == key >> _EVENT_BITS)
    harmless = (events["kind"][use] == Event.WRITE) & (value == new[before])
    early = np.flatnonzero(same & ~harmless & (ends[copy[before], copier[before]] > use))
    if not len(early):
        return None
    first = early[np.argmin(use[early])]
    found = before[first]
    return EarlyCopyUse(
        int(copy[found]),
        int(copier[found]),
        int(use[first]),
        int(user[first]),
        int(address[first]),
        _waits_later(events, copy[found], copier[found]),
        _overwrites(events, copy[found], use[first], address[first]),
        _replaces_unread(events, copy[found], copier[found], address[first]),
    )


def _waits_later(events: Events, copy: int, lane: int) -> bool:
    """Whether the thread of a copy waits for copies after the start of this one."""
    own = of_same_warp(events, copy) & _is_wait(events) & of_lane(events, lane)
    return bool(own[copy:].any())


def _replaces_unread(events: Events, copy: int, lane: int, address: int) -> bool:
    """Whether the last access to the address before this copy is a copy of an earlier group."""
    earlier = events[:copy]
    at_address = (earlier["words"] <= address) & (address < earlier["words"] + earlier["size"][:, None])
    of_block = np.isin(earlier["kind"], (*CHANGES, Event.READ)) & (earlier["block"] == events["block"][copy])
    accesses = np.flatnonzero((at_address & acting(earlier)).any(1) & of_block)
    if not len(accesses) or earlier["kind"][accesses[-1]] != Event.COPY:
        return False
    own = of_same_warp(events, copy) & of_lane(events, lane) & (events["kind"] == Event.COMMIT)
    return bool(own[accesses[-1] : copy].any())


def _overwrites(events: Events, copy: int, use: int, address: int) -> bool:
    """Whether an access reads the content from before the copy, because no barrier is between the two."""
    is_barrier = events["kind"] == Event.BARRIER
    arrivals = [int((of_same_warp(events, event) & is_barrier)[:event].sum()) for event in (copy, use)]
    earlier = events[:copy][np.isin(events["kind"][:copy], CHANGES) & (events["block"][:copy] == events["block"][copy])]
    covers = (earlier["words"] <= address) & (address < earlier["words"] + earlier["size"][:, None])
    is_set = bool((covers & acting(earlier)).any())
    return is_set and arrivals[0] == arrivals[1] and bool(events["kind"][use] == Event.READ)


def _columns(events: Events, unit: int, block: Integers, kinds: tuple[Event, ...]) -> tuple[Integers, ...]:
    """Return columns of accesses to shared memory: key (sorts by block, unit, event), event, lane, address, value."""
    acts, first = acting(events), window(SHARED) // unit
    pieces = []
    for event, part, place in units(events, unit, np.flatnonzero(np.isin(events["kind"], kinds))):
        row, lane = np.nonzero(acts[event] & (place >= first) & (place < first + (1 << _PLACE_BITS)))
        number, address = event[row], place[row, lane]
        key = (block[number] << _PLACE_BITS | address - first) << _EVENT_BITS | number
        value = values_of(events, number, lane, np.full(len(number), part * unit)) & (1 << 8 * unit) - 1
        pieces.append((key, number, lane, address * unit, value))
    return tuple(np.concatenate(column) for column in zip(*pieces, strict=True)) or (np.zeros(0, np.int64),) * 5
