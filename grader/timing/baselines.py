"""The baselines of a submission's speed, the naive kernel and the library: timed in this grade, or cached."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from grader.host import cache
from grader.host.gpu_lock import NOBODY_SHARES
from grader.host.nvml import gpu_id
from grader.judge.conditions import Conditions, GradePlan
from grader.judge.stages import LibraryProduct, Subject, compile_baselines
from grader.judge.worker_pool import LIBRARY, NAIVE, SUBMISSION, worker_pool
from grader.model import Launch, Rubric, Shape, SharedBaselines
from grader.sandbox.client import Worker
from grader.timing import projecting, shared_baselines
from grader.timing.projecting import Verifications, verification_threads
from grader.timing.rounds import Enough, Samples, install, prepare, take_rounds
from grader.timing.shared_baselines import CHECK_VALID_FOR, VALID_FOR, Baselines, DriftCheck, Rounds, is_recent

ROUNDS = 30  # so many that the width of a ratio's interval depends on the submission's rounds alone
SECONDS = 2.0  # per size; after these, the rubric's min_rounds are enough
CHECK_ROUNDS = 8
PATIENCE = 60.0  # seconds for the baselines of another grade: twelve sizes of the naive kernel and cuBLAS take 20

Compiled = Callable[[], tuple[Subject, ...]]


@dataclass(frozen=True, slots=True)
class GradeBaselines:
    """The baselines of a grade: `timed` in turns with the submission, or `kept`; the report says which are `shared`."""

    timed: tuple[Subject, ...] = ()
    kept: Baselines | None = None
    shared: SharedBaselines | None = None


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
) -> GradeBaselines:
    """Return the baselines; in a class, measure them unless the cached ones still hold. Raises InfrastructureError.

    If several grades need those of one GPU at a time, one of them checks or measures them, and the others wait.
    """
    if not plan.shares:
        return GradeBaselines(compiled())
    key = _key(plan, conditions)
    before = cached(key, plan.rubric)
    if recent := _recently_checked(before):
        return recent
    with cache.lock(f"{key}.lock", PATIENCE):
        kept = cached(key, plan.rubric)
        if kept and (before is None or kept.taken != before.taken):
            return GradeBaselines(kept=kept, shared=SharedBaselines(kept.taken))
        checked = _recently_checked(kept) or _checked(key, kept, conditions, workers)
        return checked or _measured(key, plan, conditions, compiled, workers)


def check_baselines_first(plan: GradePlan, conditions: Conditions, workers: Mapping[str, Worker]) -> None:
    """In a class, check the cached baselines of a GPU before the kernel, unless another grade does: all wait for them.

    Raises InfrastructureError.
    """
    if plan.shares and SUBMISSION in workers:
        key = _key(plan, conditions)
        with cache.lock(f"{key}.lock", 0) as is_first:
            kept = cached(key, plan.rubric)
            if is_first and kept and not _recently_checked(kept):
                _checked(key, kept, conditions, workers)


def _key(plan: GradePlan, conditions: Conditions) -> str:
    """Return the cache key of the baselines of this GPU."""
    return shared_baselines.key(gpu_id(), conditions.machine, plan.rubric, plan.naive)


def _recently_checked(kept: Baselines | None) -> GradeBaselines | None:
    """Return a class's cached baselines without using the GPU; None unless they were checked a few seconds ago."""
    if kept is None or kept.check is None or not is_recent(kept.check.at, datetime.now(UTC), CHECK_VALID_FOR):
        return None
    return GradeBaselines(kept=kept, shared=kept.check.shared)


def _checked(
    key: str, kept: Baselines | None, conditions: Conditions, workers: Mapping[str, Worker]
) -> GradeBaselines | None:
    """Check the cached baselines on the GPU, and return them if they still hold."""
    workers[LIBRARY].open_beside(conditions.gpu)
    if kept is None:
        return None
    shared = measured_drift(kept, workers, conditions)
    if not shared_baselines.holds(shared.drift):
        return None
    keep(key, replace(kept, check=DriftCheck(datetime.now(UTC).isoformat(), shared)))
    return GradeBaselines(kept=kept, shared=shared)


def _measured(
    key: str, plan: GradePlan, conditions: Conditions, compiled: Compiled, workers: Mapping[str, Worker]
) -> GradeBaselines:
    """Measure the baselines with the GPU alone, and cache them."""
    with conditions.gpu.alone(), worker_pool((NAIVE,) if plan.rubric.naive else (), conditions) as more:
        fresh = _calibrate(compiled(), {**workers, **more}, replace(conditions, gpu=NOBODY_SHARES))
    keep(key, fresh)
    return GradeBaselines(kept=fresh, shared=SharedBaselines(fresh.taken))


def _calibrate(subjects: Sequence[Subject], workers: Mapping[str, Worker], conditions: Conditions) -> Baselines:
    """Measure all baselines at every timed size, in turns. The caller has the GPU alone."""
    rubric = conditions.rubric

    def enough(rounds: int, elapsed: float) -> bool:
        return rounds >= rubric.timing.min_rounds and (rounds >= ROUNDS or elapsed > SECONDS)

    rounds: dict[str, tuple[Rounds, ...]] = {subject.name: () for subject in subjects}
    for shape in rubric.timed_sizes:
        for name, samples in _time_rounds(subjects, workers, conditions, shape, enough).items():
            rounds[name] += (Rounds(shape, tuple(samples.seconds), samples.launches, samples.telemetry),)
    return Baselines(datetime.now(UTC).isoformat(timespec="seconds"), rounds)


def measured_drift(kept: Baselines, workers: Mapping[str, Worker], conditions: Conditions) -> SharedBaselines:
    """Measure the library again at the largest size, at which a hot or shared device loses the most speed.

    It is prepared beside other grades, and has the GPU alone for its rounds, as a submission has.
    """
    library = LibraryProduct(LIBRARY, conditions.rubric.launch)
    shape = max(conditions.rubric.timed_sizes, key=lambda shape: shape.flops)
    again = _time_rounds([library], workers, conditions, shape, lambda rounds, _: rounds >= CHECK_ROUNDS)
    drift = shared_baselines.drift(kept.at(LIBRARY, shape), again[LIBRARY].seconds)
    return SharedBaselines(kept.taken, f"{LIBRARY} at {shape}", drift)


def cached(name: str, rubric: Rubric) -> Baselines | None:
    """Read the baselines cached under this name; None if they are missing, incomplete or old."""
    content, subjects = cache.read(name), (NAIVE, LIBRARY) if rubric.naive else (LIBRARY,)
    kept = shared_baselines.decode(content, subjects, rubric.timed_sizes) if content is not None else None
    return kept if kept and is_recent(kept.taken, datetime.now(UTC), VALID_FOR) else None


def keep(name: str, baselines: Baselines) -> None:
    """Cache baselines for the next submissions on this GPU, if the cache is writable."""
    cache.write(name, shared_baselines.encode(baselines))


def _time_rounds(
    subjects: Sequence[Subject], workers: Mapping[str, Worker], conditions: Conditions, shape: Shape, enough: Enough
) -> dict[str, Samples]:
    """Time rounds at one size. Raises InfrastructureError for every failure: baselines must be correct."""
    samples = {subject.name: Samples() for subject in subjects}
    install(subjects, workers)
    size = projecting.single_size(shape, conditions.rubric.interface, conditions.seed)
    size.base()
    prepare(subjects, workers, conditions, size)
    with verification_threads() as threads:
        verifications = Verifications(threads)
        with conditions.gpu.alone():
            take_rounds(workers, conditions.rubric, size, samples, enough, verifications)
        verifications.finish()
    return samples
