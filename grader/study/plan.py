"""What a study is to measure."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model import Rubric, Shape
from grader.study import blas
from grader.study.variants import Variant


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure. `naive` is the source of that baseline, empty where it is not wanted.

    Where not `checked`, only the smallest size is checked ahead; what is timed is checked in any case.
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
    def blas_type(self) -> str | None:
        """The type of BLAS's product; None where it is not wanted, or BLAS has none like the lab's."""
        return blas.kind(self.rubric.interface) if self.blas else None
