"""The plan of a grade: the submission, the lab, which sizes and stages, and where workers start."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from grader.comparison.known_products import KnownProducts
from grader.contract.inputs import REPEATED
from grader.judge.cases import cases
from grader.model import Backend, Case, Rubric, Shape
from grader.sandbox.client import Worker
from grader.sandbox.processes import Start, start_process


@dataclass(frozen=True, slots=True)
class GradePlan:
    """The submission's path, the lab, the sizes, and where workers start. `naive` is the source of the naive kernel.

    With `share_baselines`, the submission is compared with baselines that were measured once for this GPU. `library` is
    an open cuBLAS worker that outlives the grade, and `products` are the exact products that its class shares. `device`
    is the GPU that the advice is for. The largest correct size of `profiled_sizes` is profiled.
    """

    path: Path
    rubric: Rubric
    naive: bytes
    seed: int
    sizes: tuple[Shape, ...]
    timed: bool = True
    start: Start = start_process
    share_baselines: bool = False
    library: Worker | None = None
    products: KnownProducts | None = None
    device: str = ""
    profiled_sizes: tuple[Shape, ...] = ()

    @property
    def shares(self) -> bool:
        return self.share_baselines and bool(self.rubric.library)  # by which drift is measured

    def naive_sha256(self, backend: Backend) -> str:
        """Return the SHA-256 of the naive kernel in hexadecimal; empty if speeds are not compared with it."""
        return hashlib.sha256(self.naive).hexdigest() if self.naive and backend.capabilities.measures_speed else ""

    def results(self, backend: Backend) -> int:
        """Return the number of results of a complete grade."""
        timed = self.rubric.timed_sizes if self.timed and backend.capabilities.measures_speed else ()
        return len(self.cases(backend)) + len(self.hidden_cases(backend)) + len(timed)

    def cases(self, backend: Backend) -> list[Case]:
        """Return the cases of the visible sizes; they do not depend on the hidden ones."""
        sizes = tuple(shape for shape in self.sizes if shape not in self.rubric.hidden_sizes)
        return list(cases(sizes, self.seed, backend))

    def hidden_cases(self, backend: Backend) -> list[Case]:
        """Return the cases of the hidden sizes. Repeated launches are left out: those of the visible sizes suffice."""
        sizes = tuple(shape for shape in self.sizes if shape in self.rubric.hidden_sizes)
        return [case for case in cases(sizes, self.seed, backend) if case.run != REPEATED] if sizes else []
