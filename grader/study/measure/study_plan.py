"""The plan of a study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.model import Rubric, Shape
from grader.study.measure import blas
from grader.study.measure.variants import Variant


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """What to measure. `naive` is the source of that baseline, empty for none.

    If not `checked`, only the smallest size is checked before timing; every timed launch is checked in any case.
    """

    rubric: Rubric
    variants: tuple[Variant, ...]
    shapes: tuple[Shape, ...]
    naive: bytes
    library: bool
    blas: bool
    seed: int
    checked: bool = True

    @property
    def points(self) -> int:
        """The number of points if everything compiles."""
        return len(self.shapes) * (len(self.variants) + (1 if self.blas_type else 0))

    @property
    def only_timed(self) -> frozenset[Shape]:
        """Sizes that the rubric says are too large to check element by element."""
        return frozenset(self.rubric.timed_sizes) - frozenset(self.rubric.sizes)

    def ahead(self, shapes: Sequence[Shape]) -> tuple[Shape, ...]:
        """The sizes to check before any of `shapes` is timed, at least one."""
        small = tuple(shape for shape in shapes if shape not in self.only_timed)
        small = small or (min(self.rubric.sizes, key=lambda shape: shape.flops),)
        return small if self.checked else (min(small, key=lambda shape: shape.flops),)

    @property
    def blas_type(self) -> str | None:
        """The type of BLAS's product; None if not requested, or if BLAS has no such product."""
        return blas.kind(self.rubric.interface) if self.blas else None
