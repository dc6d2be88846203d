"""Additions that another thread's addition may undo, because each is an atomic load and an atomic store.

No single access races there. But if nothing orders two threads, both may load the same value, and then one of the sums
that they store is lost. What the loads themselves see orders nothing: it is chance that one comes after a store.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from grader.model import DataRace, Fault, Interface, RacingAccess, Shape, Verdict
from grader.worker.simulator.analysis.geometry import Dim3
from grader.worker.simulator.checked.accesses import Accesses, Integers, Mask, accesses_of, acting, units
from grader.worker.simulator.checked.memory import MATRICES, Memory, memory_at
from grader.worker.simulator.checked.synchronisation import knowledge
from grader.worker.simulator.checked.touches import Touch, axes, touch_of
from grader.worker.simulator.checked.wording import element
from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.engine.trace import Events
from grader.worker.simulator.generate.layout import SEGMENT_BITS
from grader.worker.simulator.generate.traces import Event, How
from grader.worker.simulator.syntax.records import Instruction

MOST_ATOMICS = 25_000  # by single threads, in a launch that is searched: a second or two
HINT = (
    "Each load and each store is atomic, but not the two together. Add in one step: atomicAdd(), or fetch_add() of "
    "cuda::atomic_ref."
)


@dataclass(frozen=True, slots=True)
class LostFound:
    """Two additions to one place that nothing orders: where each of them loads, and where it stores."""

    memory: Memory
    loads: tuple[Touch, Touch]
    stores: tuple[Touch, Touch]
    between_blocks: bool


@dataclass(frozen=True, slots=True)
class _Additions:
    """The loads of additions and their stores, row by row, in the order of places and stores."""

    loads: Accesses
    stores: Accesses

    def rows(self, rows: Mask | Integers | slice) -> _Additions:
        """Return some of the rows."""
        return _Additions(self.loads.rows(rows), self.stores.rows(rows))


def lost_found(kernel: Kernel, grid: Dim3, events: Events, *, is_complete: bool = True) -> LostFound | None:
    """Return two additions by different warps of which one may be lost; of blocks only if the trace is complete.

    What a kernel only counts, and nothing else reads, does not matter. Launches with very many atomics are not
    searched.
    """
    of_load = _made_by(kernel, events, kernel.additions.loads)
    of_store = _made_by(kernel, events, kernel.additions.stores)
    if not (of_load.any() and of_store.any()):
        return None
    added = _additions(accesses_of(events, of_load | of_store), of_load, of_store)
    added = added.rows(_matters(added.stores, events, of_load | of_store))
    first, second = added.rows(slice(None, -1)), added.rows(slice(1, None))
    pairs = np.flatnonzero(_of_two_warps(first.stores, second.stores, is_complete))
    first, second = first.rows(pairs), second.rows(pairs)
    if not len(pairs) or np.bitwise_count(events["mask"][events["kind"] == Event.ATOMIC]).sum() > MOST_ATOMICS:
        return None
    quiet = events.copy()
    quiet["how"][of_load] &= ~int(How.LISTENS | How.TELLS)
    found = np.flatnonzero(~knowledge(quiet).is_before(first.stores, second.loads))[:1]
    return _facts(kernel, grid, events, first.rows(found), second.rows(found)) if len(found) else None


def _made_by(kernel: Kernel, events: Events, instructions: Collection[Instruction]) -> Mask:
    """Return which events are atomic accesses by some instructions."""
    places = [number for number, place in enumerate(kernel.places) if instructions and place.record in instructions]
    return np.asarray((events["kind"] == Event.ATOMIC) & np.isin(events["where"], places))


def _additions(rows: Accesses, of_load: Mask, of_store: Mask) -> _Additions:
    """Return the stores that come next after a load of the same thread at the same place, and these loads."""
    rows = rows.rows(np.lexsort((rows.event, rows.thread, rows.block, rows.place)))
    same = (np.diff(rows.place) == 0) & (np.diff(rows.block) == 0) & (np.diff(rows.thread) == 0)
    load = np.flatnonzero(same & of_load[rows.event][:-1] & of_store[rows.event][1:])
    loads, stores = rows.rows(load), rows.rows(load + 1)
    order = np.lexsort((stores.event, _owner(stores), stores.place))
    return _Additions(loads.rows(order), stores.rows(order))


def _owner(table: Accesses) -> Integers:
    """Return whose memory a place is in: a block's, if it is shared, and else the device's."""
    return np.where(table.is_shared, table.block, -1)


def _matters(stores: Accesses, events: Events, of_additions: Mask) -> Mask:
    """Return which stores are to C, or to what something else than additions reads."""
    acts, to_c = acting(events), stores.place * stores.unit >> SEGMENT_BITS == len(MATRICES)
    others = np.isin(events["kind"], (Event.READ, Event.ATOMIC)) & ~of_additions
    read = [np.unique(place[acts[event]]) for event, _, place in units(events, stores.unit, others)]
    return np.asarray(to_c | np.isin(stores.place, np.concatenate(read)) if read else to_c)


def _of_two_warps(first: Accesses, second: Accesses, is_complete: bool) -> Mask:
    same_place = (first.place == second.place) & (_owner(first) == _owner(second))
    same_block = first.block == second.block
    return np.asarray(same_place & ((first.warp != second.warp) & same_block | ~same_block & is_complete))


def _facts(kernel: Kernel, grid: Dim3, events: Events, first: _Additions, second: _Additions) -> LostFound:
    def touch(table: Accesses) -> Touch:
        return touch_of(kernel, grid, events, int(table.event[0]), int(table.thread[0]))

    store = first.stores
    memory = memory_at(kernel, events, int(store.place[0]) * store.unit, int(events["size"][store.event[0]]))
    loads, stores = (touch(first.loads), touch(second.loads)), (touch(first.stores), touch(second.stores))
    return LostFound(memory, loads, stores, bool(first.stores.block[0] != second.stores.block[0]))


def lost(found: LostFound, interface: Interface, shape: Shape) -> Fault:
    """Return the fault of two additions of which one may be lost."""
    what, (load, store) = element(found.memory, interface, shape), (found.loads[0], found.stores[0])
    kind = "block" if found.between_blocks else "thread"
    who = [f"{kind} {axes(touch.block if found.between_blocks else touch.thread)}" for touch in found.stores]
    where = "" if found.between_blocks else f" of block {axes(store.block)}"
    does = (
        f"Line {store.line} loads {what}, adds to it and stores the sum"
        if load.line == store.line
        else f"Line {load.line} loads {what}, and line {store.line} stores a sum with it"
    )
    sentence = (
        f"{does}, in {who[0]} and in {who[1]}{where}, and nothing orders the two: if both load the same value, one of "
        "the two additions is lost."
    )
    accesses = [
        RacingAccess(name, touch.line or None, "updates") for name, touch in zip(who, found.stores, strict=True)
    ]
    race = DataRace(what, accesses[0], accesses[1], "and nothing orders the two")
    return Fault(Verdict.DATA_RACE, sentence, HINT, store.line or None, race=race)
