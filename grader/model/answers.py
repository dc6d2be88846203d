"""A case, and what the kernel answered."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.matrices import Shape
from grader.model.verdicts import Fault, Verdict


@dataclass(frozen=True, slots=True)
class Case:
    """One size with one family of inputs. `launches` follow each other in one process, each on fresh inputs.

    `order` is the order in which the simulator runs the threads of a block, forward or reverse;
    `sampled` says that it runs the edge blocks and a random part of the rest.
    """

    shape: Shape
    family: str
    seed: int
    launches: int = 1
    order: str = "forward"
    sampled: bool = False

    def __str__(self) -> str:
        return f"{self.shape} {self.family}"


@dataclass(frozen=True, slots=True)
class Region:
    """Where wrong elements of C lie, and how many."""

    where: str
    wrong: int
    total: int
    never_written: int
    not_a_number: int


@dataclass(frozen=True, slots=True)
class Element:
    """One element of C: what it should be and what it is."""

    row: int
    column: int
    expected: float
    got: float


@dataclass(frozen=True, slots=True)
class Mismatch:
    """How an answer is wrong: how much of it, the first and the worst element."""

    region: Region
    first: Element
    worst: Element


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Largest |C - C64| over the rounding bound gamma_K*(|A|*|B|), for the kernel and for the library."""

    kernel: float
    library: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of a launch's blocks ran."""

    ran: int
    blocks: int


@dataclass(frozen=True, slots=True)
class CaseResult:
    """A case and what became of it. A fault belongs to every verdict but OK, a mismatch to WRONG_ANSWER alone."""

    case: Case
    verdict: Verdict
    seconds: float = 0.0
    fault: Fault | None = None
    mismatch: Mismatch | None = None
    accuracy: Accuracy | None = None
    coverage: Coverage | None = None
    printed: str = ""

    def __post_init__(self) -> None:
        if (self.fault is None) != (self.verdict is Verdict.OK):
            raise ValueError(f"verdict {self.verdict} and fault {self.fault} contradict each other")
        if self.mismatch is not None and self.verdict is not Verdict.WRONG_ANSWER:
            raise ValueError(f"a mismatch with verdict {self.verdict}")
        if self.accuracy is not None and self.verdict is not Verdict.OK:
            raise ValueError(f"an accuracy with verdict {self.verdict}")
