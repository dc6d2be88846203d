"""Whole numbers that use every bit of a factor, a product or a sum, in sums that are exact in any order. Pure.

A kernel that keeps fewer bits of any of these computes another sum. Such numbers are at a few terms of some lines, rows
of A or columns of B. Lines of the other matrix pick some of them: at these terms, they have a power of two of either
sign, or 0. A kernel cannot tell from a few elements which lines these are. A fast algorithm is Strassen's or Winograd's
(lines.py), which adds lines and terms before it multiplies.
"""

import numpy as np
from numpy.typing import NDArray

from grader.contract.large_terms import Counts, Indices
from grader.contract.lines import Mask
from grader.contract.whole_inputs import Matrix, bits_of_factor, has_large_exponents, largest_sum, signs
from grader.model import Interface

MOST_WIDE = 8  # terms with numbers of all bits
MOST_SHIFTED = 6  # of their bits are behind the point, where other factors are larger: a line that looks whole is not
SHARED = 8  # one of so many terms has products of numbers that share all bits
ALIKE_SPLITS = 2  # of a product's bits, which no sum is too short for
WIDE_SHARE = 0.4  # of the lines of one half; the others pick


def add_all_bits(
    rng: np.random.Generator, a: Matrix, b: Matrix, exact: tuple[Mask, Mask], interface: Interface
) -> Indices:
    """Put numbers of all bits into exact lines of one quadrant of A and of B, of which others of B and A pick some.

    A fast algorithm adds nothing to them but small numbers: where lines pick, the other terms that it adds are 0. Nor
    does it add both kinds of lines, because they are in the same half. Lines that pick share all bits elsewhere.
    Returns all of these terms, and those that a fast algorithm adds to them.
    """
    inner, taken = _half_around(rng, a.shape[1]), np.zeros(0, np.intp)
    most = max(1, min(MOST_WIDE, inner.size // 8))
    (wide_a, picking_a), (wide_b, picking_b) = (_parted(rng, mask) for mask in exact)
    sides = [(a, wide_a, b, picking_b), (b, wide_b, a, picking_a)][:: rng.choice((-1, 1))]
    alone = any(np.array_equal(*parts) for parts in ((wide_a, picking_a), (wide_b, picking_b)))
    for wide, lines, other, picking in sides[: 1 if alone else 2]:
        free = np.setdiff1d(inner, taken)
        if not free.size:
            break
        terms = _some_terms(rng, free, most, a.shape[1])
        taken = np.concatenate([taken, terms])
        other[:, _beside(terms, a.shape[1])] = 0
        power = rng.integers(0, MOST_SHIFTED + 1) if has_large_exponents(interface) else 0
        picked = _some(rng, picking.size, terms.size)
        other[np.ix_(picking, terms)] = np.ldexp(picked * signs(rng, picked.shape), power)
        wide[np.ix_(lines, terms)] = np.ldexp(_all_bits(rng, _some(rng, lines.size, terms.size), interface), -power)
    free = np.setdiff1d(inner, taken)
    if free.size and not alone:
        shared = _share_all_bits(rng, [(lines, picking) for _, _, lines, picking in sides], free, interface)
        taken = np.concatenate([taken, shared])
    return _beside(taken, a.shape[1])


def _some_terms(rng: np.random.Generator, free: Indices, most: int, K: int) -> Indices:
    """Some terms. Of several, one is the first or the last of all K: what no vector holds has a loop of its own."""
    terms = rng.choice(free, min(free.size, int(rng.integers(1, most + 1))), replace=False)
    ends = free[(free == 0) | (free == K - 1)]
    if terms.size > 1 and ends.size:
        terms[0] = rng.choice(ends)
    return np.unique(terms)


def _share_all_bits(
    rng: np.random.Generator, sides: list[tuple[Matrix, Indices]], free: Indices, interface: Interface
) -> Indices:
    """Let products of two odd numbers have all bits of a sum, and their factors as many of these as may be.

    So no product of the parts that kernels leave out of both factors is zero everywhere. Other lines are zero there,
    and each line of one matrix has one such number, because two products would exceed the largest sum.
    Returns the terms.
    """
    (one, of_one), (other, of_other) = sides
    K, factor, total = one.shape[1], bits_of_factor(interface), (largest_sum(interface) + 1).bit_length() - 1
    least = min(factor, max(2, total - factor))
    different = max(1, min(factor, total - 2) - least + 1)
    count = min(different, of_one.size, free.size, max(1, K // SHARED))
    first = int(rng.integers(free.size - count + 1))
    terms = rng.permutation(free[first : first + count])
    for lines in (one, other):
        lines[:, _beside(terms, K)] = 0
    bits = _bits_of_one(rng, least, different)[:count]
    picked = _some(rng, of_other.size, count)
    other[np.ix_(of_other, terms)] = picked * _odd(rng, bits, 2, picked.shape)
    places = rng.permutation(np.resize(np.arange(count), of_one.size))
    one[of_one, terms[places]] = _odd(rng, np.minimum(factor, total - bits)[places], 1.5, places.shape)
    return terms


def _bits_of_one(rng: np.random.Generator, least: int, different: int) -> Counts:
    """How many bits one of two factors has, from the least on: about as many as the other one first.

    Kernels that split both alike lose products of these. The other half has the same pairs, with the factors exchanged.
    """
    fewer = np.arange(least, least + (different + 1) // 2)[::-1]
    fewer[ALIKE_SPLITS:] = rng.permutation(fewer[ALIKE_SPLITS:])
    more = 2 * least + different - 1 - fewer
    exchanged = rng.integers(0, 2, fewer.size) > 0
    return np.concatenate([np.where(exchanged, more, fewer), np.where(exchanged, fewer, more)[different % 2 :]])


def _beside(terms: Indices, K: int) -> Indices:
    """The terms, and all that a fast algorithm adds to them."""
    steps = (0, K // 2, (K + 1) // 2, -(K // 2), -((K + 1) // 2))
    places = np.concatenate([terms + step for step in steps])
    return places[(places >= 0) & (places < K)]


def _odd(rng: np.random.Generator, bits: Counts, below: float, size: tuple[int, ...]) -> Counts:
    """Odd numbers of so many bits and of either sign, which are less than so many times the least one."""
    least = 1 << (bits - 1)
    return np.asarray((rng.integers(least, (below * least).astype(np.int64), size) | 1) * signs(rng, size))


def _parted(rng: np.random.Generator, exact: Mask) -> tuple[Indices, Indices]:
    """The exact lines of one half, in two parts; a single one is in both."""
    half = _half(rng, exact.size)
    lines = rng.permutation(half[exact[half]])
    wide = max(1, round(WIDE_SHARE * lines.size))
    return lines[:wide], lines[wide:] if wide < lines.size else lines


def _some(rng: np.random.Generator, lines: int, terms: int) -> NDArray[np.bool_]:
    """Mark one to all terms of each line, as many with the same probability."""
    return rng.random((lines, terms)).argsort(axis=1) < rng.integers(1, terms + 1, (lines, 1))


def _half(rng: np.random.Generator, length: int) -> Indices:
    """The first or the second half of the indices, without the middle of an odd length; all of a length of 1."""
    half = length // 2 or length
    return np.arange(half) + (length - half) * rng.integers(2)


def _half_around(rng: np.random.Generator, length: int) -> Indices:
    """Half of the indices, none of which a fast algorithm adds: neighbours, or as often some at either end."""
    half = length // 2 or length
    least = rng.choice((0, length - half))
    return np.asarray((np.arange(half) + rng.integers(least, length + 1)) % length)


def _all_bits(rng: np.random.Generator, chosen: NDArray[np.bool_], interface: Interface) -> Matrix:
    """Share a number with all bits that factor, product and C keep among the chosen terms of each line.

    They are odd, have either sign, and no sum of some of them is longer; those that are alone are not the largest ones.
    """
    bits = max(2, min(bits_of_factor(interface), (largest_sum(interface) + 1).bit_length() - 1))
    totals = rng.uniform(2 ** (bits - 1), 3 * 2 ** (bits - 2), (len(chosen), 1))
    shares = rng.exponential(size=chosen.shape) * chosen
    odd = (totals * shares / shares.sum(axis=1, keepdims=True) / 2).astype(np.int64) * 2 + 1
    return np.asarray(odd * chosen * signs(rng, chosen.shape))
