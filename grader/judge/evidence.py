"""A sample of the wrong elements of C, with what is needed to recompute them under a hypothesis. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.judge.compare import Comparison, Exact, Trial

SAMPLE = 128  # wrong elements, evenly spread; values of 13 bits and more agree by chance in none of them
KNOWN_SHARE = 0.25  # of the sample must have a value under a hypothesis that agrees with it
TOLERANCE = 1e-5  # of the sum of the terms' magnitudes, where the inputs are not exact

Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sample of wrong elements: their rows and columns, their values `got`, and the K terms of each one's sum.

    `a` and `b` hold the row of A and the column of B that belong to each element, sample x K.
    """

    trial: Trial
    comparison: Comparison
    rows: Indices
    columns: Indices
    got: Exact
    a: Exact
    b: Exact

    @property
    def terms(self) -> Exact:
        return self.a * self.b

    @property
    def start(self) -> Exact | None:
        """The values of C before the launch, in labs with beta."""
        C = self.comparison.inputs.C
        return None if C is None else C[self.rows, self.columns].astype(np.float64)

    def scaled(self, sums: Exact) -> Exact:
        """C for these sums of products: alpha * sums + beta * start."""
        interface, start = self.trial.interface, self.start
        return interface.alpha * sums + (0.0 if start is None else interface.beta * start)

    def agrees(self, values: Exact) -> bool:
        """Whether these are the values of the sample; NaN means that a hypothesis predicts nothing for an element."""
        known = ~np.isnan(values)
        if known.sum() < KNOWN_SHARE * values.size or not known.any():
            return False
        off = np.abs(self.got - values)[known]
        if self.comparison.inputs.exact:
            return not off.any()
        return bool(np.all(off <= TOLERANCE * np.abs(self.terms).sum(1)[known]))


def evidence(trial: Trial, comparison: Comparison) -> Evidence | None:
    """Sample the wrong elements that are numbers; None without any."""
    rows, columns = np.nonzero(comparison.wrong & np.isfinite(comparison.got) & ~comparison.untouched)
    if not rows.size:
        return None
    chosen = np.unique(np.linspace(0, rows.size - 1, SAMPLE).astype(np.intp))
    rows, columns = rows[chosen], columns[chosen]
    a = comparison.inputs.A[rows].astype(np.float64)
    b = comparison.inputs.B[:, columns].T.astype(np.float64)
    return Evidence(trial, comparison, rows, columns, comparison.got[rows, columns], a, b)
