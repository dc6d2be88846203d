"""How large the errors of a rounded product may be: a multiple of what a plain sum loses on the same data. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grader.contract.inputs import Inputs
from grader.contract.precision import SIGNIFICAND
from grader.model import Interface

SAMPLE = 64  # rows, and as many columns, for which the plain sum is computed
BLOCK_ELEMENTS = 1 << 16  # half a megabyte in float64
LEAST_TYPICAL = 0.25  # roundings, for many elements; a few may lose almost nothing by chance

Matrix = NDArray[np.generic]
Exact = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Loss:
    """The largest error and the root mean square of all, as shares of the elements' scales."""

    largest: float
    typical: float


@dataclass(frozen=True, slots=True)
class Scale:
    """|alpha| |a_i| |b_j| + |beta C_ij| with the Euclidean norms of rows (M) and columns (N); `start` is M x N."""

    rows: Exact
    columns: Exact
    start: Exact | None = None

    def of(self, rows: slice) -> Exact:
        """Return the scales of these rows of C."""
        scale = np.multiply.outer(self.rows[rows], self.columns)
        return scale if self.start is None else scale + self.start[rows]


@dataclass(frozen=True, slots=True)
class ErrorLimit:
    """The largest error of an element, and the largest root mean square of all, as shares of `scale`.

    `plain` is the loss of the plain sum, and `on_host` that of the host's BLAS as a multiple of it.
    """

    largest: float
    typical: float
    scale: Scale
    plain: Loss
    on_host: float

    def multiple(self, got: Exact, want: Exact, looked: Mask | None = None) -> float:
        """The errors as a multiple of the plain sum's: of the largest or the typical one, whichever is larger."""
        return _multiple(loss(got, want, self.scale, looked), self.plain)


def error_limit(inputs: Inputs, interface: Interface) -> ErrorLimit:
    """The limits for the product of these inputs.

    No limit exceeds gamma_K * |a_i| |b_j|, which no order of summation exceeds: gamma_n = n*u / (1 - n*u) with the unit
    roundoff u of C's type (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., (3.5) and section 3.5) and
    the Cauchy-Schwarz inequality for the sum of the terms' magnitudes. Two more roundings cover alpha and beta.
    """
    unit = 2.0 ** -SIGNIFICAND[interface.type_c]
    part, plain = sample(inputs), plain_loss(inputs, interface)
    kind = np.dtype(interface.type_c)
    on_host = _loss_of_sums(part.A.astype(kind) @ part.B.astype(kind), part, interface)
    roundings = (inputs.A.shape[1] + 2) * unit
    wall = roundings / (1 - roundings) if roundings < 1 else np.inf
    largest, typical = min(wall, interface.accuracy * plain.largest), interface.accuracy * plain.typical
    return ErrorLimit(largest, typical, _scale(inputs, interface), plain, _multiple(on_host, plain))


def plain_loss(inputs: Inputs, interface: Interface) -> Loss:
    """The loss of the plain sum of a part of the elements, at least what rounding the result alone may lose."""
    unit = 2.0 ** -SIGNIFICAND[interface.type_c]
    part = sample(inputs)
    lost = _loss_of_sums(plain_sum(part.A, part.B, interface), part, interface)
    least = max(LEAST_TYPICAL, 1 / math.sqrt(part.A.shape[0] * part.B.shape[1]))
    return Loss(max(lost.largest, unit), max(lost.typical, least * unit))


def loss(got: Exact, want: Exact, scale: Scale, looked: Mask | None = None) -> Loss:
    """The loss of all elements of C (M x N), or of those `looked` at; NaN if one of them is NaN."""
    largest = total = 0.0
    count = 0
    for rows, every in shares(got, want, scale):
        counted = every if looked is None or looked[rows].all() else every[looked[rows]]
        if counted.size:
            largest = float(np.maximum(largest, counted.max()))
            total += float(np.square(counted).sum())
            count += counted.size
    return Loss(largest, float(np.sqrt(total / max(count, 1))))


def shares(got: Exact, want: Exact, scale: Scale) -> Iterator[tuple[slice, Exact]]:
    """Yield a few rows of C at a time, with the errors of their elements as shares of the scale.

    So few that they stay in a cache: whole matrices of intermediate results took most of the time.
    """
    height = max(1, BLOCK_ELEMENTS // max(1, want.shape[1]))
    for first in range(0, want.shape[0], height):
        rows = slice(first, first + height)
        errors = np.abs(got[rows] - want[rows])
        yield rows, errors / np.maximum(scale.of(rows), np.finfo(np.float64).tiny)


def plain_sum(a: Matrix, b: Matrix, interface: Interface) -> Matrix:
    """The sums of a (rows x K) times b (K x columns), in the type of C, one term after the other."""
    kind = np.dtype(interface.type_c)
    a, b = np.ascontiguousarray(a.T, kind), np.ascontiguousarray(b, kind)
    total = np.zeros((a.shape[1], b.shape[1]), kind)
    for left, right in zip(a, b, strict=True):
        total += np.multiply.outer(left, right)
    return total


def spread(length: int) -> NDArray[np.intp]:
    """Return indices below `length` for a sample, evenly spread."""
    return np.unique(np.linspace(0, length - 1, SAMPLE).astype(np.intp))


def sample(inputs: Inputs) -> Inputs:
    """Return rows of A and columns of B, evenly spread."""
    rows, columns = spread(inputs.A.shape[0]), spread(inputs.B.shape[1])
    start = None if inputs.C is None else inputs.C[np.ix_(rows, columns)]
    return replace(inputs, A=inputs.A[rows], B=inputs.B[:, columns], C=start)


def _loss_of_sums(sums: Matrix, inputs: Inputs, interface: Interface) -> Loss:
    """The loss of C with these sums of products, scaled and added to C in its type."""
    kind = np.dtype(interface.type_c).type
    exact = interface.alpha * (inputs.A.astype(np.float64) @ inputs.B.astype(np.float64))
    values = kind(interface.alpha) * sums
    if inputs.C is not None:
        exact += interface.beta * inputs.C.astype(np.float64)
        values = values + kind(interface.beta) * inputs.C
    return loss(values.astype(np.float64), exact, _scale(inputs, interface))


def _scale(inputs: Inputs, interface: Interface) -> Scale:
    rows = abs(interface.alpha) * np.linalg.norm(inputs.A.astype(np.float64), axis=1)
    columns = np.linalg.norm(inputs.B.astype(np.float64), axis=0)
    start = None if inputs.C is None else abs(interface.beta) * np.abs(inputs.C.astype(np.float64))
    return Scale(rows, columns, start)


def _multiple(lost: Loss, plain: Loss) -> float:
    return max(lost.largest / plain.largest, lost.typical / plain.typical)
