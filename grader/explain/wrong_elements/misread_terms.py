"""At which k the elements of a factor are really read, by the elements that the sums use. Pure.

`used` and `own` are lines x K: the elements that solve the equations, and those of the matrix.
"""

from __future__ import annotations

import numpy as np

from grader.comparison.compare import Exact
from grader.explain.wrong_elements.evidence import Indices


def k_read(used: Exact, own: Exact) -> Indices | None:
    """Return the k at which each of the K elements of every line is read; None where that is not one k for all."""
    used, found = np.rint(used), np.zeros(own.shape[1], np.intp)
    for k in range(found.size):
        same = np.flatnonzero((own == used[:, [k]]).all(0))
        if not same.size:
            return None
        found[k] = same[np.abs(same - k).argmin()]
    return found


def period_of(used: Exact, own: Exact) -> int:
    """Return the period if elements are read at k % period instead of k; 0 if they are not."""
    ks = k_read(used, own)
    if ks is None:
        return 0
    period = int(ks.max()) + 1
    return period if period < ks.size and np.array_equal(ks, np.arange(ks.size) % period) else 0


def kept_in_tile(used: Exact, own: Exact) -> tuple[int, int] | None:
    """Return a k, and how many terms later an element of this line is multiplied by the other factor's of k, too.

    So it is where that one stays in a tile: this line then seems to have a sum of elements at k, and none at the later
    ones. None where this does not explain all of a line.
    """
    used = np.rint(used)
    sums = np.flatnonzero((used != own) & (used != 0))
    if not sums.size:
        return None
    k = int(sums[0])
    return next(
        ((k, step) for step in range(1, own.size - k) if _stays(used, own, k, step) and _all(used, own, step)), None
    )


def _stays(used: Exact, own: Exact, k: int, step: int) -> int:
    """Return how many later terms, at this distance, are multiplied by the same element as k; 0 if that fails."""
    later = slice(k + step, None, step)
    count = np.flatnonzero(own[k] + np.cumsum(own[later]) == used[k])
    return int(count[0]) + 1 if count.size and not used[later][: count[0] + 1].any() else 0


def _all(used: Exact, own: Exact, step: int) -> bool:
    """Whether every element is used as it is, not at all, or with later ones at this distance."""
    sums = np.flatnonzero((used != own) & (used != 0))
    return all(_stays(used, own, int(k), step) for k in sums)
