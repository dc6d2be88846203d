"""Whether the errors of a rounded product come from factors, or from sums, that have fewer bits. Pure.

Factors of 18 to 22 bits cause errors that are hardly larger than those of a correct sum, so no limit detects them. But
the rounding error of an element of A adds a multiple of a row of B to the errors of a row of C. Many rows of real
inputs have few large terms, fewer than C has columns: a least-squares fit shows which share of a row of errors these
multiples explain. Rounding in the sum is independent of them, so they explain it by chance only. Errors from the sums
of factors in fast algorithms are known, and removed before the fit.

The errors of sums with 22 or 23 bits are below the limits, too. But in every order of summation, half of all results
use the last bit.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.comparison.compare import Comparison
from grader.comparison.error_limit import spread
from grader.comparison.fast_products import losses
from grader.contract.inputs import Inputs
from grader.contract.layout import bits
from grader.contract.precision import SIGNIFICAND
from grader.contract.real_inputs import LARGE_TERMS, MOST_ALIKE, MOST_OWN
from grader.model import Interface

WIDTH = 2 * LARGE_TERMS  # of a segment, the neighbouring elements of C of one fit; most tiles are as wide
MOST_TERMS = LARGE_TERMS + MOST_OWN  # large terms of a row in the sample
LARGE = 2.0**-12  # of the largest element of a row
RIDGE = 1e-9  # of the squared norm of a term's factors; the fit stays regular if terms are linearly dependent
LEAST_SHARE = 0.13  # of the errors, of A and B together; with full factors, orders of summation reach 0.08
LEAST_OF_MIXED = 0.65  # where other factors are whole; few of their sums differ, so that orders of summation reach 0.44
LEAST_SIGNIFICANCE = 8.0  # standard deviations; chance exceeds them once in 10^15 comparisons
LEAST_ODD = 64  # exact results with the last bit; that no computed one has it happens by chance once in 2^64 products
POWER_OF_TWO = 0.5  # the fraction that `frexp` returns for one

Single = NDArray[np.float32]
Exact = NDArray[np.float64]
Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]
Known = Callable[[Indices], Iterator[Exact]]
"""From rows of C, yields errors (rows x N) of each other known reason."""


@dataclass(frozen=True, slots=True)
class Shortened:
    """Which factors were shortened, and the share of the squared errors of C that their rounding explains."""

    factors: str
    share: float
    deviation: float
    """The standard deviation of the share that chance explains, whose mean is 0."""


@dataclass(frozen=True, slots=True)
class _Side:
    """The factors under test (rows x K), those that they are multiplied by (columns x K), and known errors."""

    own: Single
    other: Single
    real: Mask
    """The rows of real numbers."""
    known: Known


def shortened(inputs: Inputs, interface: Interface, want: Exact, error: Exact, looked: Mask) -> Shortened | None:
    """Return which factors were shortened; None if none were, or if K is too small to tell. Arrays are M x N.

    Only sums in float32 are tested: the factors of other types are shorter, or their sums are more precise.
    """
    if set(interface.types.values()) != {"float32"} or inputs.A.shape[1] <= MOST_ALIKE:
        return None
    real, mixed = inputs.real_sums, ~inputs.real_sums & ~inputs.exact
    for sums, least in ((looked & real, LEAST_SHARE), (looked & mixed, LEAST_OF_MIXED)):
        for fast in (False, True):
            found = explained(inputs, interface, want, error, sums, fast=fast)
            if found.share < max(least, LEAST_SIGNIFICANCE * found.deviation):
                break
        else:
            return found
    return None


def explained(
    inputs: Inputs, interface: Interface, want: Exact, error: Exact, looked: Mask, *, fast: bool
) -> Shortened:
    """Return the share of the errors that shortened factors explain; `fast` first removes errors of fast algorithms."""
    sums = want - interface.beta * inputs.C.astype(np.float64) if inputs.C is not None and interface.beta else want
    side_a, side_b = _sides(inputs, interface, fast=fast)
    of_a, first = _share(error, sums, looked, side_a, interface)
    of_b, second = _share(error.T, sums.T, looked.T, side_b, interface)
    factors = "A and B" if min(of_a, of_b) > (of_a + of_b) / 4 else "A" if of_a > of_b else "B"
    return Shortened(factors, of_a + of_b, math.hypot(first, second))


def _sides(inputs: Inputs, interface: Interface, *, fast: bool) -> tuple[_Side, _Side]:
    """Return A and the transpose of B as sides; with `fast`, the errors of fast algorithms are known ones."""
    A, B = np.asarray(inputs.A, np.float32), np.asarray(inputs.B, np.float32)
    pairs = list(_multiplied(A, B, interface.alpha)) if fast else []
    terms = np.arange(A.shape[1])

    def of_rows(rows: Indices) -> Iterator[Exact]:
        for a, b in pairs:
            yield from losses(a, b, terms, rows, np.arange(B.shape[1]))

    def of_columns(columns: Indices) -> Iterator[Exact]:
        for a, b in pairs:
            yield from (lost.T for lost in losses(a, b, terms, np.arange(A.shape[0]), columns))

    return _Side(A, B.T, inputs.rows.real, of_rows), _Side(B.T, A, inputs.columns.real, of_columns)


def _multiplied(A: Single, B: Single, alpha: float) -> Iterator[tuple[Single, Single]]:
    """Yield the matrices that a kernel may multiply: A and B, or one of them scaled by alpha, which rounds it."""
    yield A, B
    if abs(math.frexp(alpha)[0]) != POWER_OF_TWO:
        yield np.float32(alpha) * A, B
        yield A, np.float32(alpha) * B


def _share(error: Exact, sums: Exact, looked: Mask, side: _Side, interface: Interface) -> tuple[float, float]:
    """Return the share of the errors that rounding `side.own` explains, and its standard deviation.

    Other kinds of errors are fitted first and removed. Sums that are rounded towards zero have an error proportional to
    each term, which is larger for earlier terms. Plain sums lose most of the small terms that follow the first large
    one, and in long sums this would hide the errors of factors. Factors that were multiplied by alpha were rounded
    once, and so may each product be. The last kind are the errors of `side.known`.
    """
    sampled, numbers = _few_terms(side.own, side.real & looked.any(axis=1))
    at, columns = _segments(looked, sampled)
    rows, terms = sampled[at], numbers[at]
    errors = error[rows[:, None], columns]
    own = np.where(terms < 0, np.float32(0), side.own[rows[:, None], terms])
    other = np.where(terms[:, None, :] < 0, 0.0, side.other[columns[:, :, None], terms[:, None, :]])
    products = other * own[:, None, :]
    scale = _inverse(np.linalg.norm(products, axis=2))
    scale[:, 1:][(other[:, 1:] == other[:, :-1]).all(axis=2)] = 0  # columns that are alike have one error
    scale *= _inverse(np.linalg.norm(errors * scale, axis=1))[:, None]
    if not scale.any():
        return 0.0, 0.0
    small = sums[rows[:, None], columns] - interface.alpha * products.sum(axis=2)
    by_place = (products * terms[:, None, :]).sum(axis=2)
    scaled = np.float32(interface.alpha) * own - interface.alpha * own.astype(np.float64)
    scaling = (other @ scaled[:, :, None])[:, :, 0]
    rounded = (products.astype(np.float32) - products).sum(axis=2)
    known = [lost[at[:, None], columns] for lost in side.known(sampled)]
    left_out = np.concatenate([products, np.stack([small, by_place, scaling, rounded, *known], axis=2)], axis=2)
    left_out = (left_out * scale[:, :, None]).reshape(errors.size, -1)
    errors = errors * scale
    errors = errors - (left_out @ np.linalg.lstsq(left_out, errors.reshape(-1))[0]).reshape(errors.shape)
    return _explained(errors, other * scale[:, :, None])


def _inverse(values: Exact) -> Exact:
    """One by the values; 0 by 0."""
    return np.divide(1, values, out=np.zeros_like(values), where=values > 0)


def _explained(errors: Exact, factors: Exact) -> tuple[float, float]:
    """Return the share of the errors (segments x WIDTH) that the factors (segments x WIDTH x terms) explain.

    The part that any factors would explain by chance is subtracted. Also returns the share's standard deviation.
    """
    factors = factors / np.maximum(np.linalg.norm(factors, axis=1, keepdims=True), np.finfo(np.float64).tiny)
    transposed = factors.swapaxes(1, 2)
    squares = transposed @ factors + RIDGE * np.eye(factors.shape[2])
    projection = factors @ np.linalg.solve(squares, transposed)
    at = np.arange(errors.shape[1])
    most = float((np.square(errors) * (1 - projection[:, at, at])).sum())
    projection[:, at, at] = 0
    excess = float((errors * (projection @ errors[:, :, None])[:, :, 0]).sum())
    squared = np.square(errors)
    variance = 2 * float((squared * (np.square(projection) @ squared[:, :, None])[:, :, 0]).sum())
    return excess / most, math.sqrt(variance) / most


def _few_terms(own: Single, looked: Mask) -> tuple[Indices, Indices]:
    """Return a sample of these rows with few large terms, and the indices of these terms, -1 beyond their number."""
    large = np.abs(own) > LARGE * np.abs(own).max(axis=1, keepdims=True)
    few = np.flatnonzero(looked & (large.sum(axis=1) <= MOST_TERMS))
    sampled = few[spread(few.size)] if few.size else few
    numbers = np.argsort(large[sampled], axis=1, kind="stable")[:, -MOST_TERMS:]
    return sampled, np.where(np.take_along_axis(large[sampled], numbers, 1), numbers, -1)


def _segments(looked: Mask, sampled: Indices) -> tuple[Indices, Indices]:
    """Return segments of the sampled rows: for each, the row's place in the sample, and WIDTH columns that count.

    Those are the first and the last ones of a row that count, if they are enough for both.
    """
    places, columns = [], [np.zeros((0, WIDTH), np.intp)]
    for place, row in enumerate(sampled):
        own = np.flatnonzero(looked[row])
        starts = np.array((0, own.size - WIDTH)[: own.size // WIDTH], np.intp)
        places += [place] * starts.size
        columns.append(own[starts[:, None] + np.arange(WIDTH)])
    return np.array(places, np.intp), np.concatenate(columns)


def bits_of_results(comparison: Comparison, interface: Interface) -> int | None:
    """Return how many bits of their significands sums of real numbers use, if all use fewer than float32 has.

    Also None for other types and for tensor cores, which sum in their own formats.
    """
    if set(interface.types.values()) != {"float32"} or interface.math != "full":
        return None
    looked = comparison.looked & comparison.inputs.real_sums
    used = int(np.bitwise_or.reduce(bits(comparison.left), axis=None, where=looked))
    if not used or used & 1:
        return None
    exact = bits(comparison.want[looked].astype(np.float32))
    if np.count_nonzero(exact & 1) < LEAST_ODD:
        return None
    unused = (used & -used).bit_length() - 1
    return max(1, SIGNIFICAND["float32"] - unused)
