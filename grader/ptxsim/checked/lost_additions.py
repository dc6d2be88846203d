"""Lost updates: additions that consist of an atomic load and an atomic store instead of one atomic operation.

No single access of them races. But if two threads are not ordered, both may load the same value, and one of the stored
sums is lost. A load that happens to read the other thread's store does not order the threads.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from grader.ptxsim.checked.accesses import Accesses, accesses_of, acting, units
from grader.ptxsim.checked.synchronisation import knowledge
from grader.ptxsim.checked.traced_launch import TracedLaunch, first_access, memory_of
from grader.ptxsim.engine.trace import Integers, Mask
from grader.ptxsim.generate.layout import SEGMENT_BITS
from grader.ptxsim.generate.traces import Event, How
from grader.ptxsim.records.fields import Unsearched
from grader.ptxsim.records.races import LostAddition
from grader.ptxsim.syntax.records import Instruction

MOST_ATOMICS = 25_000  # accesses of single threads; a search of so many takes a second or two


@dataclass(frozen=True, slots=True)
class _Additions:
    """The loads of additions and their stores, row by row, sorted by place and store."""

    loads: Accesses
    stores: Accesses

    def rows(self, rows: Mask | Integers | slice) -> _Additions:
        """Return these rows only."""
        return _Additions(self.loads.rows(rows), self.stores.rows(rows))


def lost_found(launch: TracedLaunch, *, is_complete: bool = True) -> LostAddition | Unsearched | None:
    """Return two additions by different warps of which one may be lost; by different blocks if the trace is complete.

    Sums that nothing else reads are ignored. Launches with more than MOST_ATOMICS atomics are not searched.
    """
    events = launch.events
    of_load = _made_by(launch, launch.kernel.search.additions.loads)
    of_store = _made_by(launch, launch.kernel.search.additions.stores)
    if not (of_load.any() and of_store.any()):
        return None
    added = _additions(accesses_of(events, np.flatnonzero(of_load | of_store)), of_load, of_store)
    added = added.rows(_matters(launch, added.stores, of_load | of_store))
    first, second = added.rows(slice(None, -1)), added.rows(slice(1, None))
    pairs = np.flatnonzero(_of_two_warps(first.stores, second.stores, is_complete))
    first, second = first.rows(pairs), second.rows(pairs)
    if not len(pairs):
        return None
    if np.bitwise_count(events["mask"][events["kind"] == Event.ATOMIC]).sum() > MOST_ATOMICS:
        return Unsearched.ATOMICS
    quiet = events.copy()
    quiet["how"][of_load] &= ~int(How.ACQUIRES | How.PUBLISHES)
    found = np.flatnonzero(~knowledge(quiet).is_before(first.stores, second.loads))[:1]
    return _facts(launch, first.rows(found), second.rows(found)) if len(found) else None


def _made_by(launch: TracedLaunch, instructions: Collection[Instruction]) -> Mask:
    """Mark the atomic accesses by these instructions."""
    kernel, events = launch.kernel, launch.events
    places = [number for number, place in enumerate(kernel.places) if instructions and place.record in instructions]
    return np.asarray((events["kind"] == Event.ATOMIC) & np.isin(events["where"], places))


def _additions(rows: Accesses, of_load: Mask, of_store: Mask) -> _Additions:
    """Return the loads and stores of additions: a store is the next access after a load by its thread to its place."""
    rows = rows.rows(np.lexsort((rows.event, rows.thread, rows.block, rows.place)))
    same = (np.diff(rows.place) == 0) & (np.diff(rows.block) == 0) & (np.diff(rows.thread) == 0)
    load = np.flatnonzero(same & of_load[rows.event][:-1] & of_store[rows.event][1:])
    loads, stores = rows.rows(load), rows.rows(load + 1)
    order = np.lexsort((stores.event, _owner(stores), stores.place))
    return _Additions(loads.rows(order), stores.rows(order))


def _owner(table: Accesses) -> Integers:
    """Return the block of each place in shared memory, and -1 for global memory."""
    return np.where(table.is_shared, table.block, -1)


def _matters(launch: TracedLaunch, stores: Accesses, of_additions: Mask) -> Mask:
    """Mark the stores to results, and those to memory that is read by anything other than additions."""
    events = launch.events
    acts, to_results = acting(events), np.isin(stores.place * stores.unit >> SEGMENT_BITS, launch.results)
    others = np.flatnonzero(np.isin(events["kind"], (Event.READ, Event.ATOMIC)) & ~of_additions)
    read = [np.unique(place[acts[event]]) for event, _, place in units(events, stores.unit, others)]
    return np.asarray(to_results | np.isin(stores.place, np.concatenate(read)) if read else to_results)


def _of_two_warps(first: Accesses, second: Accesses, is_complete: bool) -> Mask:
    same_place = (first.place == second.place) & (_owner(first) == _owner(second))
    same_block = first.block == second.block
    return np.asarray(same_place & ((first.warp != second.warp) & same_block | ~same_block & is_complete))


def _facts(launch: TracedLaunch, first: _Additions, second: _Additions) -> LostAddition:
    memory = memory_of(launch, first.stores)
    loads = first_access(launch, first.loads), first_access(launch, second.loads)
    stores = first_access(launch, first.stores), first_access(launch, second.stores)
    return LostAddition(memory, loads, stores, bool(first.stores.block[0] != second.stores.block[0]))
