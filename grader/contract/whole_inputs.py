"""Lines of whole numbers, whose products and sums are exact in any order. Pure.

Every row of A and every column of B draws how large its numbers are and which of its terms count, and a few numbers at
unpredictable places are much larger. Some of them may also have terms that together have every bit of their type; lines
of the other matrix pick some of those, beside all other terms. Few elements do not tell which lines they are.
One level of Strassen's and Winograd's algorithms is exact too: what they multiply in sums of quadrants is no larger.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt, lcm

import numpy as np
from numpy.typing import NDArray

from grader.contract.large_terms import Counts, Indices, at_random, large_terms, make_alike, thin_out
from grader.contract.lines import Mask
from grader.contract.precision import MATH, SIGNIFICAND
from grader.model import Interface, Shape

Matrix = NDArray[np.generic]
Integers = NDArray[np.int32]

LARGE_EXPONENTS = frozenset({"float32", "float64"})
LARGEST_START = 8  # the largest element of C before a launch, if beta is not zero
SHARES = (0.45, 0.15, 0.2, 0.2)  # of the kinds of lines
NEARLY_NO_ZEROS = (1.0, 0.0, 0.0, 0.0)  # where another value must be another number
WITHOUT_ALL_BITS, BESIDE_ALL_BITS = 4, 32  # one of so many parts of the largest sum is for small numbers
SMALL_BITS = 6  # of numbers that any term may have, at most
BITS_APART = 2  # by which lines may differ in that
LARGE_BITS = 12  # of those at few places of A or of B; two of these have an exact product
MOST_LARGE = 2  # of these in a line
MOST_WIDE = 8  # terms with numbers of all bits
SHARED = 8  # one of so many terms has products of numbers that share all bits
WIDE_SHARE = 0.4  # of the lines of one half; the others pick
LEAST_PARTED = 2  # lines
WHOLE_LINES = 3  # for each of very small, and of other numbers
SMALL = (-19, -13)  # the range of powers of two that are about the largest of very small numbers
OTHERS = ((-1, 3), (40, 51))  # and of others, in some launches each


def whole(
    rng: np.random.Generator,
    shape: Shape,
    interface: Interface,
    parts: int,
    shares: tuple[float, ...],
    alike: tuple[slice, slice],
) -> tuple[Matrix, Matrix]:
    """A, and the transpose of B. One of them has larger numbers at a few places: no two of these are multiplied."""
    part = (_largest_sum(interface) + 1) // parts
    limit = (1 << max(1, min(SMALL_BITS, (isqrt(part // shape.K) + 1).bit_length() - 1))) - 1
    a, b = (_integers(rng, (length, shape.K), limit, shares) for length in (shape.M, shape.N))
    if shape.K * limit > part:
        a[:] = 0
        _scatter(rng, a, np.full(shape.M, part), 1)
    if shares != NEARLY_NO_ZEROS:
        make_alike(rng, a[alike[0]])
        make_alike(rng, b[alike[1]])
    _add_large(rng, a if rng.integers(2) else b, part // limit, largest_whole(interface))
    return a.astype(_drawn_as(interface.type_a)), b.astype(_drawn_as(interface.type_b))


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


def _integers(rng: np.random.Generator, size: tuple[int, int], limit: int, shares: tuple[float, ...]) -> Integers:
    """Lines of numbers up to the limit, or up to a part of it."""
    bits = limit.bit_length()
    limits = (1 << rng.integers(max(1, bits - BITS_APART), bits + 1, size[0])) - 1
    uniform = rng.integers(0, 1 << 16, size, np.uint16).astype(np.uint32)
    values = (uniform * (2 * limits + 1).astype(np.uint32)[:, None] >> 16).astype(np.int32)
    values -= limits.astype(np.int32)[:, None]
    drawn = large_terms(rng, *size, shares)
    if shares != NEARLY_NO_ZEROS:
        thin_out(rng, drawn.mask)
    values *= drawn.mask
    _scatter(rng, values, drawn.few, limits)
    return values


def _add_large(rng: np.random.Generator, values: Integers, total: int, largest: int) -> None:
    """Put a few larger numbers into each line, whose sum is at most the total."""
    counts = np.minimum(rng.integers(0, MOST_LARGE + 1, len(values)), total)
    _scatter(rng, values, counts, np.minimum(largest, total // np.maximum(counts, 1)))


def _scatter(rng: np.random.Generator, values: Integers, counts: Counts, largest: Counts | int) -> None:
    """Give each line so many numbers at random places, none of them 0."""
    lines, terms = at_random(rng, counts, np.arange(values.shape[1]))
    most = np.broadcast_to(largest, counts.shape)[lines]
    values[lines, terms] = rng.integers(1, most + 1) * _signs(rng, most.shape)


def add_all_bits(
    rng: np.random.Generator, a: Matrix, b: Matrix, exact: tuple[Mask, Mask], interface: Interface
) -> Indices:
    """Put numbers of all bits into exact lines of one quadrant of A and of B, of which others of B and A pick some.

    A fast algorithm adds nothing to them but small numbers: where lines pick, the other terms that it adds are 0. Nor
    does it add both kinds of lines, because they are in the same half. Lines that pick share all bits elsewhere.
    Returns all of these terms, and those that a fast algorithm adds to them.
    """
    inner, taken = _half(rng, a.shape[1]), np.zeros(0, np.intp)
    most = max(1, min(MOST_WIDE, inner.size // 8))
    (wide_a, picking_a), (wide_b, picking_b) = (_parted(rng, mask) for mask in exact)
    sides = [(a, wide_a, b, picking_b), (b, wide_b, a, picking_a)][:: rng.choice((-1, 1))]
    alone = any(np.array_equal(*parts) for parts in ((wide_a, picking_a), (wide_b, picking_b)))
    for wide, lines, other, picking in sides[: 1 if alone else 2]:
        free = np.setdiff1d(inner, taken)
        if not free.size:
            break
        terms = rng.choice(free, min(free.size, int(rng.integers(1, most + 1))), replace=False)
        taken = np.concatenate([taken, terms])
        other[:, _beside(terms, a.shape[1])] = 0
        picked = _some(rng, picking.size, terms.size)
        other[np.ix_(picking, terms)] = picked * _signs(rng, picked.shape)
        wide[np.ix_(lines, terms)] = _all_bits(rng, _some(rng, lines.size, terms.size), interface)
    free = np.setdiff1d(inner, taken)
    if free.size and not alone:
        shared = _share_all_bits(rng, [(lines, picking) for _, _, lines, picking in sides], free, interface)
        taken = np.concatenate([taken, shared])
    return _beside(taken, a.shape[1])


def _share_all_bits(
    rng: np.random.Generator, sides: list[tuple[Matrix, Indices]], free: Indices, interface: Interface
) -> Indices:
    """Let products of two odd numbers have all bits of a sum, and their factors as many of these as may be.

    So no product of the parts that kernels leave out of both factors is zero everywhere. Other lines are zero there,
    and each line of one matrix has one such number, because two products would exceed the largest sum.
    Returns the terms.
    """
    (one, of_one), (other, of_other) = sides
    K, factor, total = one.shape[1], _bits(interface), (_largest_sum(interface) + 1).bit_length() - 1
    least = min(factor, max(2, total - factor))
    different = max(1, min(factor, total - 2) - least + 1)
    count = min(different, of_one.size, free.size, max(1, K // SHARED))
    first = int(rng.integers(free.size - count + 1))
    terms = rng.permutation(free[first : first + count])
    for lines in (one, other):
        lines[:, _beside(terms, K)] = 0
    bits = least + ((np.arange(count) + rng.random(count)) * different / count).astype(np.int64)
    picked = _some(rng, of_other.size, count)
    other[np.ix_(of_other, terms)] = picked * _odd(rng, bits, 2, picked.shape)
    places = rng.permutation(np.resize(np.arange(count), of_one.size))
    one[of_one, terms[places]] = _odd(rng, np.minimum(factor, total - bits)[places], 1.5, places.shape)
    return terms


def _beside(terms: Indices, K: int) -> Indices:
    """The terms, and all that a fast algorithm adds to them."""
    steps = (0, K // 2, (K + 1) // 2, -(K // 2), -((K + 1) // 2))
    places = np.concatenate([terms + step for step in steps])
    return places[(places >= 0) & (places < K)]


def _odd(rng: np.random.Generator, bits: Counts, below: float, size: tuple[int, ...]) -> Counts:
    """Odd numbers of so many bits and of either sign, which are less than so many times the least one."""
    least = 1 << (bits - 1)
    return np.asarray((rng.integers(least, (below * least).astype(np.int64), size) | 1) * _signs(rng, size))


def _signs(rng: np.random.Generator, size: tuple[int, ...]) -> Counts:
    return rng.integers(0, 2, size) * 2 - 1


def _parted(rng: np.random.Generator, exact: Mask) -> tuple[Indices, Indices]:
    """The exact lines of one half, in two parts; a single one is in both."""
    half = _half(rng, exact.size)
    lines = rng.permutation(half[exact[half]])
    if lines.size < LEAST_PARTED:
        return lines, lines
    wide = max(1, round(WIDE_SHARE * lines.size))
    return lines[:wide], lines[wide:]


def _some(rng: np.random.Generator, lines: int, terms: int) -> NDArray[np.bool_]:
    """Mark one to all terms of each line, as many with the same probability."""
    return rng.random((lines, terms)).argsort(axis=1) < rng.integers(1, terms + 1, (lines, 1))


def _half(rng: np.random.Generator, length: int) -> Indices:
    """The first or the second half of the indices, without the middle of an odd length; all of a length of 1."""
    half = length // 2 or length
    return np.arange(half) + (length - half) * rng.integers(2)


def _all_bits(rng: np.random.Generator, chosen: NDArray[np.bool_], interface: Interface) -> Matrix:
    """Share a number with all bits that factor, product and C keep among the chosen terms of each line.

    They are odd, have either sign, and no sum of some of them is longer; those that are alone are not the largest ones.
    """
    bits = max(2, min(_bits(interface), (_largest_sum(interface) + 1).bit_length() - 1))
    totals = rng.uniform(2 ** (bits - 1), 3 * 2 ** (bits - 2), (len(chosen), 1))
    shares = rng.exponential(size=chosen.shape) * chosen
    odd = (totals * shares / shares.sum(axis=1, keepdims=True) / 2).astype(np.int64) * 2 + 1
    return np.asarray(odd * chosen * _signs(rng, chosen.shape))


def exponents(rng: np.random.Generator, interface: Interface) -> tuple[int, ...]:
    """Powers of two of exact lines, of which most are 1 if types have others and no whole numbers are in C.

    Products of very small factors must not be left out, as a limit would allow, and fixed-point numbers are wrong. Some
    look like real numbers: no kernel may round these where the other factor is whole.
    """
    kinds = {interface.type_a, interface.type_b, interface.type_c}
    if interface.beta or kinds - LARGE_EXPONENTS:
        return (0,)
    largest = int(rng.integers(*SMALL)), int(rng.integers(*rng.choice(OTHERS)))
    return (*[0] * WHOLE_LINES, *(power - _bits(interface) for power in largest))


def _bits(interface: Interface) -> int:
    """The bits that a factor may have: those of all three types."""
    kinds = (interface.type_a, interface.type_b, interface.type_c)
    return min(MATH[interface.math], *(SIGNIFICAND[kind] for kind in kinds))


def _largest_sum(interface: Interface) -> int:
    """The largest sum of products."""
    return exact_sums(interface) if is_exact(interface) else (1 << SIGNIFICAND[interface.type_c]) - 1


def exact_sums(interface: Interface) -> int:
    """The largest sum of products for which alpha * sum + beta * C is exact too; 0 where alpha or beta allow none."""
    alpha, beta = Fraction(interface.alpha), Fraction(interface.beta)
    scale = lcm(alpha.denominator, beta.denominator)
    left = (1 << SIGNIFICAND[interface.type_c]) - 1 - abs(beta) * scale * LARGEST_START
    return max(0, int(left / (abs(alpha) * scale or 1)))
