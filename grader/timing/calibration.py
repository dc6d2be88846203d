"""Measure the baselines by themselves, once for many submissions on the same GPU, and see whether they still hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from grader.errors import InfrastructureError
from grader.host import cache
from grader.model import Rubric, Shape, SharedBaselines
from grader.sandbox.client import Worker
from grader.timing import shared_baselines
from grader.timing.rounds import Enough, Samples, WrongWhenTimedError, prepare, take_rounds
from grader.timing.shared_baselines import Baselines, Rounds
from grader.timing.subjects import LIBRARY, Subject

ROUNDS = 30  # many, so that a submission's own few rounds decide how well a ratio to them is known
SECONDS = 2.0  # at one size, after which as many as the rubric asks for at least will do
ANCHOR_ROUNDS = 5


def calibrate(subjects: Sequence[Subject], workers: Mapping[str, Worker], rubric: Rubric, seed: int) -> Baselines:
    """All baselines at every timed size, in turns with each other."""

    def enough(rounds: int, elapsed: float) -> bool:
        return rounds >= rubric.timing.min_rounds and (rounds >= ROUNDS or elapsed > SECONDS)

    found = {shape: _take(subjects, workers, rubric, shape, seed, enough) for shape in rubric.timed_sizes}
    rounds = {
        one.name: tuple(_rounds(shape, samples[one.name]) for shape, samples in found.items()) for one in subjects
    }
    return Baselines(datetime.now(UTC).isoformat(timespec="seconds"), rounds)


def check(found: Baselines, workers: Mapping[str, Worker], rubric: Rubric, seed: int) -> SharedBaselines:
    """Measure the library again, at the largest size, where a device that is hot or shared shows it the most."""
    library = Subject(LIBRARY, None, rubric.launch)
    shape = max(rubric.timed_sizes, key=lambda one: one.flops)
    again = _take([library], workers, rubric, shape, seed, lambda rounds, _: rounds >= ANCHOR_ROUNDS)
    drift = shared_baselines.drift(found.at(LIBRARY, shape), again[LIBRARY].seconds)
    return SharedBaselines(found.taken, f"{LIBRARY} at {shape}", drift)


def kept(name: str, rubric: Rubric, subjects: Sequence[str]) -> Baselines | None:
    """What was kept under this name, if it is whole and recent."""
    content = cache.read(name)
    found = shared_baselines.decode(content, subjects, rubric.timed_sizes) if content is not None else None
    return found if found and shared_baselines.is_recent(found, datetime.now(UTC)) else None


def keep(name: str, found: Baselines) -> None:
    """For the next submission on this GPU. A cache that cannot be written is no fault."""
    cache.write(name, shared_baselines.encode(found).encode())


def _take(
    subjects: Sequence[Subject], workers: Mapping[str, Worker], rubric: Rubric, shape: Shape, seed: int, enough: Enough
) -> dict[str, Samples]:
    """Rounds at one size. Whatever fails here is ours."""
    samples = {one.name: Samples() for one in subjects}
    try:
        for one in subjects:
            workers[one.name].finish_opening()
            workers[one.name].install(one.files)
        pair = prepare(subjects, workers, rubric, shape, seed)
        take_rounds(workers, rubric, shape, seed, pair, samples, enough)
    except WrongWhenTimedError as wrong:
        raise InfrastructureError(f"The {wrong.subject} baseline computes a wrong product at {shape}.") from wrong
    return samples


def _rounds(shape: Shape, samples: Samples) -> Rounds:
    return Rounds(shape, tuple(samples.seconds), samples.launches, samples.telemetry)
