"""Whether a rounded product shows the errors of factors that were shortened. Pure.

Factors of 22 bits lose no more than an honest sum does, so no limit finds them. But the errors that shortening causes
are known, and rounding in a sum has nothing to do with them: a least-squares fit (a matched filter) finds a share of
about 0 in honest errors, and about 1 in those of shortened factors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

import numpy as np
from numpy.typing import NDArray

from grader.contract.inputs import SIGNIFICAND, Inputs
from grader.judge.error_limit import sample, spread
from grader.model import Interface

BITS, PART_BITS = 22, 11  # of two TF32 numbers together, and of one
LEAST_SHARE = 0.25  # of the errors of shortened factors; honest sums and Strassen's stay below 0.1 in such samples
LEAST_SIGNIFICANCE = 8.0  # standard errors: chance reaches that once in 10^15 comparisons
FITTED = 2  # what a fit determines: the share, and one in proportion to the product

Matrix = NDArray[np.float32]
Exact = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Rounding(StrEnum):
    """Where a number goes that lies between two shorter ones; TRUNCATED is towards zero."""

    TO_EVEN = "rounded"
    AWAY = "rounded, halves away from zero,"
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True)
class Shortened:
    """How the factors were shortened, and how far the errors are explained by that."""

    how: str
    share: float
    standard_errors: float


def shortened(inputs: Inputs, interface: Interface, got: Exact, looked: Mask) -> Shortened | None:
    """Return what the errors of `got`, which is C (M x N), show; None if they are those of full factors.

    Only float32 has the question: other types' factors are shorter, or their sums more exact.
    """
    if {interface.type_a, interface.type_b, interface.type_c} != {"float32"}:
        return None
    part, place = sample(inputs), np.ix_(spread(got.shape[0]), spread(got.shape[1]))
    a, b = part.A.astype(np.float32), part.B.astype(np.float32)
    exact, counted = a.astype(np.float64) @ b.astype(np.float64), looked[place]
    want = interface.alpha * exact
    if part.C is not None:
        want += interface.beta * part.C.astype(np.float64)
    error = (got[place] - want)[counted] / interface.alpha
    for how, lost in _losses(a, b):
        found = _fit(error, lost[counted], exact[counted])
        if found and found[0] >= LEAST_SHARE and found[1] >= LEAST_SIGNIFICANCE:
            return Shortened(how, *found)
    return None


def _losses(a: Matrix, b: Matrix) -> Iterator[tuple[str, Exact]]:
    """Yield each way to shorten the factors with the error of the product that it causes."""
    A, B = a.astype(np.float64), b.astype(np.float64)
    for way in Rounding:
        yield f"A is {way} to {BITS} bits", (_short(a, BITS, way) - A) @ B
        yield f"B is {way} to {BITS} bits", A @ (_short(b, BITS, way) - B)
    for way, ways in product(Rounding, Rounding):
        (high, low), (other, rest) = _parts(a, way, ways), _parts(b, way, ways)
        lost = (high + low - A) @ B + A @ (other + rest - B) - low @ rest
        yield f"A and B are {way} to two numbers of {PART_BITS} bits each, as in TF32", lost


def _parts(values: Matrix, way: Rounding, of_rest: Rounding) -> tuple[Exact, Exact]:
    high = _short(values, PART_BITS, way)
    return high.astype(np.float64), _short(values - high, PART_BITS, of_rest).astype(np.float64)


def _short(values: Matrix, bits: int, way: Rounding) -> Matrix:
    """Return float32 values with so many significant bits; the next larger exponent follows by itself."""
    words, dropped = values.view(np.uint32), SIGNIFICAND["float32"] - bits
    half = np.uint32(1 << dropped - 1)
    match way:
        case Rounding.TO_EVEN:
            words = words + (half - 1) + (words >> dropped & 1)
        case Rounding.AWAY:
            words = words + half
        case Rounding.TRUNCATED:
            pass
    return (words & np.uint32(0xFFFFFFFF << dropped & 0xFFFFFFFF)).view(np.float32)


def _fit(error: Exact, lost: Exact, exact: Exact) -> tuple[float, float] | None:
    """Return the share of `lost` in the errors by least squares, in itself and in standard errors.

    An error in proportion to the product is left out: sums that are rounded towards zero have it too.
    """
    basis = exact / max(float(np.linalg.norm(exact)), np.finfo(np.float64).tiny)
    error, lost = (values - (values @ basis) * basis for values in (error, lost))
    power = float(lost @ lost)
    if lost.size <= FITTED or not power:
        return None
    share = float(error @ lost) / power
    rest = error - share * lost
    deviation = np.sqrt(float(rest @ rest) / (lost.size - FITTED) / power)
    return share, share / max(float(deviation), np.finfo(np.float64).tiny)
