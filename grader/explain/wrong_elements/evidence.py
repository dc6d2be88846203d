"""A sample of the wrong elements of C, with what is needed to recompute them under a hypothesis. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.comparison.compare import Comparison, Exact, Mask
from grader.comparison.expectation import Expect, expectation
from grader.contract.layout import held_before
from grader.contract.precision import SIGNIFICAND
from grader.explain.wrong_elements.uses import NOTHING, Uses
from grader.model import Backend, Case, Interface, Launch

SAMPLE = 128  # wrong elements, evenly spread; values of 13 bits and more agree by chance in none of them
KNOWN_SHARE = 0.25  # of the sample must have a value under a hypothesis that agrees with it
ROUNDINGS = 4  # of a sum in a short type
LEAST_OF_ONE = 32  # elements that agree for each that may not
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
        return self.before if self.trial.interface.beta else None

    @property
    def before(self) -> Exact | None:
        """The values of C before the launch; None where these are no numbers."""
        C, interface = self.comparison.inputs.C, self.trial.interface
        if C is not None:
            return C[self.rows, self.columns].astype(np.float64)
        size = np.dtype(interface.type_c).itemsize
        words = np.full(self.got.size, held_before(interface)[interface.type_c], f"u{size}")
        values = words.view(interface.type_c).astype(np.float64)
        return values if np.isfinite(values).all() else None

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
    def exact(self) -> bool:
        """Whether all of the launch is exact, as the values of other elements must be, too."""
        return self.comparison.inputs.all_exact

    def slack(self, values: Exact) -> Exact:
        """How far the sample may be from these values."""
        share = max(TOLERANCE, ROUNDINGS * 2.0 ** -SIGNIFICAND[self.trial.interface.type_c]) * (not self.exact)
        return np.asarray(share * np.maximum(self.magnitudes, np.abs(values)))

    @property
    def proves_something(self) -> bool:
        """Whether an error exceeds the tolerance of hypotheses; else, every hypothesis that changes little agrees."""
        want = self.values(self.comparison.want)
        return bool((np.abs(self.got - want) > self.slack(want)).any())

    def agrees(self, values: Exact) -> bool:
        """Whether these are the values of the sample; NaN means that a hypothesis predicts nothing for an element.

        Where sums are rounded, a few may differ: what remains when large terms of a wrong sum cancel.
        """
        known = ~np.isnan(values)
        count = int(known.sum())
        if count < KNOWN_SHARE * values.size or not count:
            return False
        differs = ~(np.abs(self.got - values) <= self.slack(values))[known]
        return int(differs.sum()) * LEAST_OF_ONE <= count * (not self.exact)

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
    """Rows and columns of at most so many wrong elements that are finite numbers, evenly spread.

    Sums of real numbers say more than others beside them, which have larger and smaller terms.
    """
    wrong = comparison.wrong & np.isfinite(comparison.got) & ~comparison.untouched
    real = wrong & comparison.inputs.real_sums
    return _spread(real if real.any() else wrong, most)


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
