"""Which terms of a row of A or a column of B count: each draws its pattern anew, and few of its elements tell. Pure."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]
Counts = NDArray[np.int64]

# The patterns of lines. Of the first, every term counts, of the second, each with a probability that the line draws,
# of the third, those between two places, so that its beginning or end may look like the last, and of that, a few.
EVERY, SOME, BETWEEN, FEW = range(4)
LIKELY = (0.1, 1.02)  # the range of the probability: where it exceeds one, every term counts too
FEWEST, MOST_OF_FEW = 2, 40  # terms of the last pattern
EDGE = (5, 10)  # the range of how many of the first and of the last lines are alike, as are no others
ALIKE = (17, 25)  # the range of how many neighbouring lines are equal but for a few terms: more than a tile has
MOST_UNLIKE = 3  # of these terms


def large_terms(
    rng: np.random.Generator, lines: int, terms: int, shares: Sequence[float]
) -> tuple[NDArray[np.bool_], Counts]:
    """Draw the pattern of each line, by the shares of the patterns, and its terms.

    Returns a mask (lines x terms) of those that count, none in lines of few; and how many those have, 0 for others.
    """
    patterns = rng.choice(len(shares), lines, p=shares)
    model, edge = rng.integers(lines), min(lines // 7, int(rng.integers(*EDGE)))
    patterns[:edge] = patterns[lines - edge :] = patterns[model]
    open_end = rng.integers(0, 3, lines)  # of those between two places: the first, the last or none
    first = np.where((patterns == BETWEEN) & (open_end > 0), rng.integers(0, terms // 2 + 1, lines), 0)
    last = np.where((patterns == BETWEEN) & (open_end != 1), rng.integers((terms + 1) // 2, terms + 1, lines), terms)
    last[patterns == FEW] = 0
    k = np.arange(terms)
    mask = (k >= first[:, None]) & (k < last[:, None])
    some = np.flatnonzero(patterns == SOME)
    mask[some] = rng.random((some.size, terms), np.float32) < rng.uniform(*LIKELY, (some.size, 1))
    mask[:edge] = mask[lines - edge :] = mask[model]
    return mask, np.where(patterns == FEW, rng.integers(FEWEST, MOST_OF_FEW + 1, lines), 0)


def make_alike(rng: np.random.Generator, lines: NDArray[np.generic]) -> None:
    """Let some neighbours, at most one line in eight, be equal to the last of them, but for a few terms of each."""
    count = min(len(lines) // 8, int(rng.integers(*ALIKE)))
    first = int(rng.integers(len(lines) - count + 1))
    alike = lines[first : first + count]
    at = at_random(rng, rng.integers(1, MOST_UNLIKE + 1, count), np.arange(lines.shape[1]))
    own = alike[at]
    alike[:] = alike[-1:]
    alike[at] = own


def at_random(rng: np.random.Generator, counts: Counts, places: Indices) -> tuple[Indices, Indices]:
    """So many of the places for each line, some of them twice: the numbers of lines and terms."""
    lines = np.repeat(np.arange(counts.size), counts)
    return lines, rng.choice(places, lines.size)
