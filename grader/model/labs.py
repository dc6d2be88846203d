"""A lab as its rubric says it."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.kernels import Launch
from grader.model.matrices import Interface, Shape


@dataclass(frozen=True, slots=True)
class Criterion:
    """One line of the rubric. `curve` holds (value, share of the points) and is linear in between."""

    id: str
    title: str
    kind: str
    points: float
    sizes: tuple[Shape, ...] = ()
    curve: tuple[tuple[float, float], ...] = ()
    requires: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Timing:
    """How long to measure: seconds per size, and the half-width of the interval that is narrow enough."""

    seconds_per_size: float = 0.6
    relative_width: float = 0.004
    min_rounds: int = 7
    max_rounds: int = 60


@dataclass(frozen=True, slots=True)
class Limits:
    """What a worker may use. Seconds of wall clock per request, MiB, and bytes of printed output."""

    compile_seconds: float = 60.0
    case_seconds: float = 20.0
    memory_mib: int = 4096
    output_bytes: int = 65536


@dataclass(frozen=True, slots=True)
class Rubric:
    """A lab: how the kernel is called, what it must do, and what that is worth."""

    title: str
    interface: Interface
    launch: Launch
    flags: tuple[str, ...]
    sizes: tuple[Shape, ...]
    quick_sizes: tuple[Shape, ...]
    timed_sizes: tuple[Shape, ...]
    limits: Limits
    timing: Timing
    naive: str
    library: str
    criteria: tuple[Criterion, ...]
    sha256: str = ""

    @property
    def points(self) -> float:
        return sum(criterion.points for criterion in self.criteria)
