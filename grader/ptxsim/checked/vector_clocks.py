"""Vector clocks: the events of other threads that happen before each point of a thread (Lamport 1978, Fidge 1988).

A clock has three numbers for each warp. The first is an event: all accesses of the warp before it happen before. The
second is the same for the warp's asynchronous copies, which end later than they start. These two do not distinguish the
lanes of a warp, as if a lane that publishes its accesses published those of the whole warp. The third is the number of
the last publication by the warp's lanes, which determines the lanes that it covers.

Lanes do not run in lockstep, and a lane that publishes may not have synchronised with the other lanes: then it
publishes its own accesses only. Therefore each lane has a row: for each lane of its warp, the event up to which the
accesses of that lane happen before. A publication covers the maximum of all rows published until then. A lane that
acquires one therefore acquires all earlier ones: this may hide a race, but never reports a false one.

A thread has four clocks, the rows of an array (`ClockPart`): all that happens before; the parts of it that its next
atomic publishes to the block, and to the device; and all that would happen before if atomics needed no fences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import Accesses
from grader.ptxsim.checked.barrier_lines import EarlyArrival
from grader.ptxsim.checked.copy_waits import source_reads
from grader.ptxsim.engine.trace import Events, Integers, Mask
from grader.ptxsim.generate.traces import Event

Rows = NDArray[np.int32]


class LanesOfWarps:
    """The rows of the lanes of all warps while the events of a launch are processed in order."""

    def __init__(self, warps: int) -> None:
        self._rows = np.zeros((warps, LANES, LANES), np.int32)
        self._covered: list[list[Rows]] = [[np.zeros(LANES, np.int32)] for _ in range(warps)]

    def wait(self, warp: int, lanes: Mask, members: Mask, event: int) -> None:
        """Let these lanes acquire the rows and the accesses of the members of a mask, in a warp operation."""
        self._rows[warp, lanes] = self._joined(warp, members, event)

    def publish(self, warp: int, lanes: Mask, event: int) -> int:
        """Publish the rows of these lanes in an event, and return the number of the publication."""
        covered = self._covered[warp]
        covered.append(np.maximum(covered[-1], self._joined(warp, lanes, event)))
        return len(covered) - 1

    def acquire(self, warp: int, lanes: Mask, number: int) -> None:
        """Let lanes of a warp acquire a publication by lanes of the same warp."""
        if number:
            self._rows[warp, lanes] = np.maximum(self._rows[warp, lanes], self._covered[warp][number])

    def publications(self) -> Publications:
        """Return all publications."""
        counts = [len(own) for own in self._covered]
        starts = np.cumsum([0, *counts[:-1]])
        return Publications(np.concatenate([np.array(own) for own in self._covered]), starts)

    def _joined(self, warp: int, members: Mask, event: int) -> Rows:
        joined = np.asarray(self._rows[warp, members].max(axis=0, initial=0))
        joined[members] = event + 1
        return joined


@dataclass(frozen=True, slots=True)
class Publications:
    """The publications of all warps: for each, the event up to which it covers each lane (N x 32).

    Those of a warp begin at its index in `starts`.
    """

    covered: Rows
    starts: Integers

    def covers(self, warp: Integers, number: Integers, lane: Integers, event: Integers) -> Mask:
        """Return, row by row, whether a publication covers a lane's access in an event."""
        return np.asarray(self.covered[self.starts[warp] + number, lane] > event)


MOST_NUMBERS = 25_000_000  # in all clocks of a launch: 100 MB
Clock = NDArray[np.int32]


class ClockPart(IntEnum):
    """One of the clocks of a thread."""

    KNOWN = 0
    OF_BLOCK = 1  # made visible by a fence for the block
    OF_DEVICE = 2  # made visible by a fence for the device
    LOOSE = 3  # published by atomics without fences, which orders atomics only


class VectorClocks:
    """The clocks of the threads of a launch while its events are processed in order."""

    def __init__(self, warps: int) -> None:
        self.lanes = LanesOfWarps(warps)
        self._publications = 2 * warps  # the index of the first of the third numbers
        self._clocks = [np.zeros((len(ClockPart), 3 * warps), np.int32)]
        self._numbers = np.zeros((warps, LANES), np.int32)  # the index of each thread's clock in that list
        self._alike = [True] * warps
        self._changes = [[(-1, self._numbers[0].copy())] for _ in range(warps)]

    @property
    def is_full(self) -> bool:
        """Whether the clocks have reached the limit of memory."""
        return len(self._clocks) * self._clocks[0].size > MOST_NUMBERS

    def numbers(self, warp: int, lanes: Mask) -> list[int]:
        """Return the indices of the clocks of these lanes."""
        if self._alike[warp]:
            return [int(self._numbers[warp, 0])]
        return sorted(set(self._numbers[warp, lanes].tolist()))

    def none(self) -> Clock:
        """Return a new clock of zeros."""
        return np.zeros_like(self._clocks[0])

    def joined(self, numbers: list[int]) -> Clock:
        """Return a new clock, the maximum of those with these indices."""
        if len(numbers) == 1:
            return self._clocks[numbers[0]].copy()
        return np.asarray(np.maximum.reduce([self._clocks[number] for number in numbers]))

    def of_accesses(self, part: Integers) -> Integers:
        """Return the first number of each warp in a part of a clock."""
        return part[: self._publications : 2]

    def published(self, warp: int, lanes: Mask, event: int) -> Clock:
        """Return a clock that publishes the clocks of these lanes, and their accesses up to and including an event."""
        clock = self.joined(self.numbers(warp, lanes))
        for part in (ClockPart.KNOWN, ClockPart.LOOSE):
            clock[part, 2 * warp] = max(clock[part, 2 * warp], event + 1)
        clock[:, self._publications + warp] = self.lanes.publish(warp, lanes, event)
        return clock

    def acquire(self, event: int, warp: int, lanes: Mask, clock: Clock) -> None:
        """Let these lanes acquire a clock after an event."""
        self.lanes.acquire(warp, lanes, int(clock[ClockPart.KNOWN, self._publications + warp]))
        numbers = self.numbers(warp, lanes)
        news = {number: np.maximum(self._clocks[number], clock) for number in numbers}
        news = {number: new for number, new in news.items() if (new != self._clocks[number]).any()}
        if news:
            self._replace(event, warp, lanes, news)

    def publish(self, event: int, warp: int, lanes: Mask, parts: Sequence[ClockPart]) -> None:
        """Make the clocks of these lanes, and their accesses up to an event, visible in `parts`, as a fence does."""
        news = {}
        for number in self.numbers(warp, lanes):
            new = self._clocks[number].copy()
            for part in parts:
                new[part] = new[ClockPart.KNOWN]
                new[part, 2 * warp] = event + 1
            news[number] = new
        self._replace(event, warp, lanes, news)

    def _replace(self, event: int, warp: int, lanes: Mask, news: Mapping[int, Clock]) -> None:
        """Replace clocks of these lanes after an event; the keys of `news` are the indices of the old ones."""
        before = self._numbers[warp].copy()
        for number, new in news.items():
            self._numbers[warp, lanes & (before == number)] = len(self._clocks)
            self._clocks.append(new)
        after = self._numbers[warp].copy()
        self._alike[warp] = bool((after == after[0]).all())
        self._changes[warp].append((event, after))

    def knowledge(self, events: Events, owner: Integers, until: int) -> Knowledge:
        """Return the clocks of all threads up to an event."""
        span = len(events) + 2
        rows = [(warp * span + event + 1, numbers) for warp, own in enumerate(self._changes) for event, numbers in own]
        keys, numbers = np.array([key for key, _ in rows], np.int64), np.array([own for _, own in rows], np.int32)
        clocks = np.array(self._clocks)[:, [ClockPart.KNOWN, ClockPart.LOOSE]]
        by_copies = events["kind"] == Event.COPY
        by_copies[source_reads(events)] = True
        return Knowledge(clocks, keys, numbers, owner, by_copies, until, self.lanes.publications())


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The clock of each thread at each event before `until`.

    `clocks` has two parts for each: KNOWN and LOOSE. A row of `numbers` has the indices of the clocks of a warp's lanes
    after the event that its key in `keys` encodes. `owner` is the number of each event's warp in the launch. `is_copy`
    marks events in which asynchronous copies read or write. `early_arrival` is the first arrival at a barrier that may
    belong to the previous phase.
    """

    clocks: NDArray[np.int32]
    keys: Integers
    numbers: NDArray[np.int32]
    owner: Integers
    is_copy: Mask
    until: int
    publications: Publications
    early_arrival: EarlyArrival | None = None

    @property
    def is_partial(self) -> bool:
        """Whether the clocks of the last events are missing for lack of memory."""
        return self.until < len(self.owner)

    def are_alike(self) -> Mask:
        """Mark the events at which all lanes of the warp have the same clock."""
        alike = (self.numbers == self.numbers[:, :1]).all(axis=1)
        return np.asarray(alike[self._last_changes(self.owner, np.arange(len(self.owner)))])

    def _last_changes(self, warp: Integers, event: Integers) -> Integers:
        return np.asarray(np.searchsorted(self.keys, warp * (len(self.owner) + 2) + event + 1) - 1)

    def is_before(self, first: Accesses, second: Accesses) -> Mask:
        """Return, row by row, whether the first access happens before the second."""
        is_copy, same_warp = self.is_copy[first.event], _same_warp(first, second)
        in_turn = same_warp & ((first.thread == second.thread) | (first.warp_epoch < second.warp_epoch))
        known = self._of_warp(first, second) & (self._of_lane(first, second) | same_warp | is_copy)
        return np.asarray(known | (in_turn & ~is_copy) | (second.event >= self.until))

    def are_published_too_early(self, first: Accesses, second: Accesses) -> Mask:
        """Return, row by row, whether an event published the first access's warp but not its lane."""
        return self._of_warp(first, second) & ~self._of_lane(first, second) & ~_same_warp(first, second)

    def _of_warp(self, first: Accesses, second: Accesses) -> Mask:
        warp, is_copy = self.owner[first.event], self.is_copy[first.event]
        known = self.clocks[self._clock(second), first.is_atomic.astype(np.int64), 2 * warp + is_copy]
        return np.asarray(known > first.event)

    def _of_lane(self, first: Accesses, second: Accesses) -> Mask:
        number = self._publication(first, second)
        return self.publications.covers(self.owner[first.event], number, first.thread % LANES, first.event)

    def _publication(self, first: Accesses, second: Accesses) -> Integers:
        """Return the number of the last publication of the first access's warp that the second's lane has acquired."""
        column = 2 * len(self.publications.starts) + self.owner[first.event]
        return np.asarray(self.clocks[self._clock(second), first.is_atomic.astype(np.int64), column])

    def _clock(self, table: Accesses) -> Integers:
        change = self._last_changes(self.owner[table.event], table.event)
        return np.asarray(self.numbers[change, table.thread % LANES])


def _same_warp(first: Accesses, second: Accesses) -> Mask:
    return np.asarray((first.block == second.block) & (first.warp == second.warp))
