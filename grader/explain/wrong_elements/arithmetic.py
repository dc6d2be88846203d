"""Typical mistakes in the arithmetic of the sums, each with the values that it would give. Pure."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from grader.comparison.compare import Exact
from grader.contract.precision import SIGNIFICAND
from grader.explain.wrong_elements.evidence import TOLERANCE, Candidates, Evidence

LEAST = 8  # wrong elements: a regularity in fewer may be chance
FAR = 1e-2  # of a factor from 1; a smaller one may be rounding
SAME = 1e-5  # relative difference of factors that are equal except for rounding
INTEGER_BITS = (8, 16)
MOST_DIGITS = 16  # behind the point, of a limit below which products are left out
HALF = 0.5  # of the distance between two multiples, or of all elements
FEW = 0.05  # of the correct elements, whose factors may differ in size
TINY = 2.0**-10  # all terms of small whole numbers are smaller


def arithmetic(e: Evidence) -> Candidates:
    """The values that other operations than the sum of products give."""
    terms, exact_sum = e.terms, e.scaled(e.terms.sum(1))
    yield e.scaled(np.abs(terms).sum(1)), "The absolute values of the products are added: check the signs."
    yield np.abs(exact_sum), "The absolute value of each sum is stored."
    yield e.scaled((e.a + e.b).sum(1)), "A[row][k] + B[k][col] is added for each k: multiply the two instead."
    yield e.scaled((e.a - e.b).sum(1)), "A[row][k] - B[k][col] is added for each k: multiply the two instead."
    yield e.scaled(np.square(terms).sum(1)), "The squares of the products are added."
    yield from _factor_twice(e)
    yield e.scaled(np.maximum(terms, 0).sum(1)), "Only the positive products are added: add all, of either sign."
    yield e.scaled(terms.max(1)), "Each element is its largest product: add all products instead."
    yield from _of_few_bits(e)
    yield from _small_terms_dropped(e)
    yield from _regular(e, exact_sum)


def _factor_twice(e: Evidence) -> Candidates:
    """The products with one factor squared: the sums are too large to be exact."""
    for name, factor, product in (
        ("A[row][k]", e.a, "A[row][k] * A[row][k] * B[k][col]"),
        ("B[k][col]", e.b, "A[row][k] * B[k][col] * B[k][col]"),
    ):
        terms = factor * e.terms
        slack = TOLERANCE * (abs(e.trial.interface.alpha) * np.abs(terms).sum(1) + e.magnitudes)
        if (np.abs(e.got - e.scaled(terms.sum(1))) <= slack).all() and not e.agrees(e.scaled(e.terms.sum(1))):
            yield e.got, f"{name} is multiplied twice: {product} is added."


def _of_few_bits(e: Evidence) -> Candidates:
    """Sums that are kept in an integer of 8 or 16 bits."""
    for bits in INTEGER_BITS:
        kind, half = e.trial.interface.type_c, 1 << bits - 1
        wraps = f"The sum is kept in {bits} bits: it wraps around and drops fractions. Keep it in {kind}."
        yield e.scaled(_kept(e.terms, partial(_wrapped, low=-half, span=2 * half))), wraps
        yield e.scaled(_kept(e.terms, partial(_wrapped, low=0, span=2 * half))), wraps
        limits = f"The sum is kept in {bits} bits: it cannot exceed {half - 1} and drops fractions. Keep it in {kind}."
        yield e.scaled(_kept(e.terms, partial(np.clip, a_min=-half, a_max=half - 1))), limits


def _wrapped(total: Exact, low: int, span: int) -> Exact:
    return (total - low) % span + low


def kept_sums(terms: Exact, shorten: Callable[[Exact], Exact]) -> Exact:
    """Return the sums if every partial sum is shortened."""
    total = np.zeros(terms.shape[0])
    for column in terms.T:
        total = shorten(total + column)
    return total


def _kept(terms: Exact, shorten: Callable[[Exact], Exact]) -> Exact:
    """Return the sums if every partial sum is truncated to an integer and shortened."""
    return kept_sums(terms, lambda sums: shorten(np.trunc(sums)))


def _small_terms_dropped(e: Evidence) -> Candidates:
    for digits in range(1, MOST_DIGITS):
        values = partial(_without_terms_below, limit=10.0**-digits)
        if (np.abs(e.terms) < 10.0**-digits).any() and e.fits_correct_elements(values):
            yield values(e), f"Products below {10.0**-digits:g} in magnitude are left out: add all."


def _without_terms_below(e: Evidence, limit: float) -> Exact:
    return e.scaled((e.terms * (np.abs(e.terms) >= limit)).sum(1))


def _regular(e: Evidence, want: Exact) -> Candidates:
    """Values that differ from the correct ones by one factor or one summand, or that are all the same."""
    if want.size < LEAST or not want.any():
        return
    slack = TOLERANCE * np.abs(e.terms).sum(1)
    factor = float((e.got @ want) / (want @ want))
    if factor and abs(factor - 1) > FAR and (np.abs(e.got - factor * want) <= slack * abs(factor)).all():
        yield e.got, _scaled_hint(factor, e)
    summand = float(np.median(e.got - want))
    allowed = np.zeros_like(slack) if e.exact else slack
    if abs(summand) > allowed.max() and (np.abs(e.got - want - summand) <= allowed).all():
        yield e.got, _added_hint(summand)
    limit = abs(float(e.got[0]))
    if limit and (np.abs(e.got) == limit).all() and (np.abs(want) > limit).all():
        yield np.copysign(limit, want), f"No value exceeds {limit:.9g} in magnitude: remove the limit."


def _added_hint(summand: float) -> str:
    way = "large" if summand > 0 else "small"
    return (
        f"Each of these is too {way} by {abs(summand):.4g}: something other than the K products is added. Is zero "
        "stored for elements beyond the edge?"
    )


def _scaled_hint(factor: float, e: Evidence) -> str:
    K = e.terms.shape[1]
    amount = f"1/{1 / factor:.4g}" if abs(factor) < 1 else f"{factor:.4g}"
    if np.isclose(factor * K, 1, rtol=SAME):
        return f"Each value is divided by K = {K}: a matrix product is a sum, not an average."
    whole = np.isclose(factor, np.rint(factor), rtol=SAME)
    why = "how often is each term added?" if whole else "what are the sums multiplied or divided by?"
    return f"Each value is {amount} times what it should be: {why}"


def very_small(e: Evidence) -> Candidates:
    """Zero for the smallest results, if all their terms are small."""
    if _are_the_smallest(e) and np.abs(e.terms).max(initial=0.0) < TINY:
        yield (
            np.zeros_like(e.got),
            "Very small results are replaced by zero. Are products below some number left out, is a product or the sum "
            "kept in an int, or does the loop over k end at a zero of A or B?",
        )


def _are_the_smallest(e: Evidence) -> bool:
    """Return whether every wrong result is smaller than nearly all correct ones that are not stored as zero."""
    looked, want = e.comparison, np.abs(e.comparison.want)
    correct = want[looked.looked & ~looked.wrong & (looked.got != 0)]
    smaller = np.count_nonzero(correct <= want[looked.wrong].max())
    return bool(smaller <= FEW * correct.size)


def lost_values(e: Evidence) -> Candidates:
    """Zero for negative results or for everything, and results rounded to multiples of something."""
    sums = e.scaled(e.terms.sum(1))
    if e.got.size >= LEAST and (sums < 0).all():
        yield np.zeros_like(sums), "Every negative result is replaced by zero: remove the comparison with 0."
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
