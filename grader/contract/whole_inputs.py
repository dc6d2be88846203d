"""Inputs whose products and sums are exact in any order: whole numbers, times a power of two. Pure.

Every row of A and every column of B draws how large its numbers are and which of its terms count, and a few numbers at
unpredictable places are much larger. In one half of the rows of A, or of the columns of B, some have every bit of their
type; the other matrix picks one of those for each sum, beside all other terms. Few elements do not tell which matrix it
is, or where they are.
One level of Strassen's and Winograd's algorithms is exact too: what they multiply in sums of quadrants is no larger.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from grader.contract.large_terms import Counts, Indices, at_random, large_terms
from grader.contract.precision import MATH, SIGNIFICAND
from grader.model import Interface, Shape

Matrix = NDArray[np.generic]
Integers = NDArray[np.int32]

LARGE_EXPONENTS = frozenset({"float32", "float64"})
LARGEST_START = 8  # the largest element of C before a launch, if beta is not zero
SHARES = (0.375, 0.125, 0.25, 0.25)  # of the kinds of lines
DENSE = (1.0, 0.0, 0.0, 0.0)  # the same where no place may have a large number
SMALL_BITS = 5  # of numbers that any term may have, at most
LARGE_BITS = 13  # of those at few places, at most
MOST_LARGE = 2  # of these in a line whose other terms count too
PARTS = 32  # of the largest sum: one for small numbers, one for large ones of A, one for those of B; 24 for all bits
MOST_WIDE = 8  # terms with numbers of all bits
WIDE_SHARE = 0.75  # of the elements there
RUN = 4  # neighbouring terms that may be large in the same matrix
BELOW_ONE = (14, 20)  # the range of powers of two between 1 and the largest of very small numbers


def whole(
    rng: np.random.Generator, shape: Shape, interface: Interface, *, wide_in_a: bool, small: bool
) -> tuple[Matrix, Matrix]:
    """A and B. Numbers with all bits are in A or else in B; all values are very small, or else whole numbers."""
    part = (_room(interface) + 1) // PARTS
    limit = (1 << max(1, min(SMALL_BITS, (part // shape.K).bit_length() - 1 >> 1))) - 1
    in_a, in_b = _places(rng, shape.K)
    a = _integers(rng, (shape.M, shape.K), limit, in_a, part, interface).astype(_drawn_as(interface.type_a))
    b = _integers(rng, (shape.N, shape.K), limit, in_b, part, interface).astype(_drawn_as(interface.type_b))
    if shape.K * limit > part:
        a[:] = 0
        _scatter(rng, a, np.full(shape.M, part), np.arange(shape.K), 1)
    _add_wide(rng, *((a, b) if wide_in_a else (b, a)), interface)
    scale = _scale(rng, interface) if small else 1.0
    a *= a.dtype.type(scale)
    b *= b.dtype.type(scale)
    return a, b.T


def _drawn_as(kind: str) -> str:
    """A type with a sign, of NumPy, that holds all values of a type."""
    return "float32" if kind == "bfloat16" else "int32" if "int" in kind else kind


def is_integer(interface: Interface) -> bool:
    """Whether results are whole numbers."""
    return interface.type_c.startswith("int")


def is_exact(interface: Interface) -> bool:
    """Whether alpha and beta leave sums of products exact."""
    return exact_sums(interface) >= largest_whole(interface)


def largest_whole(interface: Interface) -> int:
    """The largest of the integers that are not to use all bits."""
    return (1 << min(LARGE_BITS, _bits(interface))) - 1


def _places(rng: np.random.Generator, K: int) -> tuple[Indices, Indices]:
    """Terms that may be large in A, and those that may be in B. A fast algorithm multiplies none of those with these.

    It adds terms that are half of K apart, rounded up or down, so neighbours have their large numbers in the
    same matrix, or in neither.
    """
    half, run = (K + 1) // 2, RUN if K % 2 else 1
    of_pair = rng.integers(0, 2, half // run + 2).repeat(run)[rng.integers(run) :][:half]
    chosen = [of_pair == 0, of_pair == 1]
    if K % 2:
        chosen = [here & np.roll(here, 1) & np.roll(here, -1) for here in chosen]
    in_a, in_b = (np.flatnonzero(np.tile(pairs, 2)[:K]) for pairs in chosen)
    return in_a, in_b


def _integers(
    rng: np.random.Generator, size: tuple[int, int], limit: int, places: Indices, part: int, interface: Interface
) -> Integers:
    """Lines of numbers up to the limit, and of larger ones at some of the places."""
    limits = (1 << rng.integers(1, limit.bit_length() + 1, (size[0], 1))) - 1
    uniform = rng.integers(0, 1 << 16, size, np.uint16).astype(np.uint32)
    values = (uniform * (2 * limits + 1).astype(np.uint32) >> 16).astype(np.int32) - limits.astype(np.int32)
    drawn = large_terms(rng, *size, SHARES if places.size else DENSE)
    values *= drawn.mask
    counts = np.where(drawn.few, drawn.few, rng.integers(0, MOST_LARGE + 1, size[0]))
    counts = np.minimum(counts, part // limit)
    _scatter(rng, values, counts, places, np.minimum(largest_whole(interface), part // limit // np.maximum(counts, 1)))
    return values


def _scatter(rng: np.random.Generator, values: Matrix, counts: Counts, places: Indices, largest: Counts | int) -> None:
    """Give each line so many numbers at some of the places, none of them 0."""
    lines, terms = at_random(rng, counts, places)
    most = np.broadcast_to(largest, counts.shape)[lines]
    values[lines, terms] = rng.integers(1, most + 1) * (rng.integers(0, 2, lines.size) * 2 - 1)


def _add_wide(rng: np.random.Generator, wide: Matrix, other: Matrix, interface: Interface) -> None:
    """Put numbers of all bits into one quadrant of `wide`, of which lines of `other` pick one each.

    A fast algorithm adds nothing to them but small numbers: in `other`, the other terms that it adds to those are 0.
    """
    rows, inner, columns = (_half(rng, length) for length in (wide.shape[0], wide.shape[1], other.shape[0]))
    terms = rng.choice(inner, rng.integers(1, max(1, min(MOST_WIDE, inner.size // 8)) + 1), replace=False)
    K = wide.shape[1]
    beside = np.concatenate([terms + step for step in (0, K // 2, (K + 1) // 2, -(K // 2), -((K + 1) // 2))])
    other[:, beside[(beside >= 0) & (beside < K)]] = 0
    other[columns, rng.choice(terms, columns.size)] = rng.integers(0, 2, columns.size) * 2 - 1
    at = np.ix_(rows, terms)
    chosen = rng.random((rows.size, terms.size)) < WIDE_SHARE
    wide[at] = np.where(chosen, _all_bits(rng, chosen.shape, interface), wide[at])


def _half(rng: np.random.Generator, length: int) -> Indices:
    """The first or the second half of the indices, without the middle of an odd length; all of a length of 1."""
    half = length // 2 or length
    return np.arange(half) + (length - half) * rng.integers(2)


def _all_bits(rng: np.random.Generator, size: tuple[int, ...], interface: Interface) -> Matrix:
    """Numbers of either sign with all bits that factor, product and C keep, the last one set; not the largest ones."""
    lowest = 1 << max(0, min(_bits(interface), (_room(interface) + 1).bit_length() - 1) - 2)
    odd = rng.integers(lowest, max(lowest + 1, lowest * 3 // 2), size) * 2 + 1
    return odd * (rng.integers(0, 2, size) * 2 - 1)


def _scale(rng: np.random.Generator, interface: Interface) -> float:
    """A small power of two for A and B; 1 for types without it, and where whole numbers are added to C.

    Products of small factors must not be left out, as real inputs allow. Fixed-point numbers are wrong.
    """
    kinds = {interface.type_a, interface.type_b, interface.type_c}
    if interface.beta or kinds - LARGE_EXPONENTS:
        return 1.0
    return float(np.ldexp(1.0, -(_bits(interface) + rng.integers(*BELOW_ONE))))


def _bits(interface: Interface) -> int:
    """The bits that a factor may have: those of all three types."""
    kinds = (interface.type_a, interface.type_b, interface.type_c)
    return min(MATH[interface.math], *(SIGNIFICAND[kind] for kind in kinds))


def _room(interface: Interface) -> int:
    """The largest sum of products."""
    return exact_sums(interface) if is_exact(interface) else (1 << SIGNIFICAND[interface.type_c]) - 1


def exact_sums(interface: Interface) -> int:
    """The largest sum of products for which alpha * sum + beta * C is exact too; 0 where alpha or beta allow none."""
    alpha, beta = Fraction(interface.alpha), Fraction(interface.beta)
    scale = lcm(alpha.denominator, beta.denominator)
    left = (1 << SIGNIFICAND[interface.type_c]) - 1 - abs(beta) * scale * LARGEST_START
    return max(0, int(left / (abs(alpha) * scale or 1)))
