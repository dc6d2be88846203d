"""A sample of the wrong elements of C, with what is needed to recompute them under a hypothesis. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.comparison.compare import Comparison, Exact, Mask
from grader.comparison.expectation import Expect, expectation
from grader.explain.wrong_elements.uses import NOTHING, Uses
from grader.model import Backend, Case, Interface, Launch

SAMPLE = 128  # wrong elements, evenly spread; values of 13 bits and more agree by chance in none of them
KNOWN_SHARE = 0.25  # of the sample must have a value under a hypothesis that agrees with it
TOLERANCE = 1e-5  # of the sum of the magnitudes, where the inputs are not exact

Indices = NDArray[np.intp]
Candidates = Iterator[tuple[Exact, str]]  # the values of the sample's elements, and the hint


@dataclass(frozen=True, slots=True)
class Trial:
    """A case, how it was launched, what the submission's text mentions, and how to find out what C should be."""

    case: Case
    interface: Interface
    launch: Launch
    backend: Backend
    uses: Uses = NOTHING
    expect: Expect = expectation


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

    @property
    def magnitudes(self) -> Exact:
        """The sums of the terms' magnitudes, with C from before the launch as one of them."""
        start = self.start
        return np.asarray(np.abs(self.terms).sum(1) + (0.0 if start is None else np.abs(start)))

    def scaled(self, sums: Exact) -> Exact:
        """C for these sums of products: alpha * sums + beta * start."""
        interface, start = self.trial.interface, self.start
        return interface.alpha * sums + (0.0 if start is None else interface.beta * start)

    def values(self, matrix: Exact) -> Exact:
        """The elements of a matrix (M x N) at the sample's places."""
        return np.asarray(matrix[self.rows, self.columns])

    @property
    def proves_something(self) -> bool:
        """Whether an error exceeds the tolerance of hypotheses; else, every hypothesis that changes little agrees."""
        off = np.abs(self.got - self.values(self.comparison.want))
        return self.comparison.inputs.exact or bool((off > TOLERANCE * self.magnitudes).any())

    def agrees(self, values: Exact) -> bool:
        """Whether these are the values of the sample; NaN means that a hypothesis predicts nothing for an element."""
        known = ~np.isnan(values)
        if known.sum() < KNOWN_SHARE * values.size or not known.any():
            return False
        off = np.abs(self.got - values)[known]
        if self.comparison.inputs.exact:
            return not off.any()
        return bool(np.all(off <= TOLERANCE * self.magnitudes[known]))

    def fits_correct_elements(self, values: Callable[[Evidence], Exact]) -> bool:
        """Whether correct elements that are not zero have these values too, as under a mistake in every sum."""
        looked = self.comparison
        correct = looked.looked & ~looked.wrong & (looked.want != 0) & np.isfinite(looked.got)
        other = _at(self.trial, looked, _spread(correct, SAMPLE))
        return other is None or other.agrees(values(other))


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A mistake that gives the values of one case, as a hint, and a function that tests it against another case."""

    hint: str
    holds: Callable[[Evidence], bool]


def evidence(trial: Trial, comparison: Comparison) -> Evidence | None:
    """Sample the wrong elements that are numbers; None without any."""
    return _at(trial, comparison, wrong_numbers(comparison, SAMPLE))


def wrong_numbers(comparison: Comparison, most: int) -> tuple[Indices, Indices]:
    """Rows and columns of at most so many wrong elements that are finite numbers, evenly spread."""
    return _spread(comparison.wrong & np.isfinite(comparison.got) & ~comparison.untouched, most)


def _at(trial: Trial, comparison: Comparison, places: tuple[Indices, Indices]) -> Evidence | None:
    rows, columns = places
    if not rows.size:
        return None
    a = comparison.inputs.A[rows].astype(np.float64)
    b = comparison.inputs.B[:, columns].T.astype(np.float64)
    return Evidence(trial, comparison, rows, columns, comparison.got[rows, columns], a, b)


def _spread(marked: Mask, most: int) -> tuple[Indices, Indices]:
    """Rows and columns of at most so many marked elements, evenly spread."""
    numbers = np.flatnonzero(marked)
    if numbers.size > most:
        numbers = numbers[np.linspace(0, numbers.size - 1, most).astype(np.intp)]
    rows, columns = np.divmod(numbers, marked.shape[1])
    return rows, columns
