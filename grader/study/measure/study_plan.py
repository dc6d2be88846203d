"""What a study is to measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.model import Rubric, Shape
from grader.study.measure import blas
from grader.study.measure.variants import Variant


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """What to measure. `naive` is the source of that baseline, empty where it is not wanted.

    Where not `checked`, only the smallest size is checked ahead; every timed launch is checked in any case.
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
        """How many points there are when everything compiles."""
        return len(self.shapes) * (len(self.variants) + (1 if self.blas_type else 0))

    @property
    def only_timed(self) -> frozenset[Shape]:
        """Sizes that the rubric says are too large to check element by element."""
        return frozenset(self.rubric.timed_sizes) - frozenset(self.rubric.sizes)

    def ahead(self, shapes: Sequence[Shape]) -> tuple[Shape, ...]:
        """What to check before any of these sizes is timed, which is one size at least."""
        small = tuple(shape for shape in shapes if shape not in self.only_timed)
        small = small or (min(self.rubric.sizes, key=lambda shape: shape.flops),)
        return small if self.checked else (min(small, key=lambda shape: shape.flops),)

    @property
    def blas_type(self) -> str | None:
        """The type of BLAS's product; None where it is not wanted, or BLAS has none like the lab's."""
        return blas.kind(self.rubric.interface) if self.blas else None
