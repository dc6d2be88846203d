"""What a submission's speed is compared with: the naive kernel and the library, beside it or kept from before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeAlias

from grader.errors import InfrastructureError, SubmissionError
from grader.host.nvml import gpu_id
from grader.judge.compiling import Artifact, compile_source
from grader.judge.plan import Plan
from grader.model import Launch, Machine, SharedBaselines
from grader.sandbox.client import Worker
from grader.timing import calibration, shared_baselines
from grader.timing.rounds import LIBRARY, NAIVE, SUBMISSION, Subject, bench, open_all
from grader.timing.shared_baselines import Baselines

Compiled: TypeAlias = Callable[[], tuple[Subject, ...]]


@contextmanager
def compiled_ahead(plan: Plan, machine: Machine, launch: Launch, workers: Mapping[str, Worker]) -> Iterator[Compiled]:
    """The baselines, compiled while the submission is checked. The call waits, and raises InfrastructureError."""
    if plan.shares or SUBMISSION not in workers:  # mostly they are kept, or nothing is timed at all
        yield lambda: _baselines(plan, machine, launch)
        return
    with ThreadPoolExecutor(max_workers=1) as compilers:
        yield compilers.submit(_baselines, plan, machine, launch).result


def comparison(
    plan: Plan, machine: Machine, compiled: Compiled, workers: Mapping[str, Worker]
) -> tuple[tuple[Subject, ...], Baselines | None, SharedBaselines | None]:
    """Subjects that take turns with the submission, or else what was kept of them. Raises InfrastructureError."""
    if plan.shares:
        return ((), *_shared_baselines(plan, machine, compiled, workers))
    return compiled(), None, None


def _shared_baselines(
    plan: Plan, machine: Machine, compiled: Compiled, workers: Mapping[str, Worker]
) -> tuple[Baselines, SharedBaselines]:
    """Those of this GPU: kept ones where they hold, and otherwise fresh ones, which are kept."""
    rubric = plan.rubric
    names = (NAIVE,) if rubric.naive else ()
    key = shared_baselines.key(gpu_id(), machine, rubric, plan.naive)
    kept = calibration.kept(key, rubric, (*names, LIBRARY))
    if kept:
        shared = calibration.check(kept, workers, rubric, plan.seed)
        if shared_baselines.holds(shared.drift):
            return kept, shared
    with bench(names, machine.backend, rubric.limits, plan.start) as more:
        open_all(more)
        fresh = calibration.calibrate(compiled(), {**workers, **more}, rubric, plan.seed)
    calibration.keep(key, fresh)
    return fresh, SharedBaselines(fresh.taken)


def _baselines(plan: Plan, machine: Machine, launch: Launch) -> tuple[Subject, ...]:
    """What the submission is compared with, compiled."""
    found = []
    if plan.rubric.naive:
        naive = _compile_naive(plan, machine)
        found.append(Subject(NAIVE, naive, naive.build.launch or plan.rubric.launch))
    if plan.rubric.library:
        found.append(Subject(LIBRARY, None, launch))
    return tuple(found)


def _compile_naive(plan: Plan, machine: Machine) -> Artifact:
    rubric = plan.rubric
    try:
        return compile_source(
            plan.naive, "naive.cu", rubric.interface, rubric.flags, rubric.limits, machine, plan.start
        )
    except SubmissionError as error:
        raise InfrastructureError(f"The rubric's naive kernel does not compile: {error.fault.sentence}") from error
