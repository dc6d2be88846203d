"""Fresh inputs for every timed launch, and the projections that their products must have. Pure.

A launch of a round multiplies A' = D1 A D2 and B' = D3 B D4, where A and B are exact integers drawn once for a size
and the D are diagonals of random signs, drawn for every launch. D2 and D3 differ, so that no product of an earlier
launch helps with this one. Its result is checked by a projection onto a random integer vector x,
C' x = D1 A D2 D3 B D4 x, which costs O(N^2) and is exact in float64 (Freivalds' check, Mathematical Foundations of
Computer Science 1979, with equality for the comparison).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grader.contract.inputs import Inputs, draw
from grader.model import Case, Interface, Shape

Vector = NDArray[np.float64]

LARGEST_X = 4095  # below 2**12: with C below 2**24 in 2**14 columns, or 2**27 in 2**13, C x stays below 2**53


@dataclass(frozen=True, slots=True)
class Signs:
    """Diagonals of +1 and -1 for each launch of a round, as rows of int8: of A's rows and columns, of B's."""

    a_rows: NDArray[np.int8]
    a_columns: NDArray[np.int8]
    b_rows: NDArray[np.int8]
    b_columns: NDArray[np.int8]


def base(shape: Shape, interface: Interface, seed: int) -> Inputs:
    """The pair of inputs from which all launches of a size derive."""
    return draw(Case(shape, "balanced", seed), interface, launch=1)


def in_float64(pair: Inputs) -> Inputs:
    """The pair converted to float64 once, because `projections` computes in it in every round."""
    start = None if pair.C is None else _float64(pair.C)
    return replace(pair, A=_float64(pair.A), B=_float64(pair.B), C=start)


def signs(shape: Shape, seed: int, number: int, launches: int) -> Signs:
    """The diagonals of round `number`."""
    rng = _generator(shape, seed, number, 0)

    def diagonal(length: int) -> NDArray[np.int8]:
        return rng.integers(0, 2, (launches, length), np.int8) * np.int8(2) - np.int8(1)

    return Signs(diagonal(shape.M), diagonal(shape.K), diagonal(shape.K), diagonal(shape.N))


def vector(shape: Shape, seed: int, number: int) -> NDArray[np.float64]:
    """The x of a round: odd integers of either sign, N of them."""
    half = LARGEST_X // 2
    return 2.0 * _generator(shape, seed, number, 1).integers(-half - 1, half + 1, shape.N).astype(np.float64) + 1.0


def projections(pair: Inputs, fresh: Signs, x: Vector, alpha: float = 1.0, beta: float = 0.0) -> NDArray[np.float64]:
    """C' x of every launch, launches x M, for C' = alpha A' B' + beta C."""
    inner = _float64(pair.B) @ (fresh.b_columns * x).T
    inner *= (fresh.a_columns * fresh.b_rows).T
    projected = alpha * (_float64(pair.A) @ inner).T * fresh.a_rows
    return projected if pair.C is None else projected + beta * (_float64(pair.C) @ x)


def _float64(values: NDArray[np.generic]) -> NDArray[np.float64]:
    return values.astype(np.float64, copy=False)


def _generator(shape: Shape, seed: int, number: int, stream: int) -> np.random.Generator:
    words = [seed, shape.M, shape.N, shape.K, number, stream]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))
