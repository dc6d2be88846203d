"""Speeds with their confidence intervals, computed from the rounds, and the rule for when to stop measuring. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import comb
from statistics import median

from grader.judge.worker_pool import LIBRARY, NAIVE, SUBMISSION
from grader.model import Interval, Machine, Measurement, Rubric, Shape, Timing
from grader.rubric import criteria
from grader.rubric.criteria import QUANTITIES
from grader.timing.rounds import Samples
from grader.timing.shared_baselines import Baselines

CONFIDENCE = 0.95


def interval(samples: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """The median and its distribution-free confidence interval.

    The interval is a pair of order statistics: for any distribution, the number of samples below the true median is
    binomial with p = 1/2; Conover, Practical Nonparametric Statistics, 3rd ed., 3.2. Fewer than six samples have no
    interval of 95 %, so their extremes are returned.
    """
    ordered = sorted(samples)
    low = _rank(len(ordered), confidence)
    return Interval(median(ordered), ordered[low], ordered[-1 - low])


def gflops(shape: Shape, seconds: Sequence[float]) -> Interval:
    """The speed in GFLOP/s: 2*M*N*K operations per product."""
    return interval([shape.flops / second / 1e9 for second in seconds])


def ratio(numerators: Sequence[float], denominators: Sequence[float]) -> Interval:
    """The interval of the ratios within each round, in which a disturbance of the whole round cancels."""
    return interval([above / below for above, below in zip(numerators, denominators, strict=True)])


def unpaired_ratio(numerators: Sequence[float], denominators: Sequence[float]) -> Interval:
    """The ratio of two medians that were not measured in the same rounds, with its 95 % interval.

    Each median is in its own interval with a probability of 97.5 %, so both are with at least 95 % (Bonferroni), and so
    is the ratio. This interval is wider than that of `ratio`, because no disturbance cancels.
    """
    above, below = (interval(samples, (1 + CONFIDENCE) / 2) for samples in (numerators, denominators))
    return Interval(above.median / below.median, above.low / below.high, above.high / below.low)


def relative_width(interval: Interval) -> float:
    """Half of the interval's width, relative to the median."""
    return (interval.high - interval.low) / 2 / interval.median


def enough(
    intervals: Sequence[Interval], rounds: int, elapsed: float, rule: Timing, knots: Sequence[Sequence[float]]
) -> bool:
    """Whether to stop: the budget is used up, or every interval is narrow and contains no knot of a score's curve.

    `knots` has, for each interval, the values at which the slope of a curve changes.
    """
    if rounds < rule.min_rounds:
        return False
    if rounds >= rule.max_rounds or elapsed >= rule.seconds_per_size:
        return True
    narrow = all(relative_width(interval) <= rule.relative_width for interval in intervals)
    return narrow and not any(
        interval.low < knot < interval.high
        for interval, values in zip(intervals, knots, strict=True)
        for knot in values
    )


def _rank(count: int, confidence: float) -> int:
    """The index, from both ends, of the order statistics that enclose the median with this confidence."""
    outside, rank = 0.0, 0
    while 2 * (outside + comb(count, rank) / 2**count) <= 1 - confidence and rank < (count - 1) // 2:
        outside += comb(count, rank) / 2**count
        rank += 1
    return max(0, rank - 1)


def precise_enough(
    rubric: Rubric, shape: Shape, samples: Mapping[str, Samples], rounds: int, elapsed: float, machine: Machine
) -> bool:
    """Whether the submission's speeds are known well enough to score them."""
    measurement = measurement_of(SUBMISSION, shape, samples)
    values = {kind: speed.value(measurement, machine, rubric.interface) for kind, speed in QUANTITIES.items()}
    known = {kind: value for kind, value in values.items() if value is not None}
    knots = [criteria.knots(rubric.criteria, kind, shape) for kind in known]
    return enough(list(known.values()), rounds, elapsed, rubric.timing, knots)


def measurement_of(name: str, shape: Shape, samples: Mapping[str, Samples]) -> Measurement:
    """The speed of one subject, with its ratios to the baselines that were timed."""
    mine = samples[name]
    against = {other: _ratio(samples[other], mine) for other in (NAIVE, LIBRARY) if other in samples}
    return Measurement(
        shape,
        interval(mine.seconds),
        gflops(shape, mine.seconds),
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
    return (ratio if same_rounds else unpaired_ratio)(above.seconds, below.seconds)
