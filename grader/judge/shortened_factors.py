"""Whether a rounded product shows the errors of factors that were shortened. Pure.

Factors of 18 to 22 bits lose little more than an honest sum does, so no limit finds them. But however an element of A
is rounded, its error reaches C multiplied by a row of B. Few terms of a real product are large, so there are fewer such
errors than columns of C: least squares find how far they explain a row of errors. Rounding in a sum has nothing to do
with them, and is explained by chance only. What fast algorithms lose in sums of factors is known, and left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.contract.inputs import LARGE_TERMS, MOST_ALIKE, Inputs
from grader.judge.error_limit import spread
from grader.judge.fast_products import losses
from grader.model import Interface

WIDTH = 2 * LARGE_TERMS  # neighbouring elements of C that are explained together; tiles of most kernels are as wide
MOST_STRETCHES = 4  # of a row
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
class _Factors:
    """Factors (rows x terms) whose errors are looked for, what they are multiplied by, and what scaling them loses."""

    own: Exact
    other: Exact
    lost: Exact
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
    of_a, first = _share(error, sums, looked, side_a)
    of_b, second = _share(error.T, sums.T, looked.T, side_b)
    factors = "A and B" if min(of_a, of_b) > (of_a + of_b) / 4 else "A" if of_a > of_b else "B"
    return Shortened(factors, of_a + of_b, math.hypot(first, second))


def _sides(inputs: Inputs, interface: Interface, *, fast: bool) -> tuple[_Factors, _Factors]:
    """Return A, and the transpose of B; `fast` tells whether the losses of fast algorithms are known."""
    A, B = np.asarray(inputs.A, np.float32), np.asarray(inputs.B, np.float32)
    terms = np.argsort(np.abs(A).max(axis=0))[-LARGE_TERMS:]
    pairs = list(_multiplied(A, B, interface.alpha)) if fast else []

    def of_rows(rows: Indices) -> Iterator[Exact]:
        for a, b in pairs:
            yield from losses(a, b, terms, rows, np.arange(B.shape[1]))

    def of_columns(columns: Indices) -> Iterator[Exact]:
        for a, b in pairs:
            yield from (lost.T for lost in losses(a, b, terms, np.arange(A.shape[0]), columns))

    own, other = A[:, terms], B[terms]
    return _factors(own, other.T, interface, of_rows), _factors(other.T, own, interface, of_columns)


def _multiplied(A: Single, B: Single, alpha: float) -> Iterator[tuple[Single, Single]]:
    """Yield the matrices that a kernel may multiply: one of them may be scaled by alpha before, which rounds it."""
    yield A, B
    if abs(math.frexp(alpha)[0]) != POWER_OF_TWO:
        yield np.float32(alpha) * A, B
        yield A, np.float32(alpha) * B


def _factors(own: Single, other: Single, interface: Interface, known: Known) -> _Factors:
    """Return factors, scaled by alpha; a kernel may do so before anything else, which rounds each once."""
    exact = interface.alpha * own.astype(np.float64)
    return _Factors(exact, other.astype(np.float64), np.float32(interface.alpha) * own - exact, known)


def _share(error: Exact, sums: Exact, looked: Mask, factors: _Factors) -> tuple[float, float]:
    """Return the share of errors of `factors.own`, and its deviation.

    Other kinds of errors are left out. Sums that are rounded towards zero have one in proportion to each term. Plain
    sums lose most of the small terms, behind the first large one; of long sums, that would hide the factors' errors.
    Factors that are multiplied by alpha are rounded once. The last ones are `factors.known`.
    """
    sampled = spread(looked.shape[0])
    rows, columns = _stretches(looked, sampled)
    errors = error[rows[:, None], columns]
    norms = np.linalg.norm(errors, axis=1)
    rows, columns, errors, norms = (each[norms > 0] for each in (rows, columns, errors, norms))
    if not rows.size:
        return 0.0, 0.0
    errors, other = errors / norms[:, None], factors.other[columns]
    terms = other * (factors.own[rows] / norms[:, None])[:, None, :]
    small = sums[rows[:, None], columns] / norms[:, None] - terms.sum(axis=2)
    scaling = (other @ (factors.lost[rows] / norms[:, None])[:, :, None])[:, :, 0]
    at = np.searchsorted(sampled, rows)
    known = [lost[at[:, None], columns] / norms[:, None] for lost in factors.known(sampled)]
    left_out = np.concatenate([terms, np.stack([small, scaling, *known], axis=2)], axis=2).reshape(errors.size, -1)
    errors = errors - (left_out @ np.linalg.lstsq(left_out, errors.reshape(-1))[0]).reshape(errors.shape)
    explained = np.square(np.linalg.qr(other)[0].swapaxes(1, 2) @ errors[:, :, None]).sum()
    by_chance = factors.own.shape[1] / WIDTH
    excess = float(explained) / float(np.square(errors).sum()) - by_chance
    deviation = np.sqrt(
        2 * by_chance * (1 - by_chance) / (WIDTH + 2) / len(errors)
    )  # of a mean of beta-distributed shares
    return excess / (1 - by_chance), float(deviation) / (1 - by_chance)


def _stretches(looked: Mask, sampled: Indices) -> tuple[Indices, Indices]:
    """Return sampled rows, some of them several times, and for each neighbouring columns whose elements count."""
    rows, columns = [], [np.zeros((0, WIDTH), np.intp)]
    for row in sampled:
        own = np.flatnonzero(looked[row])
        starts = np.linspace(0, own.size - WIDTH, min(own.size // WIDTH, MOST_STRETCHES)).astype(np.intp)
        rows += [row] * starts.size
        columns.append(own[starts[:, None] + np.arange(WIDTH)])
    return np.array(rows, np.intp), np.concatenate(columns)
