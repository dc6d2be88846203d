"""Pairs of accesses to one unit of memory, at least one of them a write, that nothing orders.

Since Volta the lanes of a warp do not run in lockstep (CUDA C++ Programming Guide, "Independent Thread Scheduling"):
only what they do in one instruction has an order, and what a warp operation separates. Two atomics never race. Writes
of one value are not a fault, and neither is reading it in a thread that has written it itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from grader.worker.simulator.analysis.ordering import AccessOrder
from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.checked.accesses import Accesses, Integers, Mask
from grader.worker.simulator.checked.part_barriers import Knowledge
from grader.worker.simulator.checked.warp_order import PartialWaits
from grader.worker.simulator.generate.traces import Event

MOST_GROUPS = 64  # of accesses to one unit that are looked at pair by pair
MOST_WRITES = 32  # of a group
MOST_OTHERS = 32  # accesses that each of them is compared with
MOST_ROWS = 4096
WIDE = 1 << 16  # range of a column from which on its values are sorted, which takes longer, and ranked
LARGEST = 1 << 62


@dataclass(frozen=True, slots=True)
class Race:
    """Two accesses, each a table of one row: a write or an atomic, and another. `between_blocks`: of two blocks."""

    change: Accesses
    other: Accesses
    between_blocks: bool = False


def races(table: Accesses, order: AccessOrder, waits: PartialWaits | None = None) -> Iterator[Race]:
    """Yield races, at most one for each unit of memory and each stretch between barriers.

    Of global memory, those between blocks come before a read that races inside a block, where a barrier would help.
    Where parts of a block arrive at barriers, those between warps are left out; see `races_between_warps`.
    """
    if order.by_objects:
        return
    shared, outside = table.rows(table.is_shared), table.rows(~table.is_shared)
    if not (order.by_fences and shared.is_atomic.any()):
        yield from _inside_blocks(shared, order, waits)
    if order.by_fences:
        return
    inside = list(_inside_blocks(outside, order, waits))
    yield from (race for race in inside if not race.other.is_read.any())
    if not order.by_tickets:
        for race in _found(outside, _numbered(outside.place), outside.block):
            yield replace(race, between_blocks=True)
    yield from (race for race in inside if race.other.is_read.any())


def _inside_blocks(table: Accesses, order: AccessOrder, waits: PartialWaits | None) -> Iterator[Race]:
    stretch = table.place, table.block, table.epoch
    if not order.by_parts:
        yield from _found(table, _numbered(*stretch), table.warp)
    yield from _found(table, _numbered(*stretch, table.warp, table.turn), table.thread, waits)


def races_between_warps(table: Accesses, known: Knowledge) -> Iterator[Race]:
    """Yield races between warps of a block that do not know of each other, a few of each launch.

    A launch with a race has one between accesses to a unit that follow each other: a change and the next change, or a
    read and the changes around it (Flanagan and Freund, "FastTrack", PLDI 2009).
    """
    rows = table.rows(np.lexsort((table.event, table.place, table.block)))
    start = (np.diff(rows.place, prepend=-1) != 0) | (np.diff(rows.block, prepend=-1) != 0)
    unit, numbers = np.cumsum(start), np.arange(len(rows))
    before = np.maximum.accumulate(np.where(rows.is_read, -1, numbers))
    before = np.concatenate([[-1], before[:-1]])[: len(rows)]
    behind = np.minimum.accumulate(np.where(rows.is_read, len(rows), numbers)[::-1])[::-1]
    pairs = np.concatenate([np.stack([before, numbers]), np.stack([numbers, behind])[:, rows.is_read]], axis=1)
    inside = (pairs[0] >= 0) & (pairs[1] < len(rows))
    first, second = pairs[:, inside]
    same = unit[first] == unit[second]
    first, second = first[same], second[same]
    apart = np.flatnonzero(~known.is_before(rows.rows(first), rows.rows(second)))
    for pair in apart[:: 1 + len(apart) // MOST_GROUPS]:
        one, other = int(first[pair]), int(second[pair])
        change, beside = (other, one) if rows.is_read[one] else (one, other)
        start_of_unit = int(np.searchsorted(unit, unit[change]))
        members = rows.rows(np.flatnonzero(unit == unit[change]))
        if _conflicts(members, change - start_of_unit)[beside - start_of_unit]:
            yield Race(rows.rows(np.array([change])), rows.rows(np.array([beside])))


def equal_writes(table: Accesses, order: AccessOrder) -> Race | None:
    """Return two writes of one value to one unit that nothing orders: by warps of a block, or else by blocks."""
    if order.by_objects or order.by_parts or order.by_fences or order.by_tickets:
        return None
    outside = table.rows(~table.is_shared)
    return _equal(table, _numbered(table.place, table.block, table.epoch), table.warp) or _equal(
        outside, _numbered(outside.place), outside.block, between_blocks=True
    )


def _equal(table: Accesses, group: Integers, owner: Integers, *, between_blocks: bool = False) -> Race | None:
    """Return two writes of the first group in which all writes are of one value, and not all by one owner."""
    by_group = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[by_group], prepend=-1))
    owners, values = owner[by_group], table.value[by_group]
    if not len(starts):
        return None
    apart = np.minimum.reduceat(owners, starts) != np.maximum.reduceat(owners, starts)
    equal = np.minimum.reduceat(values, starts) == np.maximum.reduceat(values, starts)
    for first in starts[apart & equal][:1]:
        other = first + int(np.argmax(owners[first:] != owners[first]))
        return Race(table.rows(by_group[[first]]), table.rows(by_group[[other]]), between_blocks)
    return None


def _found(table: Accesses, group: Integers, owner: Integers, waits: PartialWaits | None = None) -> Iterator[Race]:
    """Yield a pair of accesses by different owners for each group that has one that no `waits` order."""
    for rows in _suspects(table, group, owner):
        pair = _pair(table.rows(rows), owner[rows], waits)
        if pair:
            yield Race(*pair)


def _numbered(*columns: Integers) -> Integers:
    """Return a number for each row that is the same where all columns are."""
    number, count = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        values, distinct = _narrowed(column)
        if count * distinct > LARGEST:
            number, count = _ranked(number)
        number = number * distinct + values
        count *= distinct
    return number


def _narrowed(column: Integers) -> tuple[Integers, int]:
    """Return a column with numbers from 0 on, and how many there may be; ranks if its range is wide."""
    if not len(column) or int(np.ptp(column)) >= WIDE:
        return _ranked(column)
    values = column - column.min()
    return values, int(values.max()) + 1


def _ranked(column: Integers) -> tuple[Integers, int]:
    distinct, ranks = np.unique(column, return_inverse=True)
    return ranks, max(1, len(distinct))


def _suspects(table: Accesses, group: Integers, owner: Integers) -> Iterator[Integers]:
    """Yield the rows of groups with two owners and a write, or an atomic beside another access."""
    by_group = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[by_group], prepend=-1))
    if not len(starts):
        return

    def least(column: Integers | Mask) -> Integers:
        return np.asarray(np.minimum.reduceat(column[by_group], starts))

    def most(column: Integers | Mask) -> Integers:
        return np.asarray(np.maximum.reduceat(column[by_group], starts))

    harmless = (least(table.kind == Event.WRITE) == 1) & (least(table.value) == most(table.value))
    changes = least(table.is_read) == 0
    suspect = (least(owner) != most(owner)) & changes & (least(table.is_atomic) == 0) & ~harmless
    ends = np.append(starts[1:], len(by_group))
    numbers = np.flatnonzero(suspect)
    for number in numbers[:: 1 + len(numbers) // MOST_GROUPS]:
        yield by_group[starts[number] : ends[number]][:MOST_ROWS]


def _pair(members: Accesses, owner: Integers, waits: PartialWaits | None) -> tuple[Accesses, Accesses] | None:
    """Return a write of a group and another access by another owner, best a read, that no `waits` order."""
    changes = np.flatnonzero(~members.is_read)
    for change in changes[:: 1 + len(changes) // MOST_WRITES]:
        others = np.flatnonzero((owner != owner[change]) & _conflicts(members, change))
        reads_first = others[np.argsort(~members.is_read[others], kind="stable")][:MOST_OTHERS]
        for other in reads_first:
            if waits is None or not _are_ordered(members, int(change), int(other), waits):
                return members.rows(np.array([change])), members.rows(np.array([other]))
    return None


def _are_ordered(members: Accesses, change: int, other: int, waits: PartialWaits) -> bool:
    """Whether operations for some lanes of a warp order two of its accesses."""
    both = sorted((int(members.event[row]), int(members.thread[row]) % LANES) for row in (change, other))
    return waits.order(both[0], both[1])


def _conflicts(members: Accesses, change: int) -> Mask:
    """Return which accesses matter beside a write or an atomic."""
    if members.is_atomic[change]:
        return ~members.is_atomic
    same_value = (members.kind == Event.WRITE) & (members.value == members.value[change])
    return np.asarray(~same_value & ~_read_own(members))


def _read_own(members: Accesses) -> Mask:
    """Return which are reads by threads that write to the unit too, where all writes are of one value."""
    writes = members.rows(members.kind == Event.WRITE)
    if len(np.unique(writes.value)) > 1:
        return np.zeros(len(members), np.bool_)
    own = np.isin(members.block << 11 | members.thread, writes.block << 11 | writes.thread)
    return np.asarray(members.is_read & own)
