"""What a grade compares a submission's speed with: the naive kernel and the library, timed now or kept from before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeAlias

from grader.host.nvml import gpu_id
from grader.judge.grade_plan import GradePlan
from grader.model import Launch, SharedBaselines
from grader.sandbox.client import Worker
from grader.timing import calibration, shared_baselines
from grader.timing.shared_baselines import Baselines
from grader.timing.stages import Conditions, compile_baselines
from grader.timing.subjects import LIBRARY, NAIVE, SUBMISSION, Subject
from grader.timing.worker_pool import worker_pool

Compiled: TypeAlias = Callable[[], tuple[Subject, ...]]


@contextmanager
def compiled_ahead(
    plan: GradePlan, conditions: Conditions, launch: Launch, workers: Mapping[str, Worker]
) -> Iterator[Compiled]:
    """The baselines, compiled while the submission is checked. The call waits, and raises InfrastructureError."""
    naive = plan.naive if plan.rubric.naive else b""

    def compiled() -> tuple[Subject, ...]:
        return compile_baselines(conditions, naive, launch, library=bool(plan.rubric.library))

    if plan.shares or SUBMISSION not in workers:  # mostly they are kept, or nothing is timed at all
        yield compiled
        return
    with ThreadPoolExecutor(max_workers=1) as compilers:
        yield compilers.submit(compiled).result


def comparison(
    plan: GradePlan, conditions: Conditions, compiled: Compiled, workers: Mapping[str, Worker]
) -> tuple[tuple[Subject, ...], Baselines | None, SharedBaselines | None]:
    """Subjects that take turns with the submission, or kept measurements of them. Raises InfrastructureError."""
    if plan.shares:
        return ((), *_shared_baselines(plan, conditions, compiled, workers))
    return compiled(), None, None


def _shared_baselines(
    plan: GradePlan, conditions: Conditions, compiled: Compiled, workers: Mapping[str, Worker]
) -> tuple[Baselines, SharedBaselines]:
    """Baselines kept for this GPU if they still hold, or else new ones, which are kept."""
    rubric, machine = plan.rubric, conditions.machine
    names = (NAIVE,) if rubric.naive else ()
    key = shared_baselines.key(gpu_id(), machine, rubric, plan.naive)
    kept = calibration.kept(key, rubric, (*names, LIBRARY))
    if kept:
        if shared := calibration.recent_check(key, kept):
            return kept, shared
        shared = calibration.check(kept, workers, rubric, plan.seed)
        if shared_baselines.holds(shared.drift):
            calibration.keep_check(key, shared)
            return kept, shared
    with worker_pool(names, machine.backend, rubric.limits, plan.start, gpu=conditions.gpu) as more:
        fresh = calibration.calibrate(compiled(), {**workers, **more}, rubric, plan.seed)
    calibration.keep(key, fresh)
    return fresh, SharedBaselines(fresh.taken)
