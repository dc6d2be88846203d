"""Hypotheses for values of which something is lost: what is small, negative or a fraction. Pure."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grader.comparison.compare import Exact
from grader.contract.precision import SIGNIFICAND
from grader.explain.wrong_elements.arithmetic import LEAST
from grader.explain.wrong_elements.evidence import TOLERANCE, Candidates, Evidence

HALF = 0.5  # of the distance between two multiples, or of all elements
TINY = 2.0**-10  # all terms of small whole numbers are smaller

_WITHOUT_FRACTIONS: tuple[Callable[[Evidence], Exact], ...] = (
    lambda e: e.scaled(np.trunc(e.terms).sum(1)),
    lambda e: e.scaled((np.trunc(e.a) * np.trunc(e.b)).sum(1)),
    lambda e: e.scaled(np.trunc(e.terms.sum(1))),
)


def very_small(e: Evidence) -> Candidates:
    """Zero for the smallest results, if all their terms are small."""
    if _are_the_smallest(e) and np.abs(e.terms).max(initial=0.0) < TINY:
        yield (
            np.zeros_like(e.got),
            "Very small results are replaced by zero. Are products below some number left out, is a product or the sum "
            "kept in an int, or does the loop over k end at a zero of A or B?",
        )


def _are_the_smallest(e: Evidence) -> bool:
    """Return whether every wrong result is smaller than every correct one that is not stored as zero."""
    looked, want = e.comparison, np.abs(e.comparison.want)
    correct = want[looked.looked & ~looked.wrong & (looked.got != 0)]
    return bool(want[looked.wrong].max() < correct.min(initial=np.inf))


def lost_values(e: Evidence) -> Candidates:
    """Zero for negative results, for fractions or for everything, and results rounded to multiples of something."""
    sums = e.scaled(e.terms.sum(1))
    if e.got.size >= LEAST and (sums < 0).all():
        yield np.zeros_like(sums), "Every negative result is replaced by zero: remove the comparison with 0."
    whole = "Fractions are dropped: only whole numbers are correct. Is the sum or a factor an int?"
    yield from ((values(e), whole) for values in _WITHOUT_FRACTIONS if e.fits_correct_elements(values))
    if not (e.comparison.untouched & e.comparison.wrong).any():  # otherwise the stores explain more
        yield np.zeros_like(e.got), _zero(e)
    yield _to_multiples(e, sums, 0), "Each result is rounded to a whole number."
    if (unit := _common_unit(e.got)) is not None:
        yield _to_multiples(e, sums, unit), _of_multiples(unit, e.trial.interface.type_c)


def _zero(e: Evidence) -> str:
    """What may give zero everywhere."""
    if e.trial.uses.asynchronous_copies:
        return (
            "Zero is stored. Is every term added to the sum, and is the sum stored? Do the asynchronous copies copy "
            "zeros? The last argument of __pipeline_memcpy_async() is the number of bytes that become zero, that of "
            "cp.async the number that are copied."
        )
    if np.count_nonzero(e.comparison.wrong) < HALF * np.count_nonzero(e.comparison.looked):
        return (
            "Zero is stored there: which condition do the threads of these elements not meet, so that no term is added "
            "to their sums?"
        )
    return (
        "Zero is stored. Is every term added to the sum, and is the sum stored? Is a fraction kept in an int, or "
        "computed by a division of ints, such as 1 / N?"
    )


def _of_multiples(unit: int, type_c: str) -> str:
    if type_c.startswith("int"):
        return f"Each result is rounded to a multiple of {2**unit}. Is a value shifted, divided, or kept in a float?"
    return (
        f"Each result is rounded to a multiple of 2^{unit}. Are products or sums kept as integers or fixed-point "
        "numbers? They lose small values: keep them in floating point."
    )


def _to_multiples(e: Evidence, sums: Exact, unit: int) -> Exact:
    """Return the sums rounded to multiples of 2^unit; NaN where the order of a sum decides which is the nearest."""
    scaled, slack = np.ldexp(sums, -unit), np.ldexp(TOLERANCE * np.abs(e.terms).sum(1), -unit)
    between = np.abs(scaled - np.floor(scaled) - HALF) <= slack
    return np.where(between & (slack < HALF), np.nan, np.ldexp(np.rint(scaled), unit))


def _common_unit(values: Exact) -> int | None:
    """Return the exponent of the largest power of two of which all values are multiples; None if all are zero."""
    significands, exponents = np.frexp(values[values != 0])
    if not significands.size:
        return None
    whole = np.ldexp(significands, SIGNIFICAND["float64"]).astype(np.int64)
    last_bits = np.log2((whole & -whole).astype(np.float64)).astype(np.int64)
    return int((exponents - SIGNIFICAND["float64"] + last_bits).min())
