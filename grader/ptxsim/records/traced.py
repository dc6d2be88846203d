"""What else the trace of a launch shows, as facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from grader.ptxsim.records.fields import Axes, Count, Line, Name, Number, check_number
from grader.ptxsim.records.races import AnyRace, Memory, Race, TracedAccess


@dataclass(frozen=True, slots=True)
class OutsideVariable:
    """An access outside a variable, or outside memory from malloc if `name` is empty.

    `offset` says how many bytes after its start the first one outside is, and `size` how many it has. `element` is the
    number of bytes of a component of the access. What is unknown is 0.
    """

    access: TracedAccess
    name: Name
    offset: Number
    size: Count
    element: Count = 0


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A warp operation in a thread that its mask leaves out."""

    call: TracedAccess
    mask: Number


@dataclass(frozen=True, slots=True)
class MissingSource:
    """A shuffle that reads from a thread which does not take part in it."""

    call: TracedAccess
    source: Axes


@dataclass(frozen=True, slots=True)
class UnsetRead:
    """A read of shared memory before anything was written there.

    `may_race` says that another thread may write there before the next barrier: not all of that is recorded.
    """

    memory: Memory
    read: TracedAccess
    may_race: bool = False


@dataclass(frozen=True, slots=True)
class UnsetVariable:
    """Something that is used before it is set: a variable at one of some lines, or an element of other memory."""

    lines: tuple[Line, ...]
    is_local: bool
    is_shared: bool

    def __post_init__(self) -> None:
        check_number(self.lines, 2)
        if not (self.lines or self.is_local or self.is_shared):
            raise ValueError("nothing is unset")


@dataclass(frozen=True, slots=True)
class SecondLaunch:
    """A race of a second launch, in which variables have the values that the first has left."""

    race: AnyRace


@dataclass(frozen=True, slots=True)
class EqualWrites:
    """Two writes of one value, which nothing orders."""

    race: Race


@dataclass(frozen=True, slots=True)
class BarrierInTwoLines:
    """Threads of a block that wait for each other at barriers in two lines."""

    block: Axes
    first: Line
    second: Line


@dataclass(frozen=True, slots=True)
class ReturnedBefore:
    """Threads of a block that have returned before a barrier for all of them."""

    block: Axes
    line: Line
    returned: Count
    threads: Count


Traced: TypeAlias = OutsideVariable | AnyRace | LeftOut | MissingSource | UnsetRead | UnsetVariable | SecondLaunch
Odd: TypeAlias = UnsetRead | EqualWrites | BarrierInTwoLines | ReturnedBefore
"""What harms nothing here."""


@dataclass(frozen=True, slots=True)
class NotSearched:
    """A launch that was not searched for races, because at some barriers of its kernel threads only arrive."""
