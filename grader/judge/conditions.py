"""What the compilation, the checks and the timing of a kernel share: the lab, the machine, and the source of inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from grader.comparison.expectation import Expect, expectation
from grader.host.gpu_lock import NOBODY_SHARES, GpuLock
from grader.judge.launch_verdicts import Bytes
from grader.model import Backend, Case, Limits, Machine, Rubric
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
