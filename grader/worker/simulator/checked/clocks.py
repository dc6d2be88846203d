"""Vector clocks: up to which event each thread knows what the others have done (Lamport 1978, Fidge 1988).

A clock has two numbers for each warp: one for its accesses, one for its asynchronous copies, which it starts and which
end later. A number counts the events of the trace before which all of them are known. Threads of a warp share the two
numbers, so that a thread that tells others what it has done tells the same of its whole warp: no order is overlooked.

A thread has four such clocks, the rows of an array (`ClockPart`): what it knows; what of it the block, and the device,
can see once they see an atomic of the thread; and what it would know if atomics needed no fences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.checked.accesses import Accesses, Integers, Mask
from grader.worker.simulator.engine.trace import Events
from grader.worker.simulator.generate.traces import Event

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
        self._clocks = [np.zeros((len(ClockPart), 2 * warps), np.int32)]
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

    def told(self, warp: int, lanes: Mask, event: int) -> Clock:
        """Return new clocks that know what some lanes know and have done before and at an event."""
        clock = self.joined(self.numbers(warp, lanes))
        for part in (ClockPart.KNOWN, ClockPart.LOOSE):
            clock[part, 2 * warp] = max(clock[part, 2 * warp], event + 1)
        return clock

    def learn(self, event: int, warp: int, lanes: Mask, clock: Clock) -> None:
        """Let some lanes know what a clock knows, after an event."""
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
        return Knowledge(clocks, keys, numbers, owner, events["kind"] == Event.COPY, until)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What each thread knows at each event before `until`: its clock, of which there is a new one whenever it learns.

    `clocks` has for each what it knows, and what it would know if atomics needed no fences. `owner` has the number of
    each event's warp in the launch.
    """

    clocks: NDArray[np.int32]
    keys: Integers
    numbers: NDArray[np.int32]
    owner: Integers
    is_copy: Mask
    until: int

    def are_alike(self) -> Mask:
        """Return for each event whether all lanes of its warp know the same."""
        alike = (self.numbers == self.numbers[:, :1]).all(axis=1)
        return np.asarray(alike[self._last_changes(self.owner, np.arange(len(self.owner)))])

    def _last_changes(self, warp: Integers, event: Integers) -> Integers:
        return np.asarray(np.searchsorted(self.keys, warp * (len(self.owner) + 2) + event + 1) - 1)

    def is_before(self, first: Accesses, second: Accesses) -> Mask:
        """Return, row by row, whether the first access is over when the second begins."""
        warp, is_copy = self.owner[first.event], self.is_copy[first.event]
        change = self._last_changes(self.owner[second.event], second.event)
        clock = self.numbers[change, second.thread % LANES]
        known = self.clocks[clock, first.is_atomic.astype(np.int64), 2 * warp + is_copy] > first.event
        same_warp = (first.block == second.block) & (first.warp == second.warp)
        in_turn = same_warp & ((first.thread == second.thread) | (first.turn < second.turn))
        return np.asarray(known | (in_turn & ~is_copy) | (second.event >= self.until))
