"""What orders the warps of a block with barriers for some of its threads: who has heard of whom.

Each warp knows up to which arrival it has heard of every other (a vector clock: Lamport 1978, Fidge 1988). A barrier
that opens tells all that waited there what those know that had arrived; bar.arrive tells, and does not listen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.checked.accesses import Accesses, Integers, Mask, acting
from grader.worker.simulator.engine.trace import Events
from grader.worker.simulator.generate.traces import ARRIVES_ONLY, EXPECTED_BITS, Event

NEVER = 1 << 60


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Of each warp behind each of its arrivals: up to which arrival it has heard of every warp.

    `heard` has a row for each arrival, and as many columns as a block has warps; `starts` is the first row of each
    warp (before its first arrival), by block and warp; `blocks` are the numbers of the blocks.
    """

    blocks: Integers
    starts: Integers
    heard: NDArray[np.int32]

    def is_before(self, first: Accesses, second: Accesses) -> Mask:
        """Return, row by row, whether the second access knows of the first. Rows of one warp are ordered."""
        block = np.searchsorted(self.blocks, second.block)
        heard = self.heard[self.starts[block, second.warp] + second.epoch, first.warp]
        return np.asarray((heard > first.epoch) | (first.warp == second.warp))


@dataclass(frozen=True, slots=True)
class _Arrival:
    """The arrival of a warp at a barrier: how many threads, the barrier, how many it expects, whether the warp waits.

    `number` is the number of the event, `following` that of the next one of the warp.
    """

    warp: int
    threads: int
    barrier: int
    expected: int
    waits: bool
    following: int
    number: int


@dataclass(slots=True)
class _Barrier:
    """The arrivals at a barrier that has not opened: warp, its arrivals so far, whether it waits; threads in all."""

    arrived: list[tuple[int, int, bool]] = field(default_factory=list)
    threads: int = 0


def arrive_as_warps(events: Events, threads: int) -> bool:
    """Whether all lanes of a warp arrive at barriers together, and not one by one."""
    arrivals = events[events["kind"] == Event.BARRIER]
    words, acts = arrivals["words"], acting(arrivals)
    whole = acts.sum(axis=1) == np.minimum(LANES, threads - arrivals["warp"] * LANES)
    same = ((words == words[np.arange(len(words)), acts.argmax(axis=1)][:, None]) | ~acts).all(axis=1)
    return bool((whole & same).all())


def knowledge(events: Events, threads: int) -> Knowledge:
    """Return what warps know of each other, in a launch in which they arrive as warps."""
    is_barrier = events["kind"] == Event.BARRIER
    blocks, block = np.unique(events["block"], return_inverse=True)
    warps = -(-threads // LANES)
    owner = block[is_barrier] * warps + events["warp"][is_barrier]
    rows = np.bincount(owner, minlength=len(blocks) * warps) + 1
    starts = (np.cumsum(rows) - rows).reshape(len(blocks), warps)
    heard = np.zeros((int(rows.sum()), warps), np.int32)
    follows = _next_events(events, block)
    for number in range(len(blocks)):
        own = np.flatnonzero(is_barrier & (block == number))
        _run(_arrivals(events[own], follows[own], own), [heard[start:] for start in starts[number]])
    return Knowledge(blocks, starts, heard)


def _next_events(events: Events, block: Integers) -> Integers:
    """Return the number of the event that follows in the same warp, for each event."""
    owner = block << 6 | events["warp"]
    order = np.argsort(owner, kind="stable")
    follows = np.full(len(events), NEVER, np.int64)
    same = owner[order][1:] == owner[order][:-1]
    follows[order[:-1][same]] = order[1:][same]
    return follows


def _arrivals(events: Events, follows: Integers, numbers: Integers) -> Iterator[_Arrival]:
    """Yield the arrivals of a block."""
    acts = acting(events)
    words = events["words"][np.arange(len(events)), acts.argmax(axis=1)]
    columns = events["warp"], acts.sum(axis=1), words, follows, numbers
    for warp, threads, word, following, number in zip(*(column.tolist() for column in columns), strict=True):
        expected = (word & (1 << EXPECTED_BITS) - 1) >> 1
        yield _Arrival(warp, threads, word >> EXPECTED_BITS, expected, not word & ARRIVES_ONLY, following, number)


def _run(arrivals: Iterable[_Arrival], heard: Sequence[NDArray[np.int32]]) -> None:
    """Fill in what the warps of a block know, from their arrivals in order: `heard` of each warp.

    A barrier opens with the arrival that makes its threads complete, or before a warp that waits there goes on: threads
    that have returned are not waited for. What arrives at it in between counts as heard of, which hides no order.
    """
    barriers: dict[int, _Barrier] = {}
    waiting: dict[int, _Arrival] = {}  # by warp
    made = [0] * len(heard)
    for arrival in arrivals:
        for name in {other.barrier for other in waiting.values() if other.following <= arrival.number}:
            _open(barriers.pop(name, _Barrier()), heard, waiting)
        warp = arrival.warp
        made[warp] += 1
        heard[warp][made[warp]] = heard[warp][made[warp] - 1]
        heard[warp][made[warp], warp] = made[warp]
        barrier = barriers.setdefault(arrival.barrier, _Barrier())
        barrier.arrived.append((warp, made[warp], arrival.waits))
        barrier.threads += arrival.threads
        if arrival.waits:
            waiting[warp] = arrival
        if barrier.threads >= arrival.expected:
            _open(barriers.pop(arrival.barrier), heard, waiting)
    for barrier in barriers.values():
        _open(barrier, heard, waiting)


def _open(barrier: _Barrier, heard: Sequence[NDArray[np.int32]], waiting: dict[int, _Arrival]) -> None:
    """Let all that wait at a barrier hear what those know that have arrived."""
    if not barrier.arrived:
        return
    known = np.max([heard[warp][row] for warp, row, _ in barrier.arrived], axis=0)
    for warp, row, waits in barrier.arrived:
        if waits:
            heard[warp][row] = np.maximum(heard[warp][row], known)
            waiting.pop(warp, None)
