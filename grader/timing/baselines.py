"""The baselines of a submission's speed, the naive kernel and the library: timed in this grade, or cached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeAlias

from grader.host import cache
from grader.host.nvml import gpu_id
from grader.judge.grade_plan import GradePlan
from grader.model import Launch, SharedBaselines
from grader.sandbox.client import Worker
from grader.timing import calibration, shared_baselines
from grader.timing.shared_baselines import Baselines
from grader.timing.stages import Conditions, compile_baselines
from grader.timing.subjects import LIBRARY, NAIVE, SUBMISSION, Subject
from grader.timing.worker_pool import worker_pool

PATIENCE = 60.0  # seconds for the baselines of another grade: twelve sizes of the naive kernel and cuBLAS take 20

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
    """Return the baselines; in a class, measure them unless the cached ones still hold. Raises InfrastructureError.

    Of the grades that need those of one GPU at a time, one checks or measures them, and the others wait for that.
    """
    if not plan.shares:
        return compiled(), None, None
    key, names = _key(plan, conditions), (NAIVE,) if plan.rubric.naive else ()
    before = calibration.kept(key, plan.rubric, (*names, LIBRARY))
    if recent := _recently_checked(key, before):
        return recent
    with cache.lock(f"{key}.lock", PATIENCE):
        kept = calibration.kept(key, plan.rubric, (*names, LIBRARY))
        if kept and kept != before:
            return (), kept, SharedBaselines(kept.taken)
        checked = _recently_checked(key, kept) or _checked(key, kept, plan, conditions, workers)
        return checked or _measured(key, names, plan, conditions, compiled, workers)


def check_first(plan: GradePlan, conditions: Conditions, workers: Mapping[str, Worker]) -> None:
    """In a class, check the cached baselines of a GPU before the kernel, unless another grade does: all wait for them.

    Raises InfrastructureError.
    """
    if plan.shares and SUBMISSION in workers:
        key, names = _key(plan, conditions), (NAIVE, LIBRARY) if plan.rubric.naive else (LIBRARY,)
        with cache.lock(f"{key}.lock", 0) as is_first:
            kept = calibration.kept(key, plan.rubric, names)
            if is_first and kept and not _recently_checked(key, kept):
                _checked(key, kept, plan, conditions, workers)


def _key(plan: GradePlan, conditions: Conditions) -> str:
    """Return the cache key of the baselines of this GPU."""
    return shared_baselines.key(gpu_id(), conditions.machine, plan.rubric, plan.naive)


def _recently_checked(key: str, kept: Baselines | None) -> Comparison | None:
    """Return a class's cached baselines without using the GPU; None unless they were checked a few seconds ago."""
    shared = calibration.recent_check(key, kept) if kept else None
    return ((), kept, shared) if shared else None


def _checked(
    key: str, kept: Baselines | None, plan: GradePlan, conditions: Conditions, workers: Mapping[str, Worker]
) -> Comparison | None:
    """Check the cached baselines on the GPU, and return them if they still hold."""
    workers[LIBRARY].open_beside(conditions.gpu)
    if kept is None:
        return None
    shared = calibration.check(kept, workers, plan.rubric, plan.seed, conditions.gpu)
    if not shared_baselines.holds(shared.drift):
        return None
    calibration.keep_check(key, shared)
    return (), kept, shared


def _measured(
    key: str,
    names: tuple[str, ...],
    plan: GradePlan,
    conditions: Conditions,
    compiled: Compiled,
    workers: Mapping[str, Worker],
) -> Comparison:
    """Measure the baselines with the GPU alone, and cache them."""
    with conditions.gpu.alone() as waits:
        for _ in waits:
            pass
        given = conditions.machine.backend, plan.rubric.limits, plan.start
        with worker_pool(names, *given, gpu=conditions.gpu) as more:
            fresh = calibration.calibrate(compiled(), {**workers, **more}, plan.rubric, plan.seed)
    calibration.keep(key, fresh)
    return (), fresh, SharedBaselines(fresh.taken)
