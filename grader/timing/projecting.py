"""Check the outputs of timed launches by projection onto a vector that is drawn after the launches."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.comparison.error_limit import plain_loss
from grader.contract import freivalds
from grader.contract.freivalds import Signs, Vector
from grader.contract.inputs import Inputs
from grader.contract.precision import SIGNIFICAND
from grader.model import Interface, Shape

# The projection of a correct row has an error of more standard deviations than these with a probability below
# 2 exp(-9**2 / 2) = 5e-18 (Hoeffding's inequality: the signs of x are independent of the errors).
DEVIATIONS = 9.0


@dataclass(frozen=True, slots=True)
class BaseInputs:
    """The inputs from which all launches of a family derive, and how much rounding may change a projection.

    `typical` is the limit for the root mean square of the errors of C, relative to |a_i| |b_j|; 0 for exact inputs.
    `rows` and `columns` are the Euclidean norms of A's rows (M) and B's columns (N); empty for exact inputs.
    """

    pair: Inputs
    interface: Interface
    typical: float
    rows: Vector
    columns: Vector


def base(shape: Shape, interface: Interface, seed: int, family: str) -> BaseInputs:
    """Draw the inputs of a family, and compute the limit of their errors."""
    pair = freivalds.base(shape, interface, seed, family)
    if freivalds.is_exact(pair, interface):
        nothing = np.zeros(0)
        return BaseInputs(freivalds.in_float64(pair), interface, 0.0, nothing, nothing)
    typical = interface.accuracy * plain_loss(pair, interface).typical
    rows, columns = np.linalg.norm(pair.A, axis=1), np.linalg.norm(pair.B, axis=0)
    return BaseInputs(freivalds.in_float64(pair), interface, typical, rows.astype(float), columns.astype(float))


def fresh_vector(shape: Shape, interface: Interface) -> Vector:
    """Draw a random x (N), seeded by the operating system so that no kernel can predict it."""
    return freivalds.vector(shape, interface, np.random.default_rng(secrets.randbits(128)))


def wrong_rows(got: NDArray[np.float64], base: BaseInputs, fresh: Signs, x: Vector) -> int:
    """Count the rows whose projection is not the expected one (`got` is launches x M); NaN is wrong."""
    want = freivalds.projections(base.pair, fresh, x, base.interface.alpha, base.interface.beta)
    if not base.typical:
        return int(np.count_nonzero(~(got == want)))
    return int(np.count_nonzero(~(np.abs(got - want) <= tolerance(base, x))))


def tolerance(base: BaseInputs, x: Vector) -> Vector:
    """The largest error that the projection of each row of C (M) may have.

    The errors of C contribute their root mean square times the norm of x. The sums of the projection itself contribute
    at most N + K roundings of float64, relative to the sum of the magnitudes of their terms.
    """
    terms = base.columns * np.abs(x)
    sigma, total = base.rows * np.linalg.norm(terms), base.rows * terms.sum()
    sigma, total = abs(base.interface.alpha) * sigma, abs(base.interface.alpha) * total
    if base.pair.C is not None:
        start = abs(base.interface.beta) * np.abs(base.pair.C.astype(np.float64) * x)
        sigma, total = sigma + np.linalg.norm(start, axis=1), total + start.sum(1)
    roundings = (base.pair.A.shape[1] + x.size) * 2.0 ** -SIGNIFICAND["float64"]
    return np.asarray(DEVIATIONS * base.typical * sigma + roundings * total)
