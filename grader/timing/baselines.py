"""The baselines of a submission's speed, the naive kernel and the library: timed in this grade, or cached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TypeAlias

from grader.host import cache
from grader.host.gpu_lock import NOBODY_SHARES, GpuLock
from grader.host.nvml import gpu_id
from grader.judge.grade_plan import GradePlan
from grader.model import Launch, Rubric, Shape, SharedBaselines
from grader.sandbox.client import Worker
from grader.timing import projecting, shared_baselines
from grader.timing.projecting import Verifying, verifiers
from grader.timing.rounds import Enough, Samples, WrongWhenTimedError, install, prepare, take_rounds
from grader.timing.shared_baselines import Baselines, DriftCheck, Rounds
from grader.timing.stages import Conditions, compile_baselines
from grader.timing.subjects import LIBRARY, NAIVE, SUBMISSION, Subject
from grader.timing.worker_pool import worker_pool

ROUNDS = 30  # so many that the width of a ratio's interval depends on the submission's rounds alone
SECONDS = 2.0  # per size; after these, the rubric's min_rounds are enough
CHECK_ROUNDS = 8
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
    before = cached(key, plan.rubric, (*names, LIBRARY))
    if recent := _recently_checked(key, before):
        return recent
    with cache.lock(f"{key}.lock", PATIENCE):
        kept = cached(key, plan.rubric, (*names, LIBRARY))
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
            kept = cached(key, plan.rubric, names)
            if is_first and kept and not _recently_checked(key, kept):
                _checked(key, kept, plan, conditions, workers)


def _key(plan: GradePlan, conditions: Conditions) -> str:
    """Return the cache key of the baselines of this GPU."""
    return shared_baselines.key(gpu_id(), conditions.machine, plan.rubric, plan.naive)


def _recently_checked(key: str, kept: Baselines | None) -> Comparison | None:
    """Return a class's cached baselines without using the GPU; None unless they were checked a few seconds ago."""
    shared = recent_check(key, kept) if kept else None
    return ((), kept, shared) if shared else None


def _checked(
    key: str, kept: Baselines | None, plan: GradePlan, conditions: Conditions, workers: Mapping[str, Worker]
) -> Comparison | None:
    """Check the cached baselines on the GPU, and return them if they still hold."""
    workers[LIBRARY].open_beside(conditions.gpu)
    if kept is None:
        return None
    shared = check(kept, workers, plan.rubric, plan.seed, conditions.gpu)
    if not shared_baselines.holds(shared.drift):
        return None
    keep_check(key, shared)
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
            fresh = _calibrate(compiled(), {**workers, **more}, plan.rubric, plan.seed)
    keep(key, fresh)
    return (), fresh, SharedBaselines(fresh.taken)


def _calibrate(subjects: Sequence[Subject], workers: Mapping[str, Worker], rubric: Rubric, seed: int) -> Baselines:
    """Measure all baselines at every timed size, in turns. The caller has the GPU alone."""

    def enough(rounds: int, elapsed: float) -> bool:
        return rounds >= rubric.timing.min_rounds and (rounds >= ROUNDS or elapsed > SECONDS)

    rounds: dict[str, tuple[Rounds, ...]] = {subject.name: () for subject in subjects}
    for shape in rubric.timed_sizes:
        for name, samples in _time_rounds(subjects, workers, rubric, shape, seed, enough, NOBODY_SHARES).items():
            rounds[name] += (Rounds(shape, tuple(samples.seconds), samples.launches, samples.telemetry),)
    return Baselines(datetime.now(UTC).isoformat(timespec="seconds"), rounds)


def check(kept: Baselines, workers: Mapping[str, Worker], rubric: Rubric, seed: int, gpu: GpuLock) -> SharedBaselines:
    """Measure the library again at the largest size, at which a hot or shared device loses the most speed.

    It is prepared beside other grades, and has the `gpu` alone for its rounds, as a submission has.
    """
    library = Subject(LIBRARY, None, rubric.launch)
    shape = max(rubric.timed_sizes, key=lambda shape: shape.flops)
    again = _time_rounds([library], workers, rubric, shape, seed, lambda rounds, _: rounds >= CHECK_ROUNDS, gpu)
    drift = shared_baselines.drift(kept.at(LIBRARY, shape), again[LIBRARY].seconds)
    return SharedBaselines(kept.taken, f"{LIBRARY} at {shape}", drift)


def cached(name: str, rubric: Rubric, subjects: Sequence[str]) -> Baselines | None:
    """Read the baselines cached under this name; None if they are missing, incomplete or old."""
    content = cache.read(name)
    baselines = shared_baselines.decode(content, subjects, rubric.timed_sizes) if content is not None else None
    return baselines if baselines and shared_baselines.is_recent(baselines, datetime.now(UTC)) else None


def keep(name: str, baselines: Baselines) -> None:
    """Cache baselines for the next submissions on this GPU, if the cache is writable."""
    cache.write(name, shared_baselines.encode(baselines).encode())


def recent_check(name: str, kept: Baselines) -> SharedBaselines | None:
    """Read the last check of the baselines cached under this name; None if it was not made a few seconds ago."""
    content = cache.read(f"{name}.check")
    check = shared_baselines.decode_check(content) if content is not None else None
    return check.shared if check and shared_baselines.still_holds(check, kept, datetime.now(UTC)) else None


def keep_check(name: str, shared: SharedBaselines) -> None:
    """Cache the check for the next submissions, if the cache is writable."""
    check = DriftCheck(datetime.now(UTC).isoformat(), shared)
    cache.write(f"{name}.check", shared_baselines.encode(check).encode())


def _time_rounds(
    subjects: Sequence[Subject],
    workers: Mapping[str, Worker],
    rubric: Rubric,
    shape: Shape,
    seed: int,
    enough: Enough,
    gpu: GpuLock,
) -> dict[str, Samples]:
    """Time rounds at one size. Raises InfrastructureError for every failure: baselines must be correct."""
    samples = {subject.name: Samples() for subject in subjects}
    install(subjects, workers)
    try:
        size = projecting.single_size(shape, rubric.interface, seed)
        size.base()
        prepare(subjects, workers, rubric, size, seed, gpu)
        with verifiers() as threads:
            verifying = Verifying(threads)
            with gpu.alone() as waits:
                for _ in waits:
                    pass
                take_rounds(workers, rubric, size, seed, samples, enough, verifying)
            verifying.finish()
    except WrongWhenTimedError as wrong:
        raise wrong.as_grader_error() from wrong
    return samples
