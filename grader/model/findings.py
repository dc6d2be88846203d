"""What stopped a launch, as facts that a worker reports. `explain/` puts them into words.

A line is 0 where none is known. Fields of records that come from a worker are checked when they are decoded.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from grader.model.matrices import MATRICES
from grader.ptxsim.records.fields import Allowed, Axes, Count, Line, Name, Number, Site, check_number
from grader.ptxsim.records.lacks import Lack

Text = Annotated[str, Allowed("pattern", r"(?s).{0,1000}\Z")]
"""What the submission itself contains, quoted as data."""
Word = Annotated[str, Allowed("pattern", r"[!-~]{0,200}\Z")]
"""A word of PTX, such as an instruction with its modifiers."""

MOST_SITES = 100  # at which threads of a block wait


class Space(StrEnum):
    """The kinds of memory, and what is in them."""

    MATRIX = "matrix"
    FURTHER = "further"  # a matrix besides A, B and C
    SHARED = "shared"
    SCALAR = "scalar"  # in shared memory, and no array
    LOCAL = "local"
    VARIABLE = "variable"  # of the module: __device__ and __constant__
    HEAP = "heap"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread of a launch, and the line that it was at."""

    number: Axes
    block: Axes
    line: Line


@dataclass(frozen=True, slots=True)
class Room:
    """An array or a variable, and an access in bytes from its start; `element` are those of a component, or 0."""

    space: Space
    name: Name = ""
    offset: Number = 0
    extent: Count = 0
    element: Count = 0
    is_dynamic: bool = False
    """Whether LAUNCH gives its size."""

    def __post_init__(self) -> None:
        if self.space is Space.MATRIX and self.name not in MATRICES:
            raise ValueError(f"no matrix {self.name}")


@dataclass(frozen=True, slots=True)
class OutOfBounds:
    """An access outside of an array, a variable, or all memory; HEAP: by a null pointer in a kernel with malloc."""

    by: Thread
    writes: bool
    beside: Room
    address: Number


@dataclass(frozen=True, slots=True)
class OutsideCluster:
    """An access to shared memory of a block that the cluster does not have."""

    by: Thread
    writes: bool
    target: Count


@dataclass(frozen=True, slots=True)
class Misaligned:
    """An access to an address that is no multiple of its bytes."""

    by: Thread
    size: Count


class Crash(StrEnum):
    """Other ends of a launch at an instruction."""

    TRAP = "trap"
    STACK = "stack"
    COPY_SIZE = "copy size"
    TILE_LEADING = "tile leading"
    TILE_DIFFERS = "tile differs"
    TILE_MISALIGNED = "tile misaligned"
    WARP_PARTIAL = "warp partial"
    FREE = "free"
    READ_ONLY = "read only"


@dataclass(frozen=True, slots=True)
class Crashed:
    """An instruction that ends the launch."""

    by: Thread
    cause: Crash


@dataclass(frozen=True, slots=True)
class AssertionFailed:
    """A condition of the submission that is false."""

    by: Thread
    condition: Text


@dataclass(frozen=True, slots=True)
class NoObject:
    """A wait for a barrier object, or an arrival there, that is not initialised, or no longer."""

    by: Thread
    waits: bool
    object: Room


@dataclass(frozen=True, slots=True)
class Deadlock:
    """Threads of a block that wait for each other: where, how many have returned, and how many the block has."""

    block: Axes
    sites: tuple[Site, ...]
    returned: Count
    threads: Count

    def __post_init__(self) -> None:
        check_number(self.sites, MOST_SITES)


@dataclass(frozen=True, slots=True)
class OutOfTime:
    """A thread that was still running, in a block of so many, some of which wait at the `sites`."""

    by: Thread
    threads: Count
    sites: tuple[Site, ...] = ()
    awaits_grid: bool = False

    def __post_init__(self) -> None:
        check_number(self.sites, MOST_SITES)


@dataclass(frozen=True, slots=True)
class TooSlow:
    """Blocks ended one after the other when the time was over."""

    ended: Count
    blocks: Count
    line: Line


@dataclass(frozen=True, slots=True)
class NotResident:
    """Blocks that wait for each other, more than the device holds at a time."""

    blocks: Count
    at_a_time: Count
    line: Line = 0


@dataclass(frozen=True, slots=True)
class AtLimit:
    """A limit of the lab stopped the launch."""

    limit: Literal["time", "memory", "output", "disk"]


@dataclass(frozen=True, slots=True)
class NotSupported:
    """What the simulator lacks, with a number, a name and an instruction that it is `of`, as far as there are any."""

    lack: Lack
    line: Line
    name: Word = ""
    of: Word = ""
    number: Count = 0


OfThread = OutOfBounds | OutsideCluster | Misaligned | Crashed | AssertionFailed | NoObject
Stop = OfThread | Deadlock | OutOfTime | TooSlow | NotResident | AtLimit | NotSupported
