"""A case, and what the kernel answered."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

from grader.model.fields import ADDED_LATER, Count, Positive
from grader.model.matrices import Shape
from grader.model.verdicts import Fault, Verdict

Order = Literal["forward", "reverse"]


@dataclass(frozen=True, slots=True)
class Case:
    """One run of a size."""

    shape: Shape
    """The size."""
    run: str
    """first and second are the two runs of each size; repeated launches several times; checked is like first, and the
    simulator or compute-sanitizer looks for races in the accesses of the launch; timed is a wrong answer of a timed
    launch. Reports of older versions name a family of inputs here."""
    seed: int
    """Seed of the inputs."""
    launches: Positive = 1
    """Launches in one process, each on fresh inputs."""
    order: Order = "forward"
    """Order in which the simulator runs the threads of a block."""
    shared_out: bool = False
    """Whether both runs share the blocks of the launch, so that each block runs in at least one of them."""

    def __str__(self) -> str:
        return f"{self.shape} {self.run}"


@dataclass(frozen=True, slots=True)
class WrongPart:
    """A rectangle of wrong elements of C."""

    top: Count
    """Its first row."""
    bottom: Count
    """The row after its last one."""
    left: Count
    """Its first column."""
    right: Count
    """The column after its last one."""


@dataclass(frozen=True, slots=True)
class Region:
    """Where wrong elements of C are, and how many."""

    where: str
    """Where they are, in words."""
    wrong: Count
    """Wrong elements."""
    total: Count
    """Elements of C."""
    never_written: Count
    """Elements that the kernel never wrote."""
    not_a_number: Count
    """Elements that are not a number."""
    parts: Annotated[tuple[WrongPart, ...], ADDED_LATER] = ()
    """The rectangles of wrong elements; if there are many, one around all of them."""


@dataclass(frozen=True, slots=True)
class Element:
    """One wrong element of C."""

    row: Count
    """Its row, from 0."""
    column: Count
    """Its column, from 0."""
    expected: float
    """The correct value."""
    got: float
    """The value that the kernel wrote."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """How an answer is wrong."""

    region: Region
    """Where it is wrong, and in how many elements."""
    first: Element
    """The first wrong element."""
    worst: Element
    """The element with the largest error."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Errors |C - C64| as multiples of those of a plain sum of the same terms in the type of C, one after the other.

    Of two multiples the larger one: that of the largest error and that of the root mean square.
    """

    kernel: float
    """Errors of the kernel."""
    library: float
    """Errors of the library."""
    allowed: float
    """The largest multiple that the lab accepts."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case and its outcome. The verdict decides which of the other fields are there."""

    case: Case
    """The case."""
    verdict: Verdict
    """The outcome."""
    seconds: float = 0.0
    """Seconds for the case, including everything around the launch."""
    fault: Fault | None = None
    """What went wrong; null exactly when the verdict is ok."""
    mismatch: Mismatch | None = None
    """How the answer is wrong; only with wrong-answer."""
    accuracy: Accuracy | None = None
    """How accurate the answer is; only with ok, for inputs with rounding."""
    printed: str = ""
    """Output of the kernel, cut at the limit; may be empty."""
    tolerated: Annotated[Fault | None, ADDED_LATER] = None
    """Undefined behaviour that does not fail the case in this lab."""
    remark: Annotated[str, ADDED_LATER] = ""
    """Why a launch was not searched for undefined behaviour, or what else was noticed; may be empty."""
    partly_searched: Annotated[str, ADDED_LATER] = ""
    """What a checked launch was not searched for because it is long; empty for a complete search."""
    searched: Annotated[str, ADDED_LATER] = ""
    """Which blocks of a checked launch were searched for data races and unset memory; empty for other launches."""

    def __post_init__(self) -> None:
        if (self.fault is None) != (self.verdict is Verdict.OK):
            raise ValueError(f"verdict {self.verdict} and fault {self.fault} contradict each other")
        if self.mismatch is not None and self.verdict is not Verdict.WRONG_ANSWER:
            raise ValueError(f"a mismatch with verdict {self.verdict}")
        if self.accuracy is not None and self.verdict is not Verdict.OK:
            raise ValueError(f"an accuracy with verdict {self.verdict}")


def decisive(results: Iterable[CaseResult]) -> list[CaseResult]:
    """The results without those of cases that were skipped because others of their size failed."""
    every = list(results)
    failed = {result.case.shape for result in every if result.verdict.is_students_fault}
    return [result for result in every if result.verdict is not Verdict.SKIPPED or result.case.shape not in failed]


def by_size(results: Iterable[CaseResult]) -> dict[Shape, list[CaseResult]]:
    """The decisive results of each size, in their order."""
    sizes: dict[Shape, list[CaseResult]] = {}
    for result in decisive(results):
        sizes.setdefault(result.case.shape, []).append(result)
    return sizes
