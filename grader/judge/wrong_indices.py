"""A factor whose index has row, col, k or nothing in the wrong place, with the values that this would give. Pure."""

from __future__ import annotations

from itertools import product

import numpy as np

from grader.judge.compare import as_float64
from grader.judge.evidence import Candidates, Evidence

RIGHT = {"A": ("row", "k"), "B": ("k", "col")}
SHARED = {"A": ("0", "k"), "B": ("k", "0")}  # all lines of C are alike, as where threads share a sum


def wrong_indices(e: Evidence) -> Candidates:
    """The sums in which all elements of one factor have such an index, if it stays inside of the matrix."""
    (M, K), N = e.comparison.inputs.A.shape, e.comparison.inputs.B.shape[1]
    lengths = {"row": M, "col": N, "k": K, "0": 1}
    steps = np.arange(K)[None, :]
    indices = {"row": e.rows[:, None], "col": e.columns[:, None], "k": steps, "0": np.zeros_like(steps)}
    for name, matrix, other in (("A", e.comparison.inputs.A, e.b), ("B", e.comparison.inputs.B, e.a)):
        own = as_float64(matrix)
        for line, place in product(lengths, lengths):
            if (
                (line, place) not in (RIGHT[name], SHARED[name])
                and lengths[line] <= own.shape[0]
                and lengths[place] <= own.shape[1]
            ):
                yield e.scaled((own[indices[line], indices[place]] * other).sum(1)), _hint(name, line, place)


def _hint(name: str, line: str, place: str) -> str:
    row, column = RIGHT[name]
    partner = "B[k][col]" if name == "A" else "A[row][k]"
    return f"{name}[{line}][{place}] is multiplied by {partner}, for every k: it should be {name}[{row}][{column}]."
