"""Lines of whole numbers, whose products and sums are exact in any order. Pure.

Every row of A and every column of B draws how large its numbers are and which of its terms count, and a few numbers at
unpredictable places are much larger. One level of Strassen's and Winograd's algorithms is exact too: what they multiply
in sums of quadrants is no larger.
"""

from fractions import Fraction
from math import isqrt, lcm

import numpy as np
from numpy.typing import NDArray

from grader.contract.large_terms import Counts, at_random, large_terms, make_alike
from grader.contract.precision import MATH, SIGNIFICAND
from grader.model import Interface, Shape

Matrix = NDArray[np.generic]
Integers = NDArray[np.int32]

LARGE_EXPONENTS = frozenset({"bfloat16", "float32", "float64"})
SHARES = (0.45, 0.15, 0.2, 0.2)  # of the patterns of lines
WITHOUT_ALL_BITS, BESIDE_ALL_BITS = (4, 15), (32, 12)  # one of so many parts of the largest sum, and larger numbers
WITH_ONE_SIGN = 0.5  # of the lines: sums of real ones would lose so much that a limit hides what factors lose
SMALL_BITS = 6  # of numbers that any term may have, at most; where results are integers, numbers have all bits
BITS_APART = 2  # by which lines may differ in that
LARGE_BITS = 12  # of those at few places of A or of B; two of these have an exact product
MOST_LARGE = 2  # of these in a line
RARE_LINES = 4  # in which a rare term counts: so few that all lines which a kernel samples have 0 there
OF_TERMS_RARE, OF_MANY_RARE = 32, 8  # one of so many terms is rare: of fewer than MANY, and of as many or more
MANY = 128
WHOLE_LINES = 3  # for each of very small, and of other numbers
SMALL = (-19, -13)  # the range of powers of two that are about the largest of very small numbers
LIKE_REAL, LARGE = (-1, 3), (40, 51)  # and of others


def whole(
    rng: np.random.Generator, shape: Shape, interface: Interface, room: tuple[int, int], shares: tuple[float, ...]
) -> tuple[Matrix, Matrix]:
    """A, and the transpose of B. One of them has larger numbers at a few places: no two of these are multiplied.

    The `room`: one of how many parts of the largest sum is for these lines, and the bits of the larger numbers.
    """
    parts, large_bits = room
    part = (largest_sum(interface) + 1) // parts
    most = bits_of_factor(interface) if is_integer(interface) else SMALL_BITS
    limit = (1 << max(1, min(most, (isqrt(part // shape.K) + 1).bit_length() - 1))) - 1
    a, b = (_integers(rng, (length, shape.K), limit, shares) for length in (shape.M, shape.N))
    if shape.K * limit > part:
        a[:] = 0
        _scatter(rng, a, np.full(shape.M, part), 1)
    first, count = int(rng.integers(shape.K)), shape.K // (OF_MANY_RARE if shape.K >= MANY else OF_TERMS_RARE)
    for lines in (a, b):
        rare = lines[:, first : first + count]
        rare *= rng.random(rare.shape, np.float32) < RARE_LINES / len(lines)
        _give_one_sign(rng, lines)
        make_alike(rng, lines)
    _add_large(rng, a if rng.integers(2) else b, part // limit, (1 << min(large_bits, bits_of_factor(interface))) - 1)
    return a.astype(_drawn_as(interface.type_a)), b.astype(_drawn_as(interface.type_b))


def _drawn_as(kind: str) -> str:
    """A type with a sign, of NumPy, that holds all values of a type."""
    return "float32" if kind == "bfloat16" else "int32" if "int" in kind else kind


def is_integer(interface: Interface) -> bool:
    """Whether results are whole numbers."""
    return interface.type_c.startswith("int")


def is_exact(interface: Interface) -> bool:
    """Whether alpha and beta leave sums of products exact that have a large number."""
    return exact_sums(interface) >= (1 << min(LARGE_BITS, bits_of_factor(interface))) - 1


def _integers(rng: np.random.Generator, size: tuple[int, int], limit: int, shares: tuple[float, ...]) -> Integers:
    """Lines of numbers up to the limit, or up to a part of it."""
    bits = limit.bit_length()
    limits = (1 << rng.integers(max(1, bits - BITS_APART), bits + 1, size[0])) - 1
    uniform = rng.integers(0, 1 << 16, size, np.uint16).astype(np.uint32)
    values = (uniform * (2 * limits + 1).astype(np.uint32)[:, None] >> 16).astype(np.int32)
    values -= limits.astype(np.int32)[:, None]
    mask, few = large_terms(rng, *size, shares)
    values *= mask
    _scatter(rng, values, few, limits)
    return values


def _give_one_sign(rng: np.random.Generator, values: Integers) -> None:
    """Give one sign to some of the lines, as in most matrices: half of these are positive."""
    chosen = np.flatnonzero(rng.random(len(values)) < WITH_ONE_SIGN)
    values[chosen] = np.abs(values[chosen]) * signs(rng, (chosen.size, 1))


def _add_large(rng: np.random.Generator, values: Integers, total: int, largest: int) -> None:
    """Put a few larger numbers into each line, whose sum is at most the total."""
    counts = np.minimum(rng.integers(0, MOST_LARGE + 1, len(values)), total)
    _scatter(rng, values, counts, np.minimum(largest, total // np.maximum(counts, 1)))


def _scatter(rng: np.random.Generator, values: Integers, counts: Counts, largest: Counts | int) -> None:
    """Give each line so many numbers at random places, none of them 0."""
    lines, terms = at_random(rng, counts, np.arange(values.shape[1]))
    most = np.broadcast_to(largest, counts.shape)[lines]
    values[lines, terms] = rng.integers(1, most + 1) * signs(rng, most.shape)


def signs(rng: np.random.Generator, size: tuple[int, ...]) -> Counts:
    """Draw so many signs."""
    return rng.integers(0, 2, size) * 2 - 1


def exponents(rng: np.random.Generator, interface: Interface) -> tuple[int, ...]:
    """Powers of two of exact lines, of which most are 1 if types have others.

    Products of very small factors must not be left out, as a limit would allow, and fixed-point numbers are wrong. Some
    look like real numbers: no kernel may round these where the other factor is whole.
    """
    if not has_large_exponents(interface):
        return (0,)
    largest = (int(rng.integers(*powers)) for powers in (SMALL, LIKE_REAL, LARGE))
    return (*[0] * WHOLE_LINES, *(power - bits_of_factor(interface) for power in largest))


def has_large_exponents(interface: Interface) -> bool:
    """Whether all types have powers of two that are far from 1."""
    return set(interface.types.values()) <= LARGE_EXPONENTS


def bits_of_factor(interface: Interface) -> int:
    """The bits that a factor may have: those of all three types."""
    return min(MATH[interface.math], *(SIGNIFICAND[kind] for kind in interface.types.values()))


def largest_sum(interface: Interface) -> int:
    """The largest sum of products."""
    return exact_sums(interface) if is_exact(interface) else (1 << SIGNIFICAND[interface.type_c]) - 1


def largest_start(interface: Interface) -> int:
    """The largest whole number in C before a launch, if beta is not zero: it has half of the bits of a sum."""
    return 1 << SIGNIFICAND[interface.type_c] // 2


def exact_sums(interface: Interface) -> int:
    """The largest sum of products for which alpha * sum + beta * C is exact too; 0 where alpha or beta allow none."""
    alpha, beta = Fraction(interface.alpha), Fraction(interface.beta)
    scale = lcm(alpha.denominator, beta.denominator)
    left = (1 << SIGNIFICAND[interface.type_c]) - 1 - abs(beta) * scale * largest_start(interface)
    return max(0, int(left / (abs(alpha) * scale or 1)))
