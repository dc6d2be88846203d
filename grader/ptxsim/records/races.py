"""Races that the trace of a launch shows, as facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from grader.ptxsim.records.fields import Axes, Count, Line, Name


class VariableKind(StrEnum):
    """What a variable consists of, as far as PTX tells: it declares a struct like an array of bytes.

    nvcc declares a scalar without brackets (.u32 n), and all else as bytes (.b8 sums[16]). Whatever is accessed as a
    whole is no array either, such as an mbarrier. Where each of the types that the kernel reads has bytes of its own,
    these are the members of a struct; one type at all places is taken to be an array's.
    """

    ARRAY = "array"
    WHOLE = "whole"
    STRUCT = "struct"


@dataclass(frozen=True, slots=True)
class Memory:
    """Where: `name` of a buffer or a variable, and how many bytes after its start.

    The name is empty where the compiler has kept none. `element` is the number of bytes of an element, or of an access.
    """

    name: Name
    is_shared: bool
    offset: Count
    element: Count
    kind: VariableKind = VariableKind.ARRAY


@dataclass(frozen=True, slots=True)
class TracedAccess:
    """An access of one thread: its line, and whether it reads (or else writes), is atomic, or is a copy's.

    `initialises` says that it initialises an mbarrier.
    """

    line: Line
    reads: bool
    atomic: bool
    copies: bool
    thread: Axes
    block: Axes
    initialises: bool = False


class Scope(StrEnum):
    """What two threads have in common, beside the grid."""

    WARP = "warp"
    BLOCK = "block"
    GRID = "grid"


@dataclass(frozen=True, slots=True)
class Ordering:
    """What orders threads of the kernel, besides barriers of whole blocks: see the simulator's `AccessOrder`."""

    by_parts: bool = False
    by_objects: bool = False
    by_memory: bool = False
    """Whether what threads write to memory may order blocks."""


class Copying(StrEnum):
    """What is known of an asynchronous copy that takes part in a race."""

    NOTHING = "nothing"
    AHEAD = "ahead"  # it starts before its threads have read what was there
    UNDER_WAY = "under way"  # the second copy starts before the thread of the first has waited for it


@dataclass(frozen=True, slots=True)
class Race:
    """Two accesses that nothing orders."""

    memory: Memory
    first: TracedAccess
    second: TracedAccess
    scope: Scope
    order: Ordering = Ordering()
    in_loop: bool = False
    """Whether the second line runs before the first, too: a loop leads back to it."""
    again: bool = False
    """Whether the second thread runs the first line behind the second one, with no barrier in between."""
    both_write: bool = False
    """Whether both threads write there, as where several threads add to one variable."""
    copying: Copying = Copying.NOTHING
    met: tuple[Line, Line] = (0, 0)
    """The lines of the first barriers at which the two threads have met, where these are two."""
    skipped: Line = 0
    """The line of a barrier that neither thread reaches, but others of their block; 0 without one."""


MOST_RACES = 3  # of a launch, at different lines


@dataclass(frozen=True, slots=True)
class Races:
    """The races of a launch; there is one."""

    races: tuple[Race, ...]

    def __post_init__(self) -> None:
        if not 0 < len(self.races) <= MOST_RACES:
            raise ValueError(f"{len(self.races)} races")


@dataclass(frozen=True, slots=True)
class EarlyUse:
    """An asynchronous copy, and an access to its bytes before its thread has waited for it.

    `is_awaited` says whether that thread waits later.
    """

    memory: Memory
    copy: TracedAccess
    use: TracedAccess
    is_awaited: bool


@dataclass(frozen=True, slots=True)
class ChangedSource:
    """A read by an asynchronous copy, and a write to the same place before the wait for it."""

    memory: Memory
    copy: TracedAccess
    change: TracedAccess


@dataclass(frozen=True, slots=True)
class LostAddition:
    """Two additions to one place that nothing orders: where each of them loads, and where it stores."""

    memory: Memory
    loads: tuple[TracedAccess, TracedAccess]
    stores: tuple[TracedAccess, TracedAccess]
    between_blocks: bool


@dataclass(frozen=True, slots=True)
class StrayArrival:
    """Two arrivals at one barrier, of one phase or of two: nothing but chance decides.

    `expected` threads open it; `again` says that a thread has arrived before, has not waited and has arrived once more.
    """

    number: Count
    expected: Count
    first: TracedAccess
    second: TracedAccess
    again: bool


AnyRace: TypeAlias = Races | EarlyUse | ChangedSource | LostAddition | StrayArrival
