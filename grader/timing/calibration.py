"""Measure the baselines without a submission, once for many, and check later whether the device still gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from grader.host import cache
from grader.model import Rubric, Shape, SharedBaselines
from grader.sandbox.client import Worker
from grader.timing import shared_baselines, sizes
from grader.timing.rounds import Enough, Samples, WrongWhenTimedError, install, prepare, take_rounds
from grader.timing.shared_baselines import Baselines, DriftCheck, Rounds
from grader.timing.subjects import LIBRARY, Subject
from grader.timing.verifying import Verifying, verifiers

ROUNDS = 30  # many, so that the width of a ratio's interval depends on the submission's own rounds
SECONDS = 2.0  # at one size, after which the rubric's min_rounds are enough
ANCHOR_ROUNDS = 8  # two with each family of inputs


def calibrate(subjects: Sequence[Subject], workers: Mapping[str, Worker], rubric: Rubric, seed: int) -> Baselines:
    """Measure all baselines at every timed size, in turns with each other."""

    def enough(rounds: int, elapsed: float) -> bool:
        return rounds >= rubric.timing.min_rounds and (rounds >= ROUNDS or elapsed > SECONDS)

    rounds: dict[str, tuple[Rounds, ...]] = {subject.name: () for subject in subjects}
    for shape in rubric.timed_sizes:
        for name, samples in _take(subjects, workers, rubric, shape, seed, enough).items():
            rounds[name] += (_kept(shape, samples),)
    return Baselines(datetime.now(UTC).isoformat(timespec="seconds"), rounds)


def check(kept: Baselines, workers: Mapping[str, Worker], rubric: Rubric, seed: int) -> SharedBaselines:
    """Measure the library again at the largest size, which a hot or shared device slows down the most."""
    library = Subject(LIBRARY, None, rubric.launch)
    shape = max(rubric.timed_sizes, key=lambda shape: shape.flops)
    again = _take([library], workers, rubric, shape, seed, lambda rounds, _: rounds >= ANCHOR_ROUNDS)
    drift = shared_baselines.drift(kept.at(LIBRARY, shape), again[LIBRARY].seconds)
    return SharedBaselines(kept.taken, f"{LIBRARY} at {shape}", drift)


def kept(name: str, rubric: Rubric, subjects: Sequence[str]) -> Baselines | None:
    """The baselines kept under this name, if they are complete and recent."""
    content = cache.read(name)
    baselines = shared_baselines.decode(content, subjects, rubric.timed_sizes) if content is not None else None
    return baselines if baselines and shared_baselines.is_recent(baselines, datetime.now(UTC)) else None


def keep(name: str, baselines: Baselines) -> None:
    """Keep baselines for the next submission on this GPU, if the cache can be written."""
    cache.write(name, shared_baselines.encode(baselines).encode())


def recent_check(name: str, kept: Baselines) -> SharedBaselines | None:
    """The check of the baselines kept under this name, if another submission made it seconds ago."""
    content = cache.read(f"{name}.check")
    check = shared_baselines.decode_check(content) if content is not None else None
    return check.shared if check and shared_baselines.still_holds(check, kept, datetime.now(UTC)) else None


def keep_check(name: str, shared: SharedBaselines) -> None:
    """Keep the check for the next submissions, if the cache can be written."""
    check = DriftCheck(datetime.now(UTC).isoformat(), shared)
    cache.write(f"{name}.check", shared_baselines.encode(check).encode())


def _kept(shape: Shape, samples: Samples) -> Rounds:
    return Rounds(shape, tuple(samples.seconds), samples.launches, samples.telemetry, tuple(samples.families))


def _take(
    subjects: Sequence[Subject], workers: Mapping[str, Worker], rubric: Rubric, shape: Shape, seed: int, enough: Enough
) -> dict[str, Samples]:
    """Take rounds at one size. Every failure is a grader error."""
    samples = {subject.name: Samples() for subject in subjects}
    install(subjects, workers)
    try:
        size = sizes.single(shape, rubric.interface, seed)
        prepare(subjects, workers, rubric, size, seed)
        with verifiers() as threads:
            verifying = Verifying(threads)
            take_rounds(workers, rubric, size, seed, samples, enough, verifying)
            verifying.finish()
    except WrongWhenTimedError as wrong:
        raise wrong.as_grader_error() from wrong
    return samples
