"""The baselines of a submission's speed, the naive kernel and the library: timed in this grade, or cached."""

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
# The baselines to time in turns with the submission; or cached measurements of them, and what the report says of these.
Comparison: TypeAlias = tuple[tuple[Subject, ...], Baselines | None, SharedBaselines | None]


@contextmanager
def compiled_ahead(
    plan: GradePlan, conditions: Conditions, launch: Launch, workers: Mapping[str, Worker]
) -> Iterator[Compiled]:
    """Compile the baselines while the submission is checked, and give a function that waits for them.

    It raises InfrastructureError if one of them does not compile.
    """
    naive = plan.naive if plan.rubric.naive else b""

    def compiled() -> tuple[Subject, ...]:
        return compile_baselines(conditions, naive, launch, library=bool(plan.rubric.library))

    if plan.shares or SUBMISSION not in workers:  # they are probably cached, or nothing is timed
        yield compiled
        return
    with ThreadPoolExecutor(max_workers=1) as compilers:
        yield compilers.submit(compiled).result


def comparison(
    plan: GradePlan, conditions: Conditions, compiled: Compiled, workers: Mapping[str, Worker]
) -> Comparison:
    """Return the baselines; in a class, measure them unless the cached ones still hold. Raises InfrastructureError."""
    if not plan.shares:
        return compiled(), None, None
    return _recently_checked(plan, conditions) or _checked_or_measured(plan, conditions, compiled, workers)


def _recently_checked(plan: GradePlan, conditions: Conditions) -> Comparison | None:
    """Return a class's cached baselines without using the GPU; None unless they were checked a few seconds ago."""
    key, _, kept = _cached(plan, conditions)
    shared = calibration.recent_check(key, kept) if kept else None
    return ((), kept, shared) if shared else None


def _cached(plan: GradePlan, conditions: Conditions) -> tuple[str, tuple[str, ...], Baselines | None]:
    """Return the cache key of this GPU's baselines, the names of those besides the library, and the cached rounds."""
    names = (NAIVE,) if plan.rubric.naive else ()
    key = shared_baselines.key(gpu_id(), conditions.machine, plan.rubric, plan.naive)
    return key, names, calibration.kept(key, plan.rubric, (*names, LIBRARY))


def _checked_or_measured(
    plan: GradePlan, conditions: Conditions, compiled: Compiled, workers: Mapping[str, Worker]
) -> Comparison:
    """Return the cached baselines of this GPU if they still hold; otherwise measure them again and cache them."""
    rubric, machine, gpu = plan.rubric, conditions.machine, conditions.gpu
    workers[LIBRARY].open_beside(gpu)
    key, names, kept = _cached(plan, conditions)
    if kept:
        shared = calibration.check(kept, workers, rubric, plan.seed, gpu)
        if shared_baselines.holds(shared.drift):
            calibration.keep_check(key, shared)
            return (), kept, shared
    with gpu.alone() as waits:
        for _ in waits:
            pass
        if measured := _measured_since(plan, conditions, kept):
            return (), measured, SharedBaselines(measured.taken)
        with worker_pool(names, machine.backend, rubric.limits, plan.start, gpu=gpu) as more:
            fresh = calibration.calibrate(compiled(), {**workers, **more}, rubric, plan.seed)
        calibration.keep(key, fresh)
    return (), fresh, SharedBaselines(fresh.taken)


def _measured_since(plan: GradePlan, conditions: Conditions, kept: Baselines | None) -> Baselines | None:
    """Return baselines that another grade has measured while this one waited for the GPU."""
    _, _, now = _cached(plan, conditions)
    return now if now and now != kept else None
