"""The kinds of lines, the rows of A and the columns of B: real or whole numbers, and a power of two. Pure.

Strassen's and Winograd's algorithms add lines that are half of a length apart, rounded up or down. Such partners have
the same kind. Of an odd length, all lines are partners of partners: there, kinds are not scattered, and the sums of the
lines where they meet are rounded like their partners'.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.contract.large_terms import EDGE

Mask = NDArray[np.bool_]
Integers = NDArray[np.int64]

WHOLE = (0,)  # the exponent of lines of whole numbers that are not small
REAL = 1000  # instead of an exponent


@dataclass(frozen=True, slots=True)
class LineKinds:
    """The kinds of all rows of A, or of all columns of B.

    Sums of two `exact` lines are exact, and those of two `real` lines are rounded, in fast algorithms too. The values
    of an exact line are multiples of a power of two with its exponent, but for those whose factors are so much larger
    that products are; real ones have 0.
    """

    exact: Mask
    real: Mask
    exponents: Integers


def draw_lines(
    rng: np.random.Generator, length: int, real_share: float, powers: tuple[int, ...]
) -> tuple[Mask, LineKinds]:
    """Return which lines have real numbers, and what is known of all: this share is real, others have these powers.

    Whether the first and the last ones are real is drawn, too.
    """
    half = (length + 1) // 2
    reals = int(real_share * half + rng.random()) if real_share else 0
    others = np.sort(np.resize(rng.permutation(powers), half - reals))[:: rng.choice((-1, 1))]
    inner, edges = (others, np.full(reals, REAL))[:: rng.choice((-1, 1))]
    apart = edges.size
    if length % 2 == 0:
        apart = min(apart, 2 * int(rng.integers(*EDGE)))
        edges = rng.permutation(edges)
        inner = rng.permutation(np.concatenate([inner, edges[apart:]]))
    kinds = np.concatenate([inner, edges[:apart]])
    kinds = np.roll(kinds, (apart + 1) // 2 + rng.integers(-(apart // 8), apart // 8 + 1))
    kind = np.tile(kinds, 2)[:length]
    alike = np.ones(length, np.bool_)
    for one, other in _partners(length):
        same = kind[one] == kind[other]
        alike[one] &= same
        alike[other] &= same
    real = kind == REAL
    return real, LineKinds(~real & alike, real & alike, np.where(real, 0, kind))


def largest_of_partners(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each line the largest value of its own and its partners'."""
    largest = values.copy()
    for one, other in _partners(values.size):
        np.maximum(largest[one], values[other], out=largest[one])
        np.maximum(largest[other], values[one], out=largest[other])
    return largest


def _partners(length: int) -> Iterator[tuple[slice, slice]]:
    """Yield pairs of slices with partners at the same places."""
    for step in {length // 2, (length + 1) // 2} - {0}:
        yield slice(0, length - step), slice(step, length)
