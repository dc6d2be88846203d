"""Lines of real numbers, whose products and sums are rounded. Pure.

Of long sums, most rows and columns have few large terms: what shortened factors lose is found there
(comparison/shortened_factors.py). Most of these are from one set, and a few elsewhere. In other rows and columns, many
terms are large too, so that a term that is small in some rows is large in others; those of the set are larger, as in
the sums of rows that fast algorithms multiply.
"""

import numpy as np
from numpy.typing import NDArray

from grader.contract.large_terms import Indices, at_random, large_terms
from grader.contract.precision import MATH, SIGNIFICAND, cut
from grader.contract.whole_inputs import has_large_exponents
from grader.model import Interface

Matrix = NDArray[np.generic]
Reals = NDArray[np.float32] | NDArray[np.float64]

MOST_ALIKE, LARGE_TERMS = 64, 32  # all terms of shorter sums are large, and of longer ones in most lines so many
SHARES_OF_REALS = (0.0, 0.2, 0.2, 0.6)  # of the patterns of lines: of those at the edges, some terms are small
DRAWS, FEW = 4, 4  # most lines have many large terms, none of them above one, as those of many terms; some have few
MOST_OWN = 4  # large terms of a line of few that no other line has
SMALL_EXPONENTS = 8  # different powers of two that scale small terms
NORM = np.float32(3.0)  # of each line, so that fast algorithms add no large numbers to small ones
FILL = np.float32(0.9)  # numbers drawn with 24 bits after the point have every bit of float32 when scaled by it


def real(
    rng: np.random.Generator, counts: tuple[int, int], K: int, interface: Interface, shares: tuple[float, ...]
) -> tuple[Matrix, Matrix, Indices]:
    """So many rows of A and columns of B, with no more bits than a factor may keep: rounding them loses nothing.

    Also returns the terms that are large in most of them, where few are.
    """
    kind = np.float64 if interface.type_a == "float64" else np.float32
    a, b = (rng.random((lines, K), kind) * 2 - 1 for lines in counts)
    common = np.zeros(0, np.intp)
    if K > MOST_ALIKE and has_large_exponents(interface):
        common = rng.permutation(K)[:LARGE_TERMS]
        if rng.integers(2):  # these terms mostly have loops of their own, and the last one tells how sums are rounded
            common = np.union1d(common[2:], (0, K - 1))
        for lines in filter(len, (a, b)):
            _make_small(rng, lines, common, interface, shares)
    if kind is np.float32:
        a, b = (cut((lines * FILL).view(np.float32), MATH[interface.math]) for lines in (a, b))
    return a, b, common


def _make_small(
    rng: np.random.Generator, values: Reals, common: Indices, interface: Interface, shares: tuple[float, ...]
) -> None:
    """Scale the terms of each line that do not count, and then all of it to one norm."""
    lines, K = values.shape
    mask, few = large_terms(rng, lines, K, shares)
    drawn_terms = rng.integers(2, LARGE_TERMS + 1, (DRAWS, lines))
    from_common = np.where(drawn_terms[0] < FEW, drawn_terms[0], drawn_terms.max(axis=0))
    own = np.where(few, rng.integers(0, MOST_OWN + 1, lines), 0)
    places = at_random(rng, from_common, common), at_random(rng, own, np.arange(K))
    at = tuple(np.concatenate(pair) for pair in zip(*places, strict=True))
    large = values[at]
    least = SIGNIFICAND[interface.type_c] + 2
    small = np.ldexp(1.0, -rng.integers(least, least + SMALL_EXPONENTS, (lines, 1))).astype(values.dtype)
    values *= np.where(mask, np.sqrt(values.dtype.type(LARGE_TERMS / K)), small)
    values[at] = large
    values *= NORM / np.linalg.norm(values, axis=1, keepdims=True)
