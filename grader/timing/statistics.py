"""Speeds with their confidence intervals, and the rule for when to stop measuring. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from statistics import median

from grader.model import Interval, Shape, Timing

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
    """2*M*N*K per second, in 1e9."""
    return interval([shape.flops / second / 1e9 for second in seconds])


def ratio(numerators: Sequence[float], denominators: Sequence[float]) -> Interval:
    """The ratio, taken within each round: what slows a whole round down cancels."""
    return interval([above / below for above, below in zip(numerators, denominators, strict=True)])


def unpaired_ratio(numerators: Sequence[float], denominators: Sequence[float]) -> Interval:
    """The ratio of two medians that were not measured in the same rounds, with its 95 % interval.

    Each median lies in its own interval with 97.5 %, so both do with at least 95 % (Bonferroni), and so does the ratio.
    The interval is wider than that of `ratio`, because nothing cancels.
    """
    above, below = (interval(samples, (1 + CONFIDENCE) / 2) for samples in (numerators, denominators))
    return Interval(above.median / below.median, above.low / below.high, above.high / below.low)


def relative_width(interval: Interval) -> float:
    """Half of the interval's width as a share of the median."""
    return (interval.high - interval.low) / 2 / interval.median


def enough(
    intervals: Sequence[Interval], rounds: int, elapsed: float, rule: Timing, knots: Sequence[Sequence[float]]
) -> bool:
    """Whether to stop: the budget is spent, or every interval is narrow and no knot of a score's curve is inside.

    `knots` holds, for each interval, the values at which curves bend.
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
    """Index of the order statistics, from both ends, that enclose the median with this confidence."""
    outside, rank = 0.0, 0
    while 2 * (outside + comb(count, rank) / 2**count) <= 1 - confidence and rank < (count - 1) // 2:
        outside += comb(count, rank) / 2**count
        rank += 1
    return max(0, rank - 1)
