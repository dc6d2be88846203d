"""The speed of each subject at a size, computed from its rounds, and whether it is precise enough. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from statistics import median

from grader.model import Interval, Machine, Measurement, Rubric, Shape
from grader.rubric import criteria
from grader.rubric.criteria import QUANTITIES
from grader.timing import statistics
from grader.timing.rounds import Samples
from grader.timing.shared_baselines import Baselines
from grader.timing.subjects import LIBRARY, NAIVE, SUBMISSION


def enough(
    rubric: Rubric, shape: Shape, samples: Mapping[str, Samples], rounds: int, elapsed: float, machine: Machine
) -> bool:
    """Whether the submission's speeds are known well enough to score them."""
    measurement = measurement_of(SUBMISSION, shape, samples)
    values = {kind: speed.value(measurement, machine, rubric.interface) for kind, speed in QUANTITIES.items()}
    known = {kind: value for kind, value in values.items() if value is not None}
    knots = [criteria.knots(rubric.criteria, kind, shape) for kind in known]
    return statistics.enough(list(known.values()), rounds, elapsed, rubric.timing, knots)


def measurement_of(name: str, shape: Shape, samples: Mapping[str, Samples]) -> Measurement:
    """The speed of one subject, with its ratios to the baselines that were timed."""
    mine = samples[name]
    against = {other: _ratio(samples[other], mine) for other in (NAIVE, LIBRARY) if other in samples}
    return Measurement(
        shape,
        statistics.interval(mine.seconds),
        statistics.gflops(shape, mine.seconds),
        len(mine.seconds),
        mine.launches,
        speedup=against.get(NAIVE),
        library_fraction=against.get(LIBRARY),
        telemetry=mine.telemetry,
    )


def kept_samples(kept: Baselines, shape: Shape) -> dict[str, Samples]:
    """The rounds of cached baselines at a size, by name."""
    rounds = {name: kept.at(name, shape) for name in kept.rounds}
    return {name: Samples(list(at.seconds), at.launches, at.telemetry, kept=True) for name, at in rounds.items()}


def as_constant(samples: Samples) -> Samples:
    """The median as the only sample: more rounds of the submission do not narrow the interval of a cached baseline."""
    return replace(samples, seconds=[median(samples.seconds)])


def _ratio(above: Samples, below: Samples) -> Interval:
    """The ratio of times, taken within each round if both were timed in the same rounds."""
    same_rounds = above.kept == below.kept
    return (statistics.ratio if same_rounds else statistics.unpaired_ratio)(above.seconds, below.seconds)
