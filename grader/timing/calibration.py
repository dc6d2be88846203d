"""Measure the baselines once for many submissions, and check later whether the device is still as fast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from grader.host import cache
from grader.host.gpu_lock import NOBODY_SHARES, GpuLock
from grader.model import Rubric, Shape, SharedBaselines
from grader.sandbox.client import Worker
from grader.timing import shared_baselines, timed_sizes
from grader.timing.projecting import Verifying, verifiers
from grader.timing.rounds import Enough, Samples, WrongWhenTimedError, install, prepare, take_rounds
from grader.timing.shared_baselines import Baselines, DriftCheck, Rounds
from grader.timing.subjects import LIBRARY, Subject

ROUNDS = 30  # so many that the width of a ratio's interval depends on the submission's rounds alone
SECONDS = 2.0  # per size; after these, the rubric's min_rounds are enough
CHECK_ROUNDS = 8


def calibrate(subjects: Sequence[Subject], workers: Mapping[str, Worker], rubric: Rubric, seed: int) -> Baselines:
    """Measure all baselines at every timed size, in turns. The caller has the GPU alone."""

    def enough(rounds: int, elapsed: float) -> bool:
        return rounds >= rubric.timing.min_rounds and (rounds >= ROUNDS or elapsed > SECONDS)

    rounds: dict[str, tuple[Rounds, ...]] = {subject.name: () for subject in subjects}
    for shape in rubric.timed_sizes:
        for name, samples in _time_rounds(subjects, workers, rubric, shape, seed, enough, NOBODY_SHARES).items():
            rounds[name] += (_as_rounds(shape, samples),)
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


def kept(name: str, rubric: Rubric, subjects: Sequence[str]) -> Baselines | None:
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


def _as_rounds(shape: Shape, samples: Samples) -> Rounds:
    return Rounds(shape, tuple(samples.seconds), samples.launches, samples.telemetry)


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
        size = timed_sizes.single(shape, rubric.interface, seed)
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
