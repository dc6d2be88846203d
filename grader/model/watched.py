"""What CUDA's driver and compute-sanitizer report of a launch on a GPU, as facts. `explain/` puts them into words."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from grader.model.findings import Text, Thread
from grader.ptxsim.records.fields import Count, Number

Matrix = Literal["A", "B", "C"]
MOST_RECORDS = 3  # of a kind, at different lines


class DriverError(StrEnum):
    """The errors after a launch that the driver tells apart (CUDA driver API, enum CUresult)."""

    OUT_OF_RESOURCES = "out of resources"
    INVALID = "invalid"
    CLUSTERS = "cluster misconfiguration"
    ILLEGAL_ACCESS = "illegal memory access"
    MISALIGNED = "misaligned address"
    ASSERT = "device-side assert"
    FAILED = "unspecified launch failure"
    ILLEGAL_INSTRUCTION = "illegal instruction"
    OTHER = ""

    @property
    def never_ran(self) -> bool:
        """Whether the driver refused the launch, so that the next one may run."""
        return self in {DriverError.OUT_OF_RESOURCES, DriverError.INVALID, DriverError.CLUSTERS}


@dataclass(frozen=True, slots=True)
class DriverFailed:
    """An error of the driver after a launch, with its message."""

    error: DriverError
    message: Text


@dataclass(frozen=True, slots=True)
class Beside:
    """The matrix that an address is closest to, the index there, and how many elements the matrix has."""

    matrix: Matrix
    index: Number
    elements: Count


@dataclass(frozen=True, slots=True)
class WatchedAccess:
    """An access that is not allowed: to a byte of shared memory, beside a matrix, or elsewhere."""

    by: Thread
    writes: bool
    size: Count
    is_misaligned: bool
    shared_byte: Number | None
    beside: Beside | None
    is_null: bool


@dataclass(frozen=True, slots=True)
class WatchedBarrier:
    """A barrier that not all threads reach, or an operation whose arguments are invalid."""

    by: Thread
    problem: Text
    """The tool's own name for what is wrong."""
    is_invalid: bool


@dataclass(frozen=True, slots=True)
class WatchedRace:
    """Two accesses to a byte of shared memory that nothing orders."""

    first: Thread
    second: Thread
    writes: tuple[bool, bool]
    byte: Number


@dataclass(frozen=True, slots=True)
class OtherBlock:
    """An access to shared memory of another block that may not run yet, or no longer."""

    by: Thread
    writes: bool
    problem: Text


@dataclass(frozen=True, slots=True)
class WatchedUnset:
    """A read of global memory that nothing has written, of C or of other memory."""

    by: Thread
    in_c: bool


WatchedRecord = WatchedAccess | WatchedBarrier | WatchedRace | OtherBlock | WatchedUnset


@dataclass(frozen=True, slots=True)
class Watched:
    """Records of one kind, at different lines; there is one."""

    records: tuple[WatchedRecord, ...]

    def __post_init__(self) -> None:
        if not 0 < len(self.records) <= MOST_RECORDS:
            raise ValueError(f"{len(self.records)} records")

    @property
    def is_of_barrier(self) -> bool:
        """Whether not all threads reach a barrier, which a GPU may tolerate."""
        first = self.records[0]
        return isinstance(first, WatchedBarrier) and not first.is_invalid


@dataclass(frozen=True, slots=True)
class Tolerated:
    """What was found in a launch that ended nevertheless."""

    found: Watched


@dataclass(frozen=True, slots=True)
class NotWatched:
    """A tool that watched no launch, because it took too long or for another reason, which it `said`; or nothing."""

    tool: Literal["memcheck", "racecheck", "initcheck", "synccheck"]
    out_of_time: bool
    said: Text
