"""A compiled kernel, the conditions under which all of its cases run, and how long each of these may take."""

from dataclasses import dataclass

from grader.judge.compiling import Artifact
from grader.judge.conditions import Conditions
from grader.model import Backend, Case, Interface, Launch, Limits

SIMULATED_FLOPS = 2e8  # per second: the slowest machine and kernel that keep the limit
# The seconds for the smallest product, and the FLOPs of one that may take all of `case_seconds`. A trap took 2.3 s with
# three others on a GPU, and more than 3.5 with fourteen. On the simulator, checked launches of correct kernels take at
# most 1.3 s at N = 33, and 15 at 128.
ON_GPU, SIMULATED = (5.0, 2.0 * 2048**3), (6.0, 2.0 * 128**3)
LAUNCHES_IN_LIMIT = 10  # launches of a small size for which the seconds of one case suffice


@dataclass(frozen=True, slots=True)
class KernelSetup:
    """A compiled kernel, its launch, and the conditions that all of its cases share."""

    artifact: Artifact
    launch: Launch
    conditions: Conditions
    extra_seconds: float = 0.0  # for an answer, beyond the seconds of its case

    @property
    def interface(self) -> Interface:
        return self.conditions.rubric.interface

    @property
    def limits(self) -> Limits:
        return self.conditions.rubric.limits

    @property
    def backend(self) -> Backend:
        return self.conditions.backend

    def seconds_of(self, case: Case) -> float:
        """The seconds that a case may take: less for a small product, and more on a slow backend."""
        grows, most = self.backend.capabilities.limit_grows_with_size, self.limits.case_seconds
        least, flops_of_limit = SIMULATED if grows else ON_GPU
        share = min(1.0, max(least / most, case.shape.flops / flops_of_limit))
        seconds = share * most * (1 + case.launches // LAUNCHES_IN_LIMIT)
        return seconds + case.launches * case.shape.flops / SIMULATED_FLOPS if grows else seconds
