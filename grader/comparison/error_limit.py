"""The limits for the errors of a rounded product: a multiple of the errors of a plain sum of the same data. Pure."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grader.contract.inputs import Inputs
from grader.contract.lines import LineKinds, largest_of_partners
from grader.contract.precision import SIGNIFICAND
from grader.model import Interface

SAMPLE = 64  # rows, and as many columns, for which the plain sum is computed; of real numbers if there are any
BLOCK_ELEMENTS = 1 << 16  # half a megabyte in float64
LEAST_TYPICAL = 0.25  # roundings, for many elements; the errors of a few may be almost 0 by chance

Matrix = NDArray[np.generic]
Exact = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Loss:
    """The largest error and the root mean square of all errors, each relative to its element's scale."""

    largest: float
    typical: float


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of each C_ij, |alpha| |a_i| |b_j| + |beta C_ij|, of Euclidean norms.

    `rows` is |alpha| |a_i| (M), `columns` is |b_j| (N), and `start` is |beta C_ij| (M x N).
    Fast algorithms add a row to its partners, so the largest norm among them counts; the same holds for columns.
    """

    rows: Exact
    columns: Exact
    start: Exact | None = None

    def of(self, rows: slice) -> Exact:
        """Return the scales of these rows of C (rows x N)."""
        scale = np.multiply.outer(self.rows[rows], self.columns)
        return scale if self.start is None else scale + self.start[rows]


@dataclass(frozen=True, slots=True)
class ErrorLimit:
    """The limit for the error of an element, and that for the root mean square of all, relative to `scale`.

    `plain` is the loss of the plain sum. `on_host` is the loss of the host's BLAS as a multiple of that.
    """

    largest: float
    typical: float
    scale: Scale
    plain: Loss
    on_host: float

    def multiple(self, got: Exact, want: Exact, looked: Mask | None = None) -> float:
        """The loss as a multiple of the plain sum's: of the largest or of the typical error, whichever is larger."""
        return _multiple(loss(got, want, self.scale, looked), self.plain)


def error_limit(inputs: Inputs, interface: Interface) -> ErrorLimit:
    """The limits for the product of these inputs.

    No limit exceeds gamma_K * |a_i| |b_j|, which bounds the error of every order of summation. Here,
    gamma_n = n*u / (1 - n*u) with the unit roundoff u of C's type (Higham, Accuracy and Stability of Numerical
    Algorithms, 2nd ed., (3.5) and section 3.5), and the Cauchy-Schwarz inequality bounds the sum of the terms'
    magnitudes. Two more roundings cover alpha and beta.
    """
    unit = 2.0 ** -SIGNIFICAND[interface.type_c]
    part, plain = sample(inputs), plain_loss(inputs, interface)
    kind = np.dtype(interface.type_c)
    on_host = _loss_of_sums(part.A.astype(kind) @ part.B.astype(kind), part, interface)
    roundings = (inputs.A.shape[1] + 2) * unit
    wall = roundings / (1 - roundings) if roundings < 1 else np.inf
    largest, typical = min(wall, interface.accuracy * plain.largest), interface.accuracy * plain.typical
    return ErrorLimit(largest, typical, scale(inputs, interface), plain, _multiple(on_host, plain))


def plain_loss(inputs: Inputs, interface: Interface) -> Loss:
    """The loss of plain sums for a sample of C; at least that of rounding the result once.

    Sums may also begin with beta * C, and add the products of alpha * A: the larger loss counts.
    """
    unit = 2.0 ** -SIGNIFICAND[interface.type_c]
    part = sample(inputs)
    lost = [_loss_of_sums(plain_sum(part.A, part.B, interface), part, interface)]
    if part.C is not None and interface.beta:
        alpha, beta = np.array((interface.alpha, interface.beta), interface.type_c)
        lost.append(_loss_of(plain_sum(alpha * part.A, part.B, interface, beta * part.C), part, interface))
    least = max(LEAST_TYPICAL, 1 / math.sqrt(part.A.shape[0] * part.B.shape[1]))
    return Loss(max(unit, *(each.largest for each in lost)), max(least * unit, *(each.typical for each in lost)))


def loss(got: Exact, want: Exact, scale: Scale, looked: Mask | None = None) -> Loss:
    """The loss of all elements of C (M x N), or of those that `looked` marks; NaN if one of them is NaN."""
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
    """Yield a few rows of C at a time, with the errors of their elements relative to the scale (rows x N).

    A few rows fit into a CPU's cache. With intermediate results for the whole matrix, memory took most of the time.
    """
    height = max(1, BLOCK_ELEMENTS // max(1, want.shape[1]))
    for first in range(0, want.shape[0], height):
        rows = slice(first, first + height)
        with np.errstate(over="ignore"):  # a line of zeros allows no error
            errors = np.abs(got[rows] - want[rows]) / np.maximum(scale.of(rows), np.finfo(np.float64).tiny)
        yield rows, errors


def plain_sum(a: Matrix, b: Matrix, interface: Interface, start: Matrix | float = 0) -> Matrix:
    """The start and the product of a (rows x K) and b (K x columns), summed in the type of C, term after term."""
    kind = np.dtype(interface.type_c)
    a, b = np.ascontiguousarray(a.T, kind), np.ascontiguousarray(b, kind)
    total = np.full((a.shape[1], b.shape[1]), start, kind)
    for left, right in zip(a, b, strict=True):
        total += np.multiply.outer(left, right)
    return total


def spread(length: int) -> NDArray[np.intp]:
    """Return at most SAMPLE indices below `length`, evenly spread."""
    return np.unique(np.linspace(0, length - 1, SAMPLE).astype(np.intp))


def sample(inputs: Inputs) -> Inputs:
    """Return a sample of A's rows and B's columns, evenly spread, and the elements of C at which they meet."""
    rows, columns = _sampled(inputs.rows), _sampled(inputs.columns)
    start = None if inputs.C is None else inputs.C[np.ix_(rows, columns)]
    return replace(inputs, A=inputs.A[rows], B=inputs.B[:, columns], C=start)


def _sampled(lines: LineKinds) -> NDArray[np.intp]:
    numbers = np.flatnonzero(lines.real | ~lines.real.any())
    return numbers[spread(numbers.size)]


def _loss_of_sums(sums: Matrix, inputs: Inputs, interface: Interface) -> Loss:
    """The loss of alpha * sums + beta * C, computed in the type of C."""
    alpha, beta = np.array((interface.alpha, interface.beta), interface.type_c)
    return _loss_of(alpha * sums if inputs.C is None else alpha * sums + beta * inputs.C, inputs, interface)


def _loss_of(values: Matrix, inputs: Inputs, interface: Interface) -> Loss:
    exact = interface.alpha * (inputs.A.astype(np.float64) @ inputs.B.astype(np.float64))
    if inputs.C is not None:
        exact += interface.beta * inputs.C.astype(np.float64)
    return loss(values.astype(np.float64), exact, _own_scale(inputs, interface))


def scale(inputs: Inputs, interface: Interface) -> Scale:
    """Return what errors of the elements of C are compared with."""
    own = _own_scale(inputs, interface)
    return Scale(largest_of_partners(own.rows), largest_of_partners(own.columns), own.start)


def _own_scale(inputs: Inputs, interface: Interface) -> Scale:
    rows, columns = abs(interface.alpha) * _norms(inputs.A), _norms(inputs.B.T)
    start = (
        None if inputs.C is None or not interface.beta else abs(interface.beta) * np.abs(inputs.C.astype(np.float64))
    )
    return Scale(rows, columns, start)


def _norms(lines: Matrix) -> Exact:
    """The Euclidean norms in float64, of some lines at a time: a copy of a large matrix would take much memory."""
    height = max(1, BLOCK_ELEMENTS // max(1, lines.shape[1]))
    parts = (lines[first : first + height].astype(np.float64) for first in range(0, len(lines), height))
    return np.concatenate([np.linalg.norm(part, axis=1) for part in parts])


def _multiple(lost: Loss, plain: Loss) -> float:
    return max(lost.largest / plain.largest, lost.typical / plain.typical)
