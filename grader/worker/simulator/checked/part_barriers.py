"""What orders the warps of a block with barriers for some of its threads: who has heard of whom.

Each warp knows up to which arrival it has heard of every other (a vector clock: Lamport 1978, Fidge 1988). A barrier
that opens tells all that waited there what those know that had arrived; bar.arrive tells, and does not listen.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.checked.accesses import Accesses, Integers, Mask, acting
from grader.worker.simulator.engine.trace import Events
from grader.worker.simulator.generate.traces import ARRIVES_ONLY, EXPECTED_BITS, Event

NEVER = 1 << 60


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Of each warp behind each of its arrivals: up to which arrival it has heard of every warp.

    `heard` has the axes block, warp, arrivals and the other warp; `blocks` are the numbers of the blocks.
    """

    blocks: Integers
    heard: Integers

    def is_before(self, first: Accesses, second: Accesses) -> Mask:
        """Return, row by row, whether the second access knows of the first. Rows of one warp are ordered."""
        block = np.searchsorted(self.blocks, second.block)
        heard = self.heard[block, second.warp, second.epoch, first.warp]
        return np.asarray((heard > first.epoch) | (first.warp == second.warp))


@dataclass(slots=True)
class _Barrier:
    """The arrivals at a barrier that has not opened: warp, its arrivals so far, whether it waits; threads in all."""

    arrived: list[tuple[int, int, bool]] = field(default_factory=list)
    threads: int = 0


def knowledge(events: Events, threads: int) -> Knowledge | None:
    """Return what warps know of each other; None where the lanes of a warp arrive at barriers one by one."""
    is_barrier = events["kind"] == Event.BARRIER
    arrivals = events[is_barrier]
    words, acts = arrivals["words"], acting(arrivals)
    whole = acts.sum(axis=1) == np.minimum(LANES, threads - arrivals["warp"] * LANES)
    same = ((words == words[np.arange(len(words)), acts.argmax(axis=1)][:, None]) | ~acts).all(axis=1)
    if not (whole & same).all():
        return None
    blocks, block = np.unique(events["block"], return_inverse=True)
    warps = -(-threads // LANES)
    counts = np.bincount(block[is_barrier] * warps + arrivals["warp"], minlength=len(blocks) * warps)
    heard = np.zeros((len(blocks), warps, int(counts.max(initial=0)) + 1, warps), np.int64)
    follows = _next_events(events, block)
    for number in range(len(blocks)):
        own = np.flatnonzero(is_barrier & (block == number))
        _run(events[own], follows[own], own, heard[number])
    return Knowledge(blocks, heard)


def _next_events(events: Events, block: Integers) -> Integers:
    """Return the number of the event that follows in the same warp, for each event."""
    owner = block << 6 | events["warp"]
    order = np.argsort(owner, kind="stable")
    follows = np.full(len(events), NEVER, np.int64)
    same = owner[order][1:] == owner[order][:-1]
    follows[order[:-1][same]] = order[1:][same]
    return follows


def _run(arrivals: Events, follows: Integers, numbers: Integers, heard: Integers) -> None:
    """Fill in what the warps of a block know, from their arrivals in order.

    A barrier opens with the arrival that makes its threads complete, or before a warp that waits there goes on: threads
    that have returned are not waited for. What arrives at it in between counts as heard of, which hides no order.
    """
    barriers: dict[int, _Barrier] = {}
    waiting: dict[int, tuple[int, int]] = {}  # of a warp: its barrier, and the event that follows
    made = [0] * len(heard)
    for arrival, following, number in zip(arrivals, follows, numbers, strict=True):
        for name in {name for name, resumes in waiting.values() if resumes <= number}:
            _open(barriers.pop(name, _Barrier()), heard, waiting)
        lane = int(arrival["mask"]).bit_length() - 1
        name, expected, only_arrives = _meaning(int(arrival["words"][lane]))
        warp = int(arrival["warp"])
        made[warp] += 1
        heard[warp, made[warp]] = heard[warp, made[warp] - 1]
        heard[warp, made[warp], warp] = made[warp]
        barrier = barriers.setdefault(name, _Barrier())
        barrier.arrived.append((warp, made[warp], not only_arrives))
        barrier.threads += int(arrival["mask"]).bit_count()
        if not only_arrives:
            waiting[warp] = name, int(following)
        if barrier.threads >= expected:
            _open(barriers.pop(name), heard, waiting)
    for barrier in barriers.values():
        _open(barrier, heard, waiting)


def _open(barrier: _Barrier, heard: Integers, waiting: dict[int, tuple[int, int]]) -> None:
    """Let all that wait at a barrier hear what those know that have arrived."""
    if not barrier.arrived:
        return
    known = np.max([heard[warp, arrival] for warp, arrival, _ in barrier.arrived], axis=0)
    for warp, arrival, waits in barrier.arrived:
        if waits:
            heard[warp, arrival] = np.maximum(heard[warp, arrival], known)
            waiting.pop(warp, None)


def _meaning(word: int) -> tuple[int, int, bool]:
    """Return the number of a barrier, the threads that it expects, and whether the arrival waits for nothing."""
    return word >> EXPECTED_BITS, (word & (1 << EXPECTED_BITS) - 1) >> 1, bool(word & ARRIVES_ONLY)
