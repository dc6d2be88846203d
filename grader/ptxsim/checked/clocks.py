"""Vector clocks: up to which event each thread knows what the others have done (Lamport 1978, Fidge 1988).

A clock has three numbers for each warp: one for its accesses, one for its asynchronous copies, which it starts and
which end later, and one for what its lanes have told last. The first two count the events of the trace before which all
of them are known. Threads of a warp share them, as if a thread that tells others what it has done told the same of its
whole warp; the third says of which lanes it did (`lanes_of_warps.py`).

A thread has four such clocks, the rows of an array (`ClockPart`): what it knows; what of it the block, and the device,
can see once they see an atomic of the thread; and what it would know if atomics needed no fences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import Accesses, Integers, Mask
from grader.ptxsim.checked.barrier_phases import Stray
from grader.ptxsim.checked.copies import sources
from grader.ptxsim.checked.lanes_of_warps import LanesOfWarps, Told
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.traces import Event

MOST_NUMBERS = 25_000_000  # in all clocks of a launch: 100 MB
Clock = NDArray[np.int32]


class ClockPart(IntEnum):
    """One of the clocks of a thread."""

    KNOWN = 0
    OF_BLOCK = 1  # what a fence for the block has made visible
    OF_DEVICE = 2  # what a fence for the device has made visible
    LOOSE = 3  # what atomics alone tell, which orders atomics only


class VectorClocks:
    """The clocks of the threads of a launch, while its events are looked at one after the other."""

    def __init__(self, warps: int) -> None:
        self.lanes = LanesOfWarps(warps)
        self._tells = 2 * warps  # where the third numbers begin
        self._clocks = [np.zeros((len(ClockPart), 3 * warps), np.int32)]
        self._numbers = np.zeros((warps, LANES), np.int32)  # each thread's clock in that list
        self._alike = [True] * warps
        self._changes = [[(-1, self._numbers[0].copy())] for _ in range(warps)]

    @property
    def is_full(self) -> bool:
        """Whether there is no room for more."""
        return len(self._clocks) * self._clocks[0].size > MOST_NUMBERS

    def are_alike(self, warp: int) -> bool:
        """Whether all lanes of a warp know the same."""
        return self._alike[warp]

    def numbers(self, warp: int, lanes: Mask) -> list[int]:
        """Return the numbers of the clocks that some lanes have."""
        if self._alike[warp]:
            return [int(self._numbers[warp, 0])]
        return sorted(set(self._numbers[warp, lanes].tolist()))

    def none(self) -> Clock:
        """Return a new clock that knows of nothing."""
        return np.zeros_like(self._clocks[0])

    def joined(self, numbers: list[int]) -> Clock:
        """Return a new clock that knows what these know."""
        if len(numbers) == 1:
            return self._clocks[numbers[0]].copy()
        return np.asarray(np.maximum.reduce([self._clocks[number] for number in numbers]))

    def of_accesses(self, part: Integers) -> Integers:
        """Return up to which event a part of a clock knows the accesses of each warp."""
        return part[: self._tells : 2]

    def told(self, warp: int, lanes: Mask, event: int) -> Clock:
        """Return new clocks that know what some lanes know and have done before and at an event."""
        clock = self.joined(self.numbers(warp, lanes))
        for part in (ClockPart.KNOWN, ClockPart.LOOSE):
            clock[part, 2 * warp] = max(clock[part, 2 * warp], event + 1)
        clock[:, self._tells + warp] = self.lanes.tell(warp, lanes, event)
        return clock

    def learn(self, event: int, warp: int, lanes: Mask, clock: Clock) -> None:
        """Let some lanes know what a clock knows, after an event."""
        self.lanes.hear(warp, lanes, int(clock[ClockPart.KNOWN, self._tells + warp]))
        numbers = self.numbers(warp, lanes)
        news = {number: np.maximum(self._clocks[number], clock) for number in numbers}
        news = {number: new for number, new in news.items() if (new != self._clocks[number]).any()}
        if news:
            self._replace(event, warp, lanes, news)

    def publish(self, event: int, warp: int, lanes: Mask, parts: Sequence[ClockPart]) -> None:
        """Make visible what some lanes know, and have done before an event."""
        news = {}
        for number in self.numbers(warp, lanes):
            new = self._clocks[number].copy()
            for part in parts:
                new[part] = new[ClockPart.KNOWN]
                new[part, 2 * warp] = event + 1
            news[number] = new
        self._replace(event, warp, lanes, news)

    def _replace(self, event: int, warp: int, lanes: Mask, news: Mapping[int, Clock]) -> None:
        """Give some lanes new clocks instead of those with these numbers, after an event."""
        before = self._numbers[warp].copy()
        for number, new in news.items():
            self._numbers[warp, lanes & (before == number)] = len(self._clocks)
            self._clocks.append(new)
        after = self._numbers[warp].copy()
        self._alike[warp] = bool((after == after[0]).all())
        self._changes[warp].append((event, after))

    def knowledge(self, events: Events, owner: Integers, until: int) -> Knowledge:
        """Return what has been learned up to an event."""
        span = len(events) + 2
        rows = [(warp * span + event + 1, numbers) for warp, own in enumerate(self._changes) for event, numbers in own]
        keys, numbers = np.array([key for key, _ in rows], np.int64), np.array([own for _, own in rows], np.int32)
        clocks = np.array(self._clocks)[:, [ClockPart.KNOWN, ClockPart.LOOSE]]
        by_copies = events["kind"] == Event.COPY
        by_copies[sources(events)] = True
        return Knowledge(clocks, keys, numbers, owner, by_copies, until, self.lanes.told())


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What each thread knows at each event before `until`: its clock, of which there is a new one whenever it learns.

    `clocks` has for each what it knows, and what it would know if atomics needed no fences. `owner` has the number of
    each event's warp in the launch. `is_copy` says which are accesses of asynchronous copies, to what they read and
    to what they write. `stray` is the first arrival at a barrier that may
    belong to the phase before.
    """

    clocks: NDArray[np.int32]
    keys: Integers
    numbers: NDArray[np.int32]
    owner: Integers
    is_copy: Mask
    until: int
    told: Told
    stray: Stray | None = None

    @property
    def is_partial(self) -> bool:
        """Whether there was no room for what is known at the last events."""
        return self.until < len(self.owner)

    def are_alike(self) -> Mask:
        """Return for each event whether all lanes of its warp know the same."""
        alike = (self.numbers == self.numbers[:, :1]).all(axis=1)
        return np.asarray(alike[self._last_changes(self.owner, np.arange(len(self.owner)))])

    def _last_changes(self, warp: Integers, event: Integers) -> Integers:
        return np.asarray(np.searchsorted(self.keys, warp * (len(self.owner) + 2) + event + 1) - 1)

    def is_before(self, first: Accesses, second: Accesses) -> Mask:
        """Return, row by row, whether the first access is over when the second begins."""
        is_copy, same_warp = self.is_copy[first.event], _same_warp(first, second)
        in_turn = same_warp & ((first.thread == second.thread) | (first.turn < second.turn))
        known = self._of_warp(first, second) & (self._of_lane(first, second) | same_warp | is_copy)
        return np.asarray(known | (in_turn & ~is_copy) | (second.event >= self.until))

    def told_too_early(self, first: Accesses, second: Accesses) -> Integers:
        """Return, row by row, the event that told of the first access's warp, but not of its lane; -1 if none did."""
        early = self._of_warp(first, second) & ~self._of_lane(first, second) & ~_same_warp(first, second)
        warp = self.owner[first.event]
        return np.where(early, self.told.event(warp, self._tell(first, second)), -1)

    def _of_warp(self, first: Accesses, second: Accesses) -> Mask:
        warp, is_copy = self.owner[first.event], self.is_copy[first.event]
        known = self.clocks[self._clock(second), first.is_atomic.astype(np.int64), 2 * warp + is_copy]
        return np.asarray(known > first.event)

    def _of_lane(self, first: Accesses, second: Accesses) -> Mask:
        number = self._tell(first, second)
        return self.told.covers(self.owner[first.event], number, first.thread % LANES, first.event)

    def _tell(self, first: Accesses, second: Accesses) -> Integers:
        """Return the number of what the second access's lane has heard last of the first access's warp."""
        column = 2 * len(self.told.starts) + self.owner[first.event]
        return np.asarray(self.clocks[self._clock(second), first.is_atomic.astype(np.int64), column])

    def _clock(self, table: Accesses) -> Integers:
        change = self._last_changes(self.owner[table.event], table.event)
        return np.asarray(self.numbers[change, table.thread % LANES])


def _same_warp(first: Accesses, second: Accesses) -> Mask:
    return np.asarray((first.block == second.block) & (first.warp == second.warp))
