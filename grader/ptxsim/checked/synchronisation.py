"""Happens-before between the threads of a launch, computed event by event with the vector clocks of `vector_clocks.py`.

- When a barrier opens, all threads that wait there acquire the clocks of all that arrived; bar.arrive acquires nothing.
- In a warp operation, each lane acquires the clocks of the lanes in its mask.
- A fence followed by an atomic, or by a volatile write to a flag, publishes the thread's clock to threads that read the
  location afterwards. Without the fence, it orders atomics only. A fence for the block (__threadfence_block) publishes
  nothing to other blocks. A barrier may be between fence and atomic. An exchange that leaves a value as it was
  publishes nothing, since the value does not tell of it. The reader needs no fence: CUDA's own samples have none.
- An arrival at an mbarrier publishes to threads whose wait begins after the end of the phase.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush

import numpy as np

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import acting
from grader.ptxsim.checked.barrier_lines import Arrival, EarlyArrival, early_arrival
from grader.ptxsim.checked.copy_waits import copy_ends
from grader.ptxsim.checked.signals import SignalPlace, at_signals, place_of
from grader.ptxsim.checked.vector_clocks import Clock, ClockPart, Knowledge, VectorClocks
from grader.ptxsim.engine.trace import Events, Integers, Mask, warps_of
from grader.ptxsim.generate.traces import ALL_COPIES, ARRIVES_ONLY, EXPECTED_BITS, Event, How

_MEMBERS = (1 << LANES) - 1
_NEVER = 1 << 40
_PUBLISHES, _ACQUIRES = int(How.PUBLISHES), int(How.ACQUIRES)
MOST_PUBLICATIONS = 40_000  # publications and acquisitions through memory; so many take about four seconds


@dataclass(slots=True)
class _Object:
    """An mbarrier: the arrivals of a phase, expected and pending, and the clocks of arrivals and of ended phases."""

    arrived: Clock
    done: Clock
    expected: int = 0
    pending: int = 0


@dataclass(slots=True)
class _Barrier:
    """The arrivals at a barrier that has not opened, and the number of threads."""

    arrived: list[Arrival] = field(default_factory=list)
    threads: int = 0


def knowledge(events: Events) -> Knowledge:
    """Return the clocks of the threads at each event."""
    return _Synchronisation(events).run()


class _Synchronisation:
    def __init__(self, events: Events) -> None:
        self._events, self._acts = events, acting(events)
        self._blocks, self._how = events["block"].tolist(), events["how"].tolist()
        owners, self._owner = np.unique(warps_of(events), return_inverse=True)
        self._clocks = VectorClocks(len(owners))
        self._at_signals = at_signals(events, self._acts)
        self._publications = 0
        self._places: dict[int, SignalPlace] = {}
        self._objects: dict[int, _Object] = {}
        self._barriers: dict[tuple[int, int], _Barrier] = {}
        self._ended: dict[tuple[int, int], list[Arrival]] = {}
        self._early: EarlyArrival | None = None
        self._due: list[tuple[int, tuple[int, int], _Barrier]] = []
        self._complete = _complete_copies(events)
        self._by_warp = [np.flatnonzero(self._owner == warp) for warp in range(len(owners))]

    def run(self) -> Knowledge:
        kinds = self._events["kind"]
        handlers: dict[int, Callable[[int], None]] = {
            Event.BARRIER: self._barrier,
            Event.WARP: self._warp_operation,
            Event.FENCE: self._fence,
            Event.OBJECT: self._object,
            Event.WAIT: self._wait,
        }
        chosen = np.isin(kinds, tuple(handlers))
        chosen[list(self._at_signals)] = True
        handlers |= dict.fromkeys((Event.ATOMIC, Event.READ, Event.WRITE), self._access)
        until = len(self._events)
        for event in np.flatnonzero(chosen).tolist():
            if self._clocks.is_full or self._publications > MOST_PUBLICATIONS:
                until = event
                break
            self._open_before(event)
            handlers[int(kinds[event])](event)
        self._open_before(_NEVER)
        known = self._clocks.knowledge(self._events, self._owner, until)
        return replace(known, early_arrival=self._early)

    def _barrier(self, event: int) -> None:
        warp, lanes = int(self._owner[event]), self._acts[event]
        word = int(self._events["words"][event, int(lanes.argmax())])
        key = self._blocks[event], word >> EXPECTED_BITS
        expected = (word & (1 << EXPECTED_BITS) - 1) >> 1
        barrier = self._barriers.setdefault(key, _Barrier())
        arrival = Arrival(warp, lanes, event, not word & ARRIVES_ONLY)
        self._judge(key, expected, arrival)
        barrier.arrived.append(arrival)
        barrier.threads += int(lanes.sum())
        if barrier.threads >= expected:
            self._open(key, event)
        elif arrival.waits:
            heappush(self._due, (self._next(warp, lanes, event), key, barrier))

    def _judge(self, key: tuple[int, int], expected: int, arrival: Arrival) -> None:
        ended = self._ended.get(key)
        if ended and not self._early:
            clock = self._clocks.joined(self._clocks.numbers(arrival.warp, arrival.lanes))
            known = self._clocks.of_accesses(clock[ClockPart.LOOSE])
            self._early = early_arrival(key[1], expected, arrival, known, ended)

    def _next(self, warp: int, lanes: Mask, event: int) -> int:
        """Return the next event of these lanes; the barrier at which they wait has opened before it."""
        own = self._by_warp[warp]
        later = own[np.searchsorted(own, event, side="right") :]
        if len(later) and (self._acts[later[0]] & lanes).any():
            return int(later[0])
        found = later[(self._acts[later] & lanes).any(axis=1)][:1]
        return int(found[0]) if len(found) else _NEVER - event

    def _open_before(self, event: int) -> None:
        """Open the barriers whose waiting lanes have their next event at this one or before.

        Barriers do not wait for threads that have returned.
        """
        while self._due and self._due[0][0] <= event:
            due, key, barrier = heappop(self._due)
            if self._barriers.get(key) is barrier:
                self._open(key, min(due, len(self._events)) - 1)

    def _open(self, key: tuple[int, int], event: int) -> None:
        clock, arrived = self._clocks.none(), self._barriers.pop(key).arrived
        for arrival in arrived:
            np.maximum(clock, self._clocks.published(arrival.warp, arrival.lanes, arrival.event), out=clock)
        for arrival in arrived:
            if arrival.waits:
                self._clocks.acquire(event, arrival.warp, arrival.lanes, clock)
        self._ended[key] = arrived

    def _warp_operation(self, event: int) -> None:
        warp, acts = int(self._owner[event]), self._acts[event]
        masks = self._events["words"][event] & _MEMBERS
        groups = [
            (acts & (masks == mask), acts & (mask >> np.arange(LANES) & 1 == 1)) for mask in set(masks[acts].tolist())
        ]
        groups = [(lanes, members) for lanes, members in groups if members.any()]
        self._publications += max(0, len(groups) - 1)
        for lanes, members in groups:
            self._clocks.lanes.wait(warp, lanes, members, event)
        if len(self._clocks.numbers(warp, acts)) == 1:
            return
        published = [self._clocks.joined(self._clocks.numbers(warp, members)) for _, members in groups]
        for (lanes, _), clock in zip(groups, published, strict=True):
            self._clocks.acquire(event, warp, lanes, clock)

    def _fence(self, event: int) -> None:
        parts = (ClockPart.OF_BLOCK, ClockPart.OF_DEVICE)[: 1 + bool(self._events["how"][event] & How.DEVICE)]
        self._clocks.publish(event, int(self._owner[event]), self._acts[event], parts)

    def _wait(self, event: int) -> None:
        """Handle cp.async.wait_group and wait_all: copies are complete for the lanes that have started them."""
        clock = self._clocks.none()
        all_copies = self._events["size"][event] == ALL_COPIES
        clock[[ClockPart.KNOWN, ClockPart.LOOSE], 2 * int(self._owner[event]) + 1] = (
            event + 1 if all_copies else self._complete.get(event, 0)
        )
        self._clocks.acquire(event, int(self._owner[event]), self._acts[event], clock)

    def _access(self, event: int) -> None:
        for number, lanes in self._at_signals[event]:
            if number not in self._places:
                self._places[number] = SignalPlace(self._clocks.none())
            self._at_place(event, self._places[number], self._blocks[event], lanes)

    def _at_place(self, event: int, place: SignalPlace, block: int, lanes: Mask) -> None:
        how, warp = self._how[event], int(self._owner[event])
        self._publications += 1
        if how & _PUBLISHES:
            place.publish(block, self._clocks.published(warp, lanes, event), how)
        if how & _ACQUIRES:
            acquired = place.acquired(block, warp, int(self._events["mask"][event]))
            if acquired is not None:
                self._clocks.acquire(event, warp, lanes, acquired)

    def _object(self, event: int) -> None:
        how = self._how[event]
        places, acts = place_of(self._events["block"][[event]], self._events["words"][event]), self._acts[event]
        warp = int(self._owner[event])
        for number in set(places[acts].tolist()):
            self._publications += 1
            lanes = acts & (places == number)
            if number not in self._objects:
                self._objects[number] = _Object(self._clocks.none(), self._clocks.none())
            item = self._objects[number]
            counts = self._counts(event, lanes)
            if how & How.INIT:
                item.expected = item.pending = int(counts.max(initial=0))
            elif how & How.ARRIVE:
                self._arrive(item, event, lanes, how, int(counts.sum()))
            else:
                self._clocks.acquire(event, warp, lanes, item.done)

    def _counts(self, event: int, lanes: Mask) -> Integers:
        behind = min(event + 1, len(self._events) - 1)
        is_values = self._events["kind"][behind] == Event.VALUES
        return np.asarray(self._events["words"][behind, lanes] if is_values else np.zeros(0, np.int64))

    def _arrive(self, item: _Object, event: int, lanes: Mask, how: int, count: int) -> None:
        warp = int(self._owner[event])
        if how & How.COPIES:
            item.arrived[[ClockPart.KNOWN, ClockPart.LOOSE], 2 * warp + 1] = event + 1
        else:
            np.maximum(item.arrived, self._clocks.published(warp, lanes, event), out=item.arrived)
        item.expected -= count if how & How.DROP else 0
        item.pending -= count
        if item.pending <= 0:
            np.maximum(item.done, item.arrived, out=item.done)
            item.pending = item.expected + min(0, item.pending)


def _complete_copies(events: Events) -> dict[int, int]:
    """Return, for each event that waits for copies, the number of events up to the last copy for which it waits."""
    ends = copy_ends(events)
    if ends is None:
        return {}
    copies = np.flatnonzero(events["kind"] == Event.COPY)
    row, lane = np.nonzero(acting(events[copies]))
    return dict(zip(ends[copies[row], lane].tolist(), (copies[row] + 1).tolist(), strict=True))  # the last copy wins
