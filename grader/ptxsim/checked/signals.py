"""Memory locations through which threads synchronise: atomics, and flags for which a loop waits."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from grader.ptxsim.checked.accesses import ATOMIC_READ, Accesses, acting
from grader.ptxsim.checked.vector_clocks import Clock, ClockPart
from grader.ptxsim.engine.trace import Events, Integers, Mask
from grader.ptxsim.generate.layout import SEGMENT_BITS, SHARED
from grader.ptxsim.generate.traces import Event, How

_WORD_BITS = SEGMENT_BITS + 6  # of an address
RELEASES, DEVICE = int(How.RELEASES), int(How.DEVICE)  # operations on flags take longer than those on integers
# The parts of a thread's clock that become those of a location, without and with a release.
_TO_BLOCK, _TO_DEVICE = (
    tuple(np.array([part, part, ClockPart.OF_DEVICE if own else part, ClockPart.LOOSE]) for part in parts)
    for own, parts in ((True, (ClockPart.OF_BLOCK, ClockPart.KNOWN)), (False, (ClockPart.OF_DEVICE, ClockPart.KNOWN)))
)
WIDE = 1 << 16  # range of a column's values above which they are replaced by ranks, which takes a sort
LARGEST = 1 << 62


@dataclass(slots=True)
class SignalPlace:
    """The clocks published at an address: to all threads, and to those of one block. `version` counts publications."""

    of_device: Clock
    of_block: dict[int, Clock] = field(default_factory=dict)
    version: int = 0
    seen: dict[int, tuple[int, int]] = field(default_factory=dict)

    def publish(self, block: int, clock: Clock, how: int) -> None:
        """Publish a thread's clock with a write by the thread, as far as its fences allow."""
        own, released = self.of_block.setdefault(block, np.zeros_like(clock)), how & RELEASES != 0
        to_device = clock[_TO_DEVICE[released]] if how & DEVICE else np.zeros_like(clock)
        for into, new in ((own, clock[_TO_BLOCK[released]]), (self.of_device, to_device)):
            if (into < new).any():
                np.maximum(into, new, out=into)
                self.version += 1

    def acquired(self, block: int, warp: int, mask: int) -> Clock | None:
        """Return the clock that a thread acquires here; None if the same lanes of the warp have acquired it before."""
        if not self.version or self.seen.get(warp) == (self.version, mask):
            return None
        self.seen[warp] = self.version, mask
        return np.maximum(self.of_device, self.of_block.get(block, self.of_device))


def signalling(table: Accesses, events: Events, places: Integers) -> Accesses:
    """Return a table in which volatile accesses to synchronising locations count as atomic."""
    is_volatile = events["how"][table.event] & How.VOLATILE != 0
    at_signal = np.isin(table.place, (places & (1 << _WORD_BITS) - 1) // table.unit) & is_volatile
    atomic = np.where(table.is_read, ATOMIC_READ, Event.ATOMIC)
    return replace(table, kind=np.where(at_signal, atomic, table.kind)) if at_signal.any() else table


def signals(events: Events) -> Integers:
    """Return the locations, as numbers of `place_of`, through which threads may synchronise."""
    return _places(events[(events["kind"] == Event.ATOMIC) | (events["how"] & How.SPINS != 0)])


def acquired_from(events: Events) -> Integers:
    """Return the locations, as numbers of `place_of`, from which a thread acquires. Others have no effect."""
    reads = (events["kind"] == Event.ATOMIC) | (events["kind"] == Event.READ) & (events["how"] & How.VOLATILE != 0)
    return _places(events[reads & (events["how"] & How.ACQUIRES != 0)])


def at_signals(events: Events, acts: Mask) -> dict[int, list[tuple[int, Mask]]]:
    """Return the locations that each event uses to synchronise, with the lanes that access each; none are left out."""
    is_access = (events["kind"] == Event.READ) | (events["kind"] == Event.WRITE)
    is_volatile = is_access & (events["how"] & How.VOLATILE != 0)
    rows = np.flatnonzero((events["kind"] == Event.ATOMIC) | is_volatile)
    numbers = place_of(events["block"][rows, None], events["words"][rows])
    own = acts[rows] & np.isin(numbers, np.intersect1d(signals(events), acquired_from(events), assume_unique=True))
    chosen = np.flatnonzero(own.any(axis=1))
    own, numbers = own[chosen], numbers[chosen]
    first = numbers[np.arange(len(chosen)), own.argmax(axis=1)]
    is_one = (~own | (numbers == first[:, None])).all(axis=1)
    places = (
        [(number, lanes)] if one else [(each, lanes & (row == each)) for each in distinct(row[lanes]).tolist()]
        for number, lanes, one, row in zip(first.tolist(), own, is_one.tolist(), numbers, strict=True)
    )
    return dict(zip(rows[chosen].tolist(), places, strict=True))


def _places(chosen: Events) -> Integers:
    row, lane = np.nonzero(acting(chosen))
    return distinct(place_of(chosen["block"][row], chosen["words"][row, lane]))


def place_of(block: Integers, word: Integers) -> Integers:
    """Return the number of each location in a launch; those in shared memory differ from block to block."""
    return np.asarray(np.where(word >> SEGMENT_BITS == SHARED, block + 1, 0) << _WORD_BITS | word)


def numbered(*columns: Integers) -> Integers:
    """Return a number for each row; rows that are equal in all columns have equal numbers."""
    number, count = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        values, distinct = _narrowed(column)
        if count * distinct > LARGEST:
            number, count = _ranked(number)
        number = number * distinct + values
        count *= distinct
    return number


def _narrowed(column: Integers) -> tuple[Integers, int]:
    """Return the column shifted to start at 0, or as ranks if its range is wide, and a bound of its values."""
    if not len(column) or int(np.ptp(column)) >= WIDE:
        return _ranked(column)
    values = column - column.min()
    return values, int(values.max()) + 1


def _ranked(column: Integers) -> tuple[Integers, int]:
    distinct, ranks = np.unique(column, return_inverse=True)
    return ranks, max(1, len(distinct))


def distinct(numbers: Integers) -> Integers:
    """Return the distinct numbers in increasing order. NumPy's `unique`, which hashes, takes ten times as long."""
    ordered = np.sort(numbers)
    return np.asarray(ordered[np.diff(ordered, prepend=ordered[:1] - 1) != 0])
