"""Whether a rounded product shows the errors of factors that were shortened. Pure.

Factors of 18 to 22 bits lose little more than an honest sum does, so no limit finds them. But however an element of A
is rounded, its error reaches C multiplied by a row of B. Many rows of real inputs have few large terms, so there are
fewer such errors than columns of C: least squares find how far they explain a row of errors. Rounding in a sum has
nothing to do with them, and is explained by chance only. What fast algorithms lose in sums of factors is known, and
left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.comparison.error_limit import spread
from grader.comparison.fast_products import losses
from grader.contract.inputs import Inputs
from grader.contract.real_inputs import LARGE_TERMS, MOST_ALIKE, MOST_OWN
from grader.model import Interface

WIDTH = 2 * LARGE_TERMS  # neighbouring elements of C that are explained together; tiles of most kernels are as wide
MOST_STRETCHES = 4  # of a row
MOST_TERMS = LARGE_TERMS + MOST_OWN  # large ones of a row that is asked
LARGE = 2.0**-12  # of the largest element of a row
SAME = 1e-9  # of the squared norm of a term's factors: what is left of those that others explain
LEAST_SHARE = 0.13  # of the errors, of A and B together; orders of sums reach 0.08, fast algorithms are known
LEAST_SIGNIFICANCE = 8.0  # standard deviations: chance reaches that once in 10^15 comparisons
POWER_OF_TWO = 0.5  # the fraction of one

Single = NDArray[np.float32]
Exact = NDArray[np.float64]
Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]
Known = Callable[[Indices], Iterator[Exact]]
"""Errors of rows of C (rows x columns) with other reasons, one set after the other."""


@dataclass(frozen=True, slots=True)
class Shortened:
    """Which factors were shortened, and the share of the squared errors of C that their rounding causes."""

    factors: str
    share: float
    deviation: float
    """The standard deviation of the share of full factors, whose mean is 0."""


@dataclass(frozen=True, slots=True)
class _Side:
    """Factors (rows x K) whose errors are looked for, those they are multiplied by (columns x K), and known errors."""

    own: Single
    other: Single
    known: Known


def shortened(inputs: Inputs, interface: Interface, want: Exact, error: Exact, looked: Mask) -> Shortened | None:
    """Return what the errors of C show (both M x N); None for those of full factors, or if sums are too short to tell.

    Only float32 has the question: other types' factors are shorter, or their sums more exact.
    """
    if {interface.type_a, interface.type_b, interface.type_c} != {"float32"} or inputs.A.shape[1] <= MOST_ALIKE:
        return None
    for fast in (False, True):
        found = explained(inputs, interface, want, error, looked, fast=fast)
        if found.share < max(LEAST_SHARE, LEAST_SIGNIFICANCE * found.deviation):
            return None
    return found


def explained(
    inputs: Inputs, interface: Interface, want: Exact, error: Exact, looked: Mask, *, fast: bool
) -> Shortened:
    """Return what shortened factors would explain; `fast` leaves out what fast algorithms lose."""
    sums = want if inputs.C is None else want - interface.beta * inputs.C.astype(np.float64)
    side_a, side_b = _sides(inputs, interface, fast=fast)
    of_a, first = _share(error, sums, looked, side_a, interface)
    of_b, second = _share(error.T, sums.T, looked.T, side_b, interface)
    factors = "A and B" if min(of_a, of_b) > (of_a + of_b) / 4 else "A" if of_a > of_b else "B"
    return Shortened(factors, of_a + of_b, math.hypot(first, second))


def _sides(inputs: Inputs, interface: Interface, *, fast: bool) -> tuple[_Side, _Side]:
    """Return A, and the transpose of B; `fast` tells whether the losses of fast algorithms are known."""
    A, B = np.asarray(inputs.A, np.float32), np.asarray(inputs.B, np.float32)
    pairs = list(_multiplied(A, B, interface.alpha)) if fast else []
    terms = np.arange(A.shape[1])

    def of_rows(rows: Indices) -> Iterator[Exact]:
        for a, b in pairs:
            yield from losses(a, b, terms, rows, np.arange(B.shape[1]))

    def of_columns(columns: Indices) -> Iterator[Exact]:
        for a, b in pairs:
            yield from (lost.T for lost in losses(a, b, terms, np.arange(A.shape[0]), columns))

    return _Side(A, B.T, of_rows), _Side(B.T, A, of_columns)


def _multiplied(A: Single, B: Single, alpha: float) -> Iterator[tuple[Single, Single]]:
    """Yield the matrices that a kernel may multiply: one of them may be scaled by alpha before, which rounds it."""
    yield A, B
    if abs(math.frexp(alpha)[0]) != POWER_OF_TWO:
        yield np.float32(alpha) * A, B
        yield A, np.float32(alpha) * B


def _share(error: Exact, sums: Exact, looked: Mask, side: _Side, interface: Interface) -> tuple[float, float]:
    """Return the share of errors of `side.own`, and its deviation.

    Other kinds of errors are left out. Sums that are rounded towards zero have one in proportion to each term, the more
    the earlier it is added. Plain sums lose most of the small terms, behind the first large one; of long sums, that
    would hide the factors' errors. Factors that are multiplied by alpha are rounded once. The last ones are
    `side.known`.
    """
    sampled, numbers = _few_terms(side.own)
    at, columns = _stretches(looked, sampled)
    errors = error[sampled[at][:, None], columns]
    norms = np.linalg.norm(errors, axis=1)
    at, columns, errors, norms = (each[norms > 0] for each in (at, columns, errors, norms))
    if not at.size:
        return 0.0, 0.0
    rows, terms = sampled[at], numbers[at]
    of_column = np.linalg.norm(side.other, axis=1).astype(np.float64)[columns]
    scale = 1 / (np.maximum(of_column, np.finfo(np.float64).tiny) * norms[:, None])
    own = np.where(terms < 0, np.float32(0), side.own[rows[:, None], terms])
    scaled = interface.alpha * own.astype(np.float64)
    other = np.where(terms[:, None, :] < 0, 0.0, side.other[columns[:, :, None], terms[:, None, :]])
    parts = other * scaled[:, None, :]
    small = sums[rows[:, None], columns] - parts.sum(axis=2)
    by_place = (parts * terms[:, None, :]).sum(axis=2)
    scaling = (other @ (np.float32(interface.alpha) * own - scaled)[:, :, None])[:, :, 0]
    known = [lost[at[:, None], columns] for lost in side.known(sampled)]
    left_out = np.concatenate([parts, np.stack([small, by_place, scaling, *known], axis=2)], axis=2) * scale[:, :, None]
    left_out = left_out.reshape(errors.size, -1)
    errors = errors * scale
    errors = errors - (left_out @ np.linalg.lstsq(left_out, errors.reshape(-1))[0]).reshape(errors.shape)
    return _explained(errors, other * (scale * norms[:, None])[:, :, None])


def _explained(errors: Exact, factors: Exact) -> tuple[float, float]:
    """Return which share of the errors (stretches x columns) the factors (stretches x columns x terms) explain.

    More than by chance, which has a part in each error that depends on the factors only; and its standard deviation.
    """
    factors = factors / np.maximum(np.linalg.norm(factors, axis=1, keepdims=True), np.finfo(np.float64).tiny)
    transposed = factors.swapaxes(1, 2)
    squares = transposed @ factors + SAME * np.eye(factors.shape[2])
    projection = factors @ np.linalg.solve(squares, transposed)
    by_chance = np.diagonal(projection, axis1=1, axis2=2)
    between = projection * (1 - np.eye(errors.shape[1]))
    squared = np.square(errors)
    most = float((squared * (1 - by_chance)).sum())
    excess = float((errors * (between @ errors[:, :, None])[:, :, 0]).sum())
    variance = 2 * float((squared * (np.square(between) @ squared[:, :, None])[:, :, 0]).sum())
    return excess / most, math.sqrt(variance) / most


def _few_terms(own: Single) -> tuple[Indices, Indices]:
    """Return a sample of the rows with few large terms, and the numbers of these; -1 for less than `MOST_TERMS`."""
    large = np.abs(own) > LARGE * np.abs(own).max(axis=1, keepdims=True)
    few = np.flatnonzero(large.sum(axis=1) <= MOST_TERMS)
    sampled = few[spread(few.size)] if few.size else few
    numbers = np.argsort(large[sampled], axis=1, kind="stable")[:, -MOST_TERMS:]
    return sampled, np.where(np.take_along_axis(large[sampled], numbers, 1), numbers, -1)


def _stretches(looked: Mask, sampled: Indices) -> tuple[Indices, Indices]:
    """Return places in the sample, some of them several times, and for each neighbouring columns that count."""
    places, columns = [], [np.zeros((0, WIDTH), np.intp)]
    for place, row in enumerate(sampled):
        own = np.flatnonzero(looked[row])
        starts = np.linspace(0, own.size - WIDTH, min(own.size // WIDTH, MOST_STRETCHES)).astype(np.intp)
        places += [place] * starts.size
        columns.append(own[starts[:, None] + np.arange(WIDTH)])
    return np.array(places, np.intp), np.concatenate(columns)
