"""What the steps of a grade share, the lab, the machine and the source of inputs; and its plan: sizes and stages."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from grader.comparison.expectation import Expect, KnownProducts, ahead, expectation
from grader.contract.inputs import REPEATED
from grader.host.gpu_lock import NOBODY_SHARES, GpuLock
from grader.judge.cases import cases
from grader.judge.launch_verdicts import Bytes
from grader.model import Backend, Case, Limits, Machine, Rubric, Shape
from grader.sandbox.client import Worker
from grader.sandbox.processes import Start, start_process

# Returns the library's product of a case: one that is known, or what the function computes.
Product = Callable[[Case, Callable[[], Bytes]], Bytes]


def computed_product(_: Case, compute: Callable[[], Bytes]) -> Bytes:
    """Compute the library's product of a case: a single grade knows none."""
    return compute()


@dataclass(frozen=True, slots=True)
class Conditions:
    """A lab, a machine, how workers start on it, the seed of all inputs, and where expected results come from.

    `gpu` is the lock that grades on one machine share; a grade that already has the GPU alone needs none.
    """

    rubric: Rubric
    machine: Machine
    seed: int
    start: Start = start_process
    gpu: GpuLock = NOBODY_SHARES
    expect: Expect = expectation
    product: Product = computed_product

    @property
    def backend(self) -> Backend:
        return self.machine.backend

    def on(self, backend: Backend) -> Conditions:
        """Return the same conditions on another backend."""
        return replace(self, machine=replace(self.machine, backend=backend))

    def within(self, limits: Limits) -> Conditions:
        """Return the same conditions with other limits."""
        return replace(self, rubric=replace(self.rubric, limits=limits))


@dataclass(frozen=True, slots=True)
class Shared:
    """What the grades of a class share: exact products, and if it has cuBLAS, a worker of it and its products."""

    products: KnownProducts
    library: Worker | None = None
    library_product: Product = computed_product


@dataclass(frozen=True, slots=True)
class GradePlan:
    """The submission's path, the lab, the sizes, and where workers start. `naive` is the source of the naive kernel.

    With `share_baselines`, the submission is compared with baselines that were measured once for this GPU.
    `device` is the GPU that the advice is for. The largest correct size of `profiled_sizes` is profiled.
    """

    path: Path
    rubric: Rubric
    naive: bytes
    seed: int
    sizes: tuple[Shape, ...]
    timed: bool = True
    start: Start = start_process
    share_baselines: bool = False
    shared: Shared | None = None
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

    def expecting(self, backend: Backend) -> AbstractContextManager[Expect]:
        """Give the function that returns expected results; those of a class are kept.

        For a GPU, the first ones are computed while the kernel is compiled; a simulator needs the CPUs itself.
        """
        first = self.cases(backend) if backend.capabilities.uses_gpu else []
        return ahead(first, self.rubric.interface, self.shared.products.expect if self.shared else expectation)

    def hidden_cases(self, backend: Backend) -> list[Case]:
        """Return the cases of the hidden sizes. Repeated launches are left out: those of the visible sizes suffice."""
        sizes = tuple(shape for shape in self.sizes if shape in self.rubric.hidden_sizes)
        return [case for case in cases(sizes, self.seed, backend) if case.run != REPEATED] if sizes else []
