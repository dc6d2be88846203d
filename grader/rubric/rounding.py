"""The rounding of points: their exact sum is rounded once, so that every view shows the same. Pure.

A view rounds each criterion by itself. `parts` is for platforms that add rounded points up.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from grader.model import Report

DIGITS = 2  # hundredths, which is what gradebooks keep
NOISE = 1e-6  # a half that floating point misses by less is still rounded up


def total(points: Iterable[float]) -> float:
    """Return the sum of the numbers as they are written in decimal: ten times 0.1 is 1."""
    return float(sum(map(exact, points), Fraction()))


def exact(points: float) -> Fraction:
    """Return the number that is written in decimal: 0.1 is a tenth."""
    return Fraction(repr(float(points)))


def rounded(points: float, digits: int = DIGITS) -> float:
    """Return the points to so many digits after the decimal point; a half is rounded up."""
    scale = 10.0**digits
    return math.floor(points * scale + 0.5 + NOISE) / scale


def shown(points: float) -> str:
    """Return the rounded points as text, without zeros at the end."""
    return f"{rounded(points):.15g}"


def parts(points: Sequence[float], digits: int = DIGITS) -> list[float]:
    """Round numbers so that they add up to their exact sum, rounded once: differences of its running totals.

    Each differs from its number by less than one in the last digit, and a zero stays zero.
    """
    running = [rounded(total(points[:count]), digits) for count in range(len(points) + 1)]
    return [rounded(after - before, digits) for before, after in pairwise(running)]


def difference(reports: Collection[Report]) -> str:
    """Return what differs between reports whose points do not compare, in the singular; empty if they compare.

    A comment in the rubric's file or another date for its hidden sizes changes no points. Where no speed is measured,
    no naive kernel matters.
    """
    if len({report.rubric.rules for report in reports}) > 1:
        return "rubric"
    return "naive kernel" if len({report.naive_sha256 for report in reports} - {""}) > 1 else ""
