"""The facts about a kernel that the rules of advice use. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grader.advice.devices import GpuFigures
from grader.advice.work import Work, bounds
from grader.model import AccessCount, Counters, Launch

ESTIMATED_SLOWDOWN = 1.25  # of a kernel over its largest bound, where it is not timed: 1.2 to 1.3 for plain kernels


@dataclass(frozen=True, slots=True)
class Situation:
    """A kernel at one size on one GPU. `measured` is the time of a launch in microseconds; None if it was not timed."""

    counters: Counters
    launch: Launch
    gpu: GpuFigures
    work: Work
    measured: float | None

    @property
    def microseconds(self) -> float:
        """The time of a launch, measured or estimated."""
        return self.measured or ESTIMATED_SLOWDOWN * self.least(self.work)

    def least(self, work: Work) -> float:
        """Return the largest bound."""
        return bounds(work, self.gpu)[0].microseconds

    @property
    def limiter(self) -> str:
        return bounds(self.work, self.gpu)[0].resource

    def of(self, space: str, *kinds: str) -> list[AccessCount]:
        """Return the accesses to a space of these kinds."""
        return [access for access in self.counters.accesses if access.space == space and access.kind in kinds]

    @property
    def useful(self) -> float:
        """Multiply-add instructions of warps that the product needs."""
        return self.counters.shape.flops / 2 / 32

    @property
    def results(self) -> float:
        """Elements of C that a thread computes."""
        return self.launch.tile[0] * self.launch.tile[1] / self.launch.threads

    def loads_each(self, space: str) -> float:
        """Loads from a space for each multiply-add."""
        return requests(self.of(space, "load", "copy")) / self.useful


def requests(accesses: Iterable[AccessCount]) -> int:
    """Return the requests of some accesses."""
    return sum(access.requests for access in accesses)
