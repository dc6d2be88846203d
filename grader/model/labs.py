"""A lab as its rubric defines it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from grader.model.fields import ADDED_LATER, Count, Sha256
from grader.model.kernels import Interface, Launch
from grader.model.matrices import Shape

CriterionKind = Literal[
    "compiles", "correct", "defined", "speedup", "library-fraction", "peak-fraction", "gflops", "achieved-bandwidth"
]
Undefined = Literal["fails", "remark"]


@dataclass(frozen=True, slots=True)
class Criterion:
    """One line of the rubric."""

    id: str
    """Its short name."""
    title: str
    """Its name for readers."""
    kind: CriterionKind
    """What it measures."""
    points: float
    """Its points."""
    sizes: tuple[Shape, ...] = ()
    """The sizes that count."""
    curve: tuple[tuple[float, float], ...] = ()
    """Pairs of a measured value and the share of the points that it earns, linear in between; empty without a speed."""
    requires: tuple[str, ...] = ()
    """Criteria that must have all their points before this one earns any."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a size is measured."""

    seconds_per_size: float = 0.6
    """Seconds for one size."""
    relative_width: float = 0.004
    """Half-width of the 95 % interval, relative to the median, that is narrow enough."""
    min_rounds: Count = 7
    """Fewest rounds."""
    max_rounds: Count = 60
    """Most rounds."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one submission may use."""

    compile_seconds: float = 60.0
    """Seconds of wall clock to compile."""
    case_seconds: float = 20.0
    """Seconds of wall clock for one case."""
    memory_mib: Count = 4096
    """Memory of the machine in MiB."""
    output_bytes: Count = 65536
    """Bytes that the kernel may print."""


@dataclass(frozen=True, slots=True)
class Header:
    """A file of the course that submissions include."""

    name: str
    """Its path from the rubric's folder."""
    sha256: Sha256
    """Hash of its bytes."""
    text: str = field(default="", compare=False)
    """Its text, with bytes that are not UTF-8 as surrogates; empty in a report."""

    @property
    def content(self) -> bytes:
        return self.text.encode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class Rubric:
    """A lab: how the kernel is called, what it must do, and what that is worth."""

    title: str
    """Name of the lab."""
    interface: Interface
    """How the kernel is called."""
    launch: Launch
    """How a submission that declares no launch is launched."""
    flags: tuple[str, ...]
    """Flags for the compiler that the course chose."""
    sizes: tuple[Shape, ...]
    """Sizes at which answers are checked."""
    quick_sizes: tuple[Shape, ...]
    """Sizes for a quick check while a student works."""
    timed_sizes: tuple[Shape, ...]
    """Sizes that are timed."""
    limits: Limits
    """The limits of each submission."""
    timing: Timing
    """How long each size is measured."""
    naive: str
    """File of the naive kernel; empty without one."""
    library: str
    """Library that the submission is compared with; empty without one."""
    criteria: tuple[Criterion, ...]
    """What earns points."""
    sha256: Sha256 = ""
    """Hash of the rubric file's bytes, or without its hidden sizes, of the rest; empty for a rubric that came from no
    file."""
    undefined: Annotated[Undefined, ADDED_LATER] = "fails"
    """What undefined behaviour does (data races, unset memory, wrong warp masks): it fails, or is a remark."""
    hidden_sizes: Annotated[tuple[Shape, ...], ADDED_LATER] = ()
    """Sizes that students do not see before `visible_after`."""
    visible_after: Annotated[str, ADDED_LATER] = ""
    """Date as ISO 8601 with its offset from UTC; empty if no sizes are hidden. Hidden sizes are missing from the report
    of a student before that date."""
    headers: Annotated[tuple[Header, ...], ADDED_LATER] = ()
    """Files of the course that submissions include."""

    @property
    def largest_timed(self) -> Shape | None:
        """The timed size with the most operations; None if nothing is timed."""
        return max(self.timed_sizes, key=lambda shape: shape.flops, default=None)

    @property
    def rules(self) -> Rubric:
        """What decides on a grade: the rubric without the hash of its file and the date of its hidden sizes."""
        return replace(self, sha256="", visible_after="")

    @property
    def without_texts(self) -> Rubric:
        """The rubric with the hashes of the course's files only."""
        return replace(self, headers=tuple(replace(header, text="") for header in self.headers))
