"""Data races: unordered pairs of accesses to one unit of memory, at least one of which is a write.

Since Volta, the lanes of a warp do not run in lockstep (CUDA C++ Programming Guide, "Independent Thread Scheduling"):
their accesses are ordered only if a warp operation separates them. Two atomics never race. Several writes of one value
are not a fault, and neither is a read of it in a thread that has written it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from grader.ptxsim.analysis.ordering import AccessOrder
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import ATOMIC_READ, Accesses
from grader.ptxsim.checked.epochs import PartialWaits
from grader.ptxsim.checked.signals import distinct, numbered
from grader.ptxsim.checked.vector_clocks import Knowledge
from grader.ptxsim.engine.trace import WARP_BITS, Integers, Mask
from grader.ptxsim.generate.traces import Event

MOST_GROUPS = 64  # of accesses to one unit that are compared pair by pair
MOST_WRITES, MOST_OTHERS = 32, 32  # writes of a group, and accesses with which each is compared
MOST_ROWS, MOST_PAIRS = 4096, 2048  # rows of a group, and pairs of lanes of a warp
MOST_ATOMICS = 8  # with which an access is compared, on each side of it


@dataclass(frozen=True, slots=True)
class RacingPair:
    """Two accesses, each a table of one row: a write or an atomic, and another one. `between_blocks`: by two blocks."""

    change: Accesses
    other: Accesses
    between_blocks: bool = False


@dataclass(frozen=True, slots=True)
class _SeenLines:
    """Pairs of lines with a known race, inside of a block or between two blocks.

    In a kernel with many races, comparing accesses that could only show the same pairs again would take seconds.
    """

    lines: Integers
    seen: set[tuple[frozenset[int], bool]] = field(default_factory=set)

    def has(self, rows: Accesses, one: int, other: int) -> bool:
        both = rows.event[[one, other]]
        return (frozenset(self.lines[both].tolist()), bool(rows.block[one] != rows.block[other])) in self.seen

    def add(self, race: RacingPair) -> None:
        both = [race.change.event[0], race.other.event[0]]
        self.seen.add((frozenset(self.lines[both].tolist()), race.between_blocks))


def races(table: Accesses, order: AccessOrder, waits: PartialWaits | None = None) -> Iterator[RacingPair]:
    """Yield races of a kernel that only barriers order, at most one for each unit and interval between barriers.

    In global memory, races between blocks come before reads that race inside of a block, which a barrier would fix.
    """
    if order.by_clocks:
        return
    shared, outside = table.rows(table.is_shared), table.rows(~table.is_shared)
    yield from _inside_blocks(shared, waits)
    inside = list(_inside_blocks(outside, waits))
    yield from (race for race in inside if not race.other.is_read.any())
    for race in _found(outside.as_other_blocks_see(), numbered(outside.place), outside.block):
        yield replace(race, between_blocks=True)
    yield from (race for race in inside if race.other.is_read.any())


def _inside_blocks(table: Accesses, waits: PartialWaits | None) -> Iterator[RacingPair]:
    interval = table.place, table.block, table.epoch
    yield from _found(table, numbered(*interval), table.warp)
    yield from _found(table, numbered(*interval, table.warp, table.warp_epoch), table.thread, waits)


def races_between_warps(table: Accesses, known: Knowledge, lines: Integers) -> Iterator[RacingPair]:
    """Yield races between unordered warps, one for each pair of lines; `lines` has the line of each event."""
    rows, unit = _by_unit(table, table.place, np.where(table.is_shared, table.block, -1))
    first, second = _unordered(rows, unit, known)
    apart = np.flatnonzero((rows.warp[first] != rows.warp[second]) | (rows.block[first] != rows.block[second]))
    early, seen = known.are_published_too_early(rows.rows(first[apart]), rows.rows(second[apart])), _SeenLines(lines)
    # Warps without any synchronisation come before ones that publish too early.
    for pairs in (apart[~early], apart[early]):
        for pair in pairs[:: 1 + len(pairs) // MOST_GROUPS]:
            one, other = int(first[pair]), int(second[pair])
            if not seen.has(rows, one, other):
                for race in _race_of(rows, unit, one, other):
                    seen.add(race)
                    yield race


def races_inside_warps(table: Accesses, waits: PartialWaits, known: Knowledge, lines: Integers) -> Iterator[RacingPair]:
    """Yield races between unordered lanes of a warp, one for each pair of lines; `lines` has the line of each event."""
    rows, unit = _by_unit(table, table.place, table.block << WARP_BITS | table.warp)
    first, second = _unordered(rows, unit, known)
    apart, seen = np.flatnonzero(rows.thread[first] != rows.thread[second]), _SeenLines(lines)
    for pair in apart[:: 1 + len(apart) // MOST_PAIRS]:
        one, other = int(first[pair]), int(second[pair])
        if not seen.has(rows, one, other) and not _are_ordered(rows, one, other, waits):
            for race in _race_of(rows, unit, one, other):
                seen.add(race)
                yield race


def _by_unit(table: Accesses, *columns: Integers) -> tuple[Accesses, Integers]:
    """Return the rows sorted by unit and event, and the number of each row's unit. Columns identify a unit."""
    order = np.lexsort((table.event, *columns))
    starts = [np.diff(column[order], prepend=-2) != 0 for column in columns]
    return table.rows(order), np.cumsum(np.any(starts, axis=0))


def _unordered(rows: Accesses, unit: Integers, known: Knowledge) -> Integers:
    """Return unordered pairs of rows of one unit (2 x pairs), the earlier row first.

    A launch with a race has one between successive accesses to a unit: a change and the next change, or a read and
    the changes around it (Flanagan and Freund, "FastTrack", PLDI 2009). Since atomics do not race with each other, they
    are also compared with the writes around them, and other accesses with several atomics.
    """
    is_change, is_write, is_update = ~rows.is_read, rows.kind == Event.WRITE, rows.is_atomic & ~rows.is_read
    lags = range(1, MOST_ATOMICS if is_update.any() else 0)
    found = [
        *_pairs(is_change, np.ones_like(is_change)),
        *_pairs(is_write, ~is_write),
        *_pairs(is_change[::-1], rows.is_read[::-1], backwards=True),
        *_pairs(is_write[::-1], ~is_write[::-1], backwards=True),
        *_pairs(is_update, ~rows.is_atomic, lags),
        *_pairs(is_update[::-1], ~rows.is_atomic[::-1], lags, backwards=True),
    ]
    first, second = np.concatenate(found, axis=1)
    numbers = distinct((first * len(rows) + second)[unit[first] == unit[second]])
    pairs = np.stack(np.divmod(numbers, max(1, len(rows))))
    return np.asarray(pairs[:, ~known.is_before(rows.rows(pairs[0]), rows.rows(pairs[1]))])


def _pairs(earlier: Mask, later: Mask, lags: range = range(1), *, backwards: bool = False) -> Iterator[Integers]:
    """Yield pairs of rows for each lag: each of `later`, and of the `earlier` rows before it the last one but `lag`."""
    numbers, chosen = np.flatnonzero(earlier), np.flatnonzero(later)
    last = np.searchsorted(numbers, chosen) - 1
    for lag in lags:
        pairs = np.stack([numbers[last[last >= lag] - lag], chosen[last >= lag]])
        yield np.asarray(len(earlier) - 1 - pairs[::-1] if backwards else pairs)


def _race_of(rows: Accesses, unit: Integers, one: int, other: int) -> Iterator[RacingPair]:
    """Yield the race of two rows of a unit, unless it is harmless."""
    change, beside = (other, one) if rows.kind[one] in (Event.READ, ATOMIC_READ) else (one, other)
    start_of_unit, end = np.searchsorted(unit, [unit[change], unit[change] + 1]).tolist()
    members = rows.rows(np.arange(start_of_unit, end))
    if _conflicts(members, change - start_of_unit)[beside - start_of_unit]:
        between_blocks = bool(rows.block[change] != rows.block[beside])
        yield RacingPair(rows.rows(np.array([change])), rows.rows(np.array([beside])), between_blocks)


def equal_writes(table: Accesses, order: AccessOrder) -> RacingPair | None:
    """Return two unordered writes of one value to one unit: by warps of a block, or else by two blocks."""
    if order.by_clocks:
        return None
    outside = table.rows(~table.is_shared)
    return _equal(table, numbered(table.place, table.block, table.epoch), table.warp) or _equal(
        outside, numbered(outside.place), outside.block, between_blocks=True
    )


def _equal(table: Accesses, group: Integers, owner: Integers, *, between_blocks: bool = False) -> RacingPair | None:
    """Return two writes of the first group in which all writes have one value, and several owners."""
    by_group = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[by_group], prepend=-1))
    owners, values = owner[by_group], table.value[by_group]
    if not len(starts):
        return None
    apart = np.minimum.reduceat(owners, starts) != np.maximum.reduceat(owners, starts)
    equal = np.minimum.reduceat(values, starts) == np.maximum.reduceat(values, starts)
    for first in starts[apart & equal][:1]:
        other = first + int(np.argmax(owners[first:] != owners[first]))
        return RacingPair(table.rows(by_group[[first]]), table.rows(by_group[[other]]), between_blocks)
    return None


def _found(
    table: Accesses, group: Integers, owner: Integers, waits: PartialWaits | None = None
) -> Iterator[RacingPair]:
    """Yield, for each group that has one, a racing pair of accesses by different owners that `waits` do not order."""
    for rows in _suspects(table, group, owner):
        pair = _pair(table.rows(rows), owner[rows], waits)
        if pair:
            yield RacingPair(*pair)


def _suspects(table: Accesses, group: Integers, owner: Integers) -> Iterator[Integers]:
    """Yield the rows of groups that may have a race: two owners, and a write, or an atomic with a non-atomic access."""
    by_group = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[by_group], prepend=-1))
    owners, lengths = owner[by_group], np.diff(starts, append=len(by_group))
    mixed = np.minimum.reduceat(owners, starts) != np.maximum.reduceat(owners, starts)
    mixed &= ~np.logical_and.reduceat(table.is_read[by_group], starts)
    rows = by_group[np.repeat(mixed, lengths)]
    numbers = np.flatnonzero(mixed)[_may_race(table.rows(rows), group[rows])]
    for number in numbers[:: 1 + len(numbers) // MOST_GROUPS]:
        yield by_group[starts[number] :][: min(lengths[number], MOST_ROWS)]


def _may_race(members: Accesses, group: Integers) -> Mask:
    """Mark the groups, one after the other, but for those of atomics, and of one value that only its writers read."""
    starts, is_write, is_atomic = (
        np.flatnonzero(np.diff(group, prepend=-1)),
        members.kind == Event.WRITE,
        members.is_atomic,
    )
    thread = numbered(group, members.block, members.thread)
    first = np.repeat(members.value[starts], np.diff(starts, append=len(group)))  # changes come first in a table
    differs = is_atomic | ~np.isin(thread, thread[is_write]) | is_write & (members.value != first)
    return np.asarray(np.logical_or.reduceat(differs, starts) & ~np.logical_and.reduceat(is_atomic, starts))


def _pair(members: Accesses, owner: Integers, waits: PartialWaits | None) -> tuple[Accesses, Accesses] | None:
    """Return a write and an unordered access by another owner, preferably a read; None without one."""
    changes = np.flatnonzero(~members.is_read)
    for change in changes[:: 1 + len(changes) // MOST_WRITES]:
        others = np.flatnonzero((owner != owner[change]) & _conflicts(members, change))
        reads_first = others[np.argsort(~members.is_read[others], kind="stable")][:MOST_OTHERS]
        for other in reads_first:
            if waits is None or not _are_ordered(members, int(change), int(other), waits):
                return members.rows(np.array([change])), members.rows(np.array([other]))
    return None


def _are_ordered(members: Accesses, change: int, other: int, waits: PartialWaits) -> bool:
    """Whether warp operations with partial masks order two accesses of a warp."""
    return waits.order(*sorted((int(members.event[row]), int(members.thread[row]) % LANES) for row in (change, other)))


def _conflicts(members: Accesses, change: int) -> Mask:
    """Mark the accesses that conflict with a write or an atomic."""
    if members.is_atomic[change]:
        return ~members.is_atomic
    same_value = (members.kind == Event.WRITE) & (members.value == members.value[change])
    return np.asarray(~same_value & ~_read_own(members))


def _read_own(members: Accesses) -> Mask:
    """Mark the reads by threads that also write the unit, if all writes have one value."""
    writes = members.rows(members.kind == Event.WRITE)
    if (writes.value != writes.value[:1]).any():
        return np.zeros(len(members), np.bool_)
    own = np.isin(members.block << 11 | members.thread, writes.block << 11 | writes.thread)
    return np.asarray(members.is_read & own)
