"""How large the errors of a rounded product may be: a multiple of what a plain sum loses on the same data. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grader.contract.inputs import SIGNIFICAND, Inputs
from grader.model import Interface

SAMPLE = 64  # rows, and as many columns, for which the plain sum is computed
LEAST_TYPICAL = 0.25  # roundings: an element alone may lose nothing by chance

Matrix = NDArray[np.generic]
Exact = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Loss:
    """The largest error and the root mean square of all, as shares of the elements' scales."""

    largest: float
    typical: float


@dataclass(frozen=True, slots=True)
class ErrorLimit:
    """The largest error of each element (M x N), and the largest root mean square as a share of `scale` (M x N).

    `plain` is the loss of the plain sum, and `on_host` that of the host's BLAS as a multiple of it.
    """

    elements: Exact
    typical: float
    scale: Exact
    plain: Loss
    on_host: float

    def multiple(self, errors: Exact, looked: Mask | None = None) -> float:
        """The errors as a multiple of the plain sum's: of the largest or the typical one, whichever is larger."""
        return _multiple(loss(errors, self.scale, looked), self.plain)


def error_limit(inputs: Inputs, interface: Interface) -> ErrorLimit:
    """The limits for the product of these inputs.

    No limit exceeds gamma_K * |a_i| |b_j|, which no order of summation exceeds: gamma_n = n*u / (1 - n*u) with the unit
    roundoff u of C's type (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., (3.5) and section 3.5) and
    the Cauchy-Schwarz inequality for the sum of the terms' magnitudes. Two more roundings cover alpha and beta.
    """
    unit = 2.0 ** -SIGNIFICAND[interface.type_c]
    scale = _scale(inputs, interface)
    part, plain = _sample(inputs), plain_loss(inputs, interface)
    kind = np.dtype(interface.type_c)
    on_host = _errors(part.A.astype(kind) @ part.B.astype(kind), part, interface)
    roundings = (inputs.A.shape[1] + 2) * unit
    wall = roundings / (1 - roundings) if roundings < 1 else np.inf
    elements = min(wall, interface.accuracy * plain.largest) * scale
    typical = interface.accuracy * plain.typical
    return ErrorLimit(elements, typical, scale, plain, _multiple(loss(on_host, _scale(part, interface)), plain))


def plain_loss(inputs: Inputs, interface: Interface) -> Loss:
    """The loss of the plain sum of a part of the elements, at least what rounding the result alone may lose."""
    unit = 2.0 ** -SIGNIFICAND[interface.type_c]
    part = _sample(inputs)
    lost = loss(_errors(plain_sum(part.A, part.B, interface), part, interface), _scale(part, interface))
    return Loss(max(lost.largest, unit), max(lost.typical, LEAST_TYPICAL * unit))


def loss(errors: Exact, scale: Exact, looked: Mask | None = None) -> Loss:
    """The loss of these errors, of all elements or those `looked` at."""
    shares = errors / np.maximum(scale, np.finfo(np.float64).tiny)
    if looked is not None:
        shares = shares[looked]
    if not shares.size:
        return Loss(0.0, 0.0)
    return Loss(float(shares.max()), float(np.sqrt(np.mean(np.square(shares)))))


def plain_sum(a: Matrix, b: Matrix, interface: Interface) -> Matrix:
    """The sums of a (rows x K) times b (K x columns), in the type of C, one term after the other."""
    kind = np.dtype(interface.type_c)
    a, b = np.ascontiguousarray(a.T, kind), np.ascontiguousarray(b, kind)
    total = np.zeros((a.shape[1], b.shape[1]), kind)
    for left, right in zip(a, b, strict=True):
        total += np.multiply.outer(left, right)
    return total


def _sample(inputs: Inputs) -> Inputs:
    """Rows of A and columns of B, evenly spread."""
    rows, columns = _spread(inputs.A.shape[0]), _spread(inputs.B.shape[1])
    start = None if inputs.C is None else inputs.C[np.ix_(rows, columns)]
    return replace(inputs, A=inputs.A[rows], B=inputs.B[:, columns], C=start)


def _errors(sums: Matrix, inputs: Inputs, interface: Interface) -> Exact:
    """The errors of C with these sums of products, scaled and added to C in its type."""
    kind = np.dtype(interface.type_c).type
    exact = interface.alpha * (inputs.A.astype(np.float64) @ inputs.B.astype(np.float64))
    values = kind(interface.alpha) * sums
    if inputs.C is not None:
        exact += interface.beta * inputs.C.astype(np.float64)
        values = values + kind(interface.beta) * inputs.C
    return np.asarray(np.abs(values.astype(np.float64) - exact))


def _scale(inputs: Inputs, interface: Interface) -> Exact:
    """|alpha| |a_i| |b_j| + |beta C_ij| with the Euclidean norms of rows and columns (M x N)."""
    rows = np.linalg.norm(inputs.A.astype(np.float64), axis=1)
    columns = np.linalg.norm(inputs.B.astype(np.float64), axis=0)
    scale = abs(interface.alpha) * np.multiply.outer(rows, columns)
    if inputs.C is not None:
        scale += abs(interface.beta) * np.abs(inputs.C.astype(np.float64))
    return np.asarray(scale)


def _spread(length: int) -> NDArray[np.intp]:
    return np.unique(np.linspace(0, length - 1, SAMPLE).astype(np.intp))


def _multiple(lost: Loss, plain: Loss) -> float:
    return max(lost.largest / plain.largest, lost.typical / plain.typical)
