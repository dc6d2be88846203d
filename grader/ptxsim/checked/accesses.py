"""The accesses of single threads to memory, as columns of a table, computed from the events of warps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.epochs import Epochs, epochs_of
from grader.ptxsim.engine.trace import Events, Integers, Mask
from grader.ptxsim.generate.layout import LOCAL, SEGMENT_BITS, SHARED
from grader.ptxsim.generate.traces import VALUE_BYTES, Event, How

WORD = 4  # bytes
CHANGES = (Event.WRITE, Event.ATOMIC, Event.COPY)
ATOMIC_READ = -1  # the kind of an atomic read, which races with neither an atomic nor a read
BLOCK_ATOMIC = -2  # the kind of a change that is atomic for the threads of its block only
_FILTER_BITS = 20
_MIXER = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio (Knuth, volume 3, section 6.4)


@dataclass(frozen=True, slots=True)
class Accesses:
    """One row for each unit of memory that a thread accesses in one instruction, writes and atomics first.

    A unit has `unit` bytes: four, or fewer if some access has fewer. Reads that cannot race with a write are left out.
    """

    unit: int
    place: Integers
    """Address of the unit, divided by its size."""
    event: Integers
    """Index of the event in the trace."""
    kind: Integers
    """Event.READ, WRITE or ATOMIC, or ATOMIC_READ or BLOCK_ATOMIC."""
    block: Integers
    """Linear number of the block."""
    thread: Integers
    """Linear number of the thread in its block; each warp counts as 32 lanes."""
    epoch: Integers
    """The number of block barriers at which the thread has arrived before the access."""
    warp_epoch: Integers
    """The number of barriers, and of operations that synchronise all lanes of the warp, before the access."""
    value: Integers
    """The value that a write stores."""

    def __len__(self) -> int:
        return len(self.place)

    def rows(self, rows: Mask | Integers | slice) -> Accesses:
        """Return the table with these rows only."""
        return Accesses(self.unit, *(getattr(self, name)[rows] for name in _COLUMNS))

    def as_other_blocks_see(self) -> Accesses:
        """Return the table with a write, each of another value, for what is atomic for its own block only."""
        plain = self.kind == BLOCK_ATOMIC
        kind, value = np.where(plain, Event.WRITE, self.kind), np.where(plain, self.event, self.value)
        return replace(self, kind=kind, value=value)

    @property
    def is_read(self) -> Mask:
        return np.asarray((self.kind == Event.READ) | (self.kind == ATOMIC_READ))

    @property
    def is_atomic(self) -> Mask:
        return np.isin(self.kind, (Event.ATOMIC, ATOMIC_READ, BLOCK_ATOMIC))

    @property
    def is_shared(self) -> Mask:
        return np.asarray(self.place * self.unit >> SEGMENT_BITS == SHARED)

    @property
    def warp(self) -> Integers:
        return self.thread // LANES


_COLUMNS = tuple(field.name for field in fields(Accesses))[1:]


def unit_of(events: Events) -> int:
    """Return the number of bytes of a unit: four, or fewer if some access has fewer."""
    sizes = events["size"][~np.isin(events["kind"], (Event.WAIT, Event.OBJECT))]
    return int(min(WORD, sizes[sizes > 0].min(initial=WORD)))


def acting(events: Events) -> Mask:
    """Return which lanes take part in each event (events x 32)."""
    return np.asarray((events["mask"][:, None] >> np.arange(LANES, dtype=np.uint32) & 1).astype(np.bool_))


def accesses(events: Events, ends: Integers | None = None) -> Accesses:
    """Return the accesses of the threads of a launch. Those of copies are twice in it: at their start and at their end.

    `ends` has, for each event and lane, the event at which the lane has waited for its copy; a number above all events
    means never.
    """
    acts, unit, kinds = acting(events), unit_of(events), events["kind"]
    epochs = epochs_of(events, acts)
    changed = _rows(events, acts, unit, epochs, np.flatnonzero(np.isin(kinds, CHANGES)), None)
    if ends is not None:
        changed = _joined(changed, _ended(changed, events, epochs, ends))
    known = np.zeros(1 << _FILTER_BITS, np.bool_)
    known[_slot(changed.place, changed.is_shared, changed.block, changed.epoch)] = True
    reads = _beside_changes(events, epochs, np.flatnonzero(kinds == Event.READ), changed)
    read = _rows(events, acts, unit, epochs, reads, known)
    return _joined(changed, read if ends is None else _joined(read, _ended(read, events, epochs, ends)))


def _beside_changes(events: Events, epochs: Epochs, reads: Integers, changed: Accesses) -> Integers:
    """Drop reads of shared memory between barriers without a write; in a tiled kernel, these are most reads."""
    shared = changed.rows(changed.is_shared)
    blocks, block = np.unique(np.concatenate([shared.block, events["block"][reads]]), return_inverse=True)
    of_reads = epochs.of_lanes[reads]
    least, most = of_reads.min(axis=1), of_reads.max(axis=1)
    changes = np.zeros((len(blocks), int(max(most.max(initial=0), shared.epoch.max(initial=0))) + 2), np.int64)
    changes[block[: len(shared)], shared.epoch + 1] = 1
    sums = np.cumsum(changes, axis=1)
    own = block[len(shared) :]
    is_shared = (events["words"][reads] >> SEGMENT_BITS == SHARED).all(axis=1)
    return np.asarray(reads[~is_shared | (sums[own, most + 1] > sums[own, least])])


def every_access(events: Events, alike: Mask) -> Accesses:
    """Return the accesses of the warps of a launch, including operations on mbarriers.

    In an event that is `alike` for all lanes, lanes that read the same address count as one.
    """
    acts, unit = acting(events), unit_of(events)
    chosen = np.flatnonzero(np.isin(events["kind"], (*CHANGES, Event.READ, Event.OBJECT)))
    return _rows(events, _first_readers(events, acts, alike), unit, epochs_of(events, acts), chosen, None)


def writes(events: Events) -> Accesses:
    """Return the writes of the threads of a launch; those of copies are at the start of the copy."""
    return accesses_of(events, np.flatnonzero(np.isin(events["kind"], (Event.WRITE, Event.COPY))))


def accesses_of(events: Events, chosen: Integers) -> Accesses:
    """Return the accesses of threads in the events with these numbers."""
    acts = acting(events)
    return _rows(events, acts, unit_of(events), epochs_of(events, acts), chosen, None)


def _first_readers(events: Events, acts: Mask, alike: Mask) -> Mask:
    """Return which lanes take part; in events that are `alike`, without most lanes that repeat another lane's read."""
    reads = np.flatnonzero((events["kind"] == Event.READ) & alike)
    words, first = events["words"][reads], acts[reads]
    for lag in (1, 2, 4, 8, 16):
        same = (words[:, lag:] == words[:, :-lag]) & acts[reads, :-lag]
        first[:, lag:] &= ~same
    acts = acts.copy()
    acts[reads] = first
    return acts


def _joined(first: Accesses, second: Accesses) -> Accesses:
    return Accesses(first.unit, *(np.concatenate([getattr(first, name), getattr(second, name)]) for name in _COLUMNS))


def _ended(changed: Accesses, events: Events, epochs: Epochs, ends: Integers) -> Accesses:
    """Return the accesses of copies again, at the time at which their threads have waited for them."""
    lane = changed.thread % LANES
    end = ends[changed.event, lane]
    rows = np.flatnonzero(end < len(events))
    end, lane = end[rows], lane[rows]
    return replace(changed.rows(rows), epoch=epochs.of_lanes[end, lane], warp_epoch=epochs.of_warps[end])


def _rows(events: Events, acts: Mask, unit: int, epochs: Epochs, chosen: Integers, known: Mask | None) -> Accesses:
    """Return the accesses of the `chosen` events; with the filter `known`, only those that may race with a write."""
    pieces = []
    for event, part, place in units(events, unit, chosen):
        segment = events["words"][event] >> SEGMENT_BITS
        keep = acts[event] & (segment != LOCAL)  # local memory has the same addresses in every thread
        if known is not None:
            is_shared = segment == SHARED
            keep = keep & known[_slot(place, is_shared, events["block"][event][:, None], epochs.of_lanes[event])]
        row, lane = np.nonzero(keep)
        pieces.append((event[row], lane, place[row, lane], np.full(len(row), part)))
    event, lane, place, behind = [np.concatenate(column) for column in zip(*pieces, strict=True)] or np.zeros(
        (4, 0), np.int64
    )
    return Accesses(
        unit,
        place,
        event,
        _kinds(events)[event],
        events["block"][event],
        events["warp"][event].astype(np.int64) * LANES + lane,
        epochs.of_lanes[event, lane],
        epochs.of_warps[event],
        values_of(events, event, lane, unit * behind) & (1 << 8 * unit) - 1,
    )


def _kinds(events: Events) -> Integers:
    """Return the kind of access of each event. A copy is a write, and an operation on an mbarrier is atomic."""
    kinds = np.where(events["kind"] == Event.COPY, Event.WRITE, events["kind"]).astype(np.int64)
    kinds[(kinds == Event.ATOMIC) & (events["how"] & How.DEVICE == 0)] = BLOCK_ATOMIC
    kinds[np.isin(kinds, (Event.ATOMIC, BLOCK_ATOMIC)) & (events["how"] & How.PUBLISHES == 0)] = ATOMIC_READ
    on_object = np.where(events["how"] & How.INIT != 0, Event.WRITE, Event.ATOMIC)
    return np.asarray(np.where(events["kind"] == Event.OBJECT, on_object, kinds))


def _slot(place: Integers, is_shared: Mask, block: Integers, epoch: Integers) -> NDArray[np.uint64]:
    """Return the slot of a place in the filter. The key of shared memory includes the block and the epoch."""
    return hashed(place, np.where(is_shared, (block << 12) + epoch + 1, 0), _FILTER_BITS)


def units(events: Events, unit: int, chosen: Integers) -> Iterator[tuple[Integers, int, Integers]]:
    """Yield events, part and units (events x 32) of the accesses' first units, of their second ones, and so on."""
    sizes = events["size"][chosen]
    for part in range(int(sizes.max(initial=0)) // unit):
        own = chosen[sizes > part * unit]
        yield own, part, events["words"][own] // unit + part


def hashed(place: Integers, key: Integers, bits: int) -> NDArray[np.uint64]:
    """Return the slot of a place and a key in a hash table with 2**bits slots."""
    mixed = (place.astype(np.uint64) * _MIXER) ^ (key.astype(np.uint64) * _MIXER >> np.uint64(7))
    return np.asarray(mixed * _MIXER >> np.uint64(64 - bits))


def values_of(events: Events, event: Integers, lane: Integers, byte: Integers) -> Integers:
    """Return the values that writes and copies store from `byte` on, which follow each event; 0 if unknown."""
    first, behind = (np.minimum(event + 1 + step, len(events) - 1) for step in (0, byte // VALUE_BYTES))
    follows = (events["kind"][first] == Event.VALUES) & (events["kind"][behind] == Event.VALUES)
    return np.where(follows, events["words"][behind, lane] >> 8 * (byte % VALUE_BYTES), 0)
