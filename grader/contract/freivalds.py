"""Fresh inputs for every timed launch, and the projections that their products must have. Pure.

A launch of a round multiplies A' = D1 A D2 and B' = D3 P B D4, where A and B are drawn once for a size. The D are
diagonals of random signs, and P exchanges rows of B, but for those that are drawn for columns of A: all are drawn for
every launch. So hardly a term is one of an earlier launch, whose product helps with no other one. The result is checked
by a projection onto a random vector x, C' x = D1 A D2 D3 P B D4 x, which costs O(N^2) (Freivalds' check, Mathematical
Foundations of Computer Science 1979). The judge draws x when the launches have ended: for columns of one kind, so that
exact elements are projected without rounding.
"""

from dataclasses import dataclass, replace
from math import ceil, log2

import numpy as np
from numpy.typing import NDArray

from grader.contract.inputs import TIMED, Inputs, draw
from grader.contract.large_terms import Indices
from grader.contract.lines import REAL
from grader.contract.precision import SIGNIFICAND
from grader.model import Case, Interface, Shape

Vector = NDArray[np.float64]

X_BITS = 12  # of the elements of x, at most
FLOAT64_BITS = SIGNIFICAND["float64"]
MOST_ELEMENTS = 1 << 26  # of a matrix: above, rows are converted block by block
MOST_DRAWN_AHEAD = 1 << 24  # elements of A and B together: larger ones take much memory
ROWS = 1024  # of a block


@dataclass(frozen=True, slots=True)
class Changes:
    """Diagonals of +1 and -1 for each launch of a round, as rows of int8: of A's rows and columns, of B's.

    `b_order` has for each launch and each row of B, before the signs, which row of the base it is (launches x K).
    """

    a_rows: NDArray[np.int8]
    a_columns: NDArray[np.int8]
    b_rows: NDArray[np.int8]
    b_columns: NDArray[np.int8]
    b_order: NDArray[np.int32]


def is_small(shape: Shape) -> bool:
    """Whether the inputs of a size may be drawn ahead without taking much of the memory."""
    return shape.M * shape.K + shape.K * shape.N <= MOST_DRAWN_AHEAD


def base(shape: Shape, interface: Interface, seed: int) -> Inputs:
    """The pair of inputs from which all launches of a size derive."""
    return draw(Case(shape, TIMED, seed), interface)


def in_float64(pair: Inputs) -> Inputs:
    """The pair converted to float64 once, because `projections` computes in it; a large one is left as it is."""
    if max(pair.A.size, pair.B.size) > MOST_ELEMENTS:
        return pair
    start = None if pair.C is None else pair.C.astype(np.float64)
    return replace(pair, A=pair.A.astype(np.float64), B=pair.B.astype(np.float64), C=start)


def changes(shape: Shape, aligned: Indices, seed: int, number: int, launches: int) -> Changes:
    """The diagonals and orders of round `number`. The rows of B at the `aligned` terms stay where they are."""
    words = [seed, shape.M, shape.N, shape.K, number, 0]
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))

    def diagonal(length: int) -> NDArray[np.int8]:
        return rng.integers(0, 2, (launches, length), np.int8) * np.int8(2) - np.int8(1)

    order = np.tile(np.arange(shape.K, dtype=np.int32), (launches, 1))
    free = np.delete(order[0], aligned)
    order[:, free] = rng.permuted(order[:, free], axis=1)
    return Changes(diagonal(shape.M), diagonal(shape.K), diagonal(shape.K), diagonal(shape.N), order)


def vector(pair: Inputs, interface: Interface, rng: np.random.Generator) -> Vector:
    """An x: odd integers of either sign for columns of one kind, and zeros; N of them."""
    N, columns = pair.B.shape[1], pair.columns
    # As many bits as leave every sum of a projection exact in float64 if C is.
    bits = max(1, min(X_BITS, FLOAT64_BITS - SIGNIFICAND[interface.type_c] - ceil(log2(max(2, N)))))
    half = 1 << bits - 1
    x = 2.0 * rng.integers(-half, half, N).astype(np.float64) + 1.0
    kinds = columns.exponents + REAL * (~columns.exact + 1 * columns.real)
    return np.asarray(x * (kinds == rng.choice(kinds)))


def exact_rows(pair: Inputs, x: Vector) -> NDArray[np.bool_]:
    """The rows of C whose projections are exact."""
    return np.asarray(pair.rows.exact & pair.columns.exact[x != 0].all())


def projections(pair: Inputs, fresh: Changes, x: Vector, alpha: float = 1.0, beta: float = 0.0) -> NDArray[np.float64]:
    """C' x of every launch, launches x M, for C' = alpha A' B' + beta C."""
    inner = _product(pair.B, np.ascontiguousarray((fresh.b_columns * x).T))
    inner = np.take_along_axis(inner, fresh.b_order.T, axis=0)
    inner *= (fresh.a_columns * fresh.b_rows).T
    projected = alpha * _product(pair.A, inner).T * fresh.a_rows
    return projected if pair.C is None else projected + beta * _product(pair.C, x[:, None])[:, 0]


def _product(matrix: NDArray[np.generic], columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """The product in float64, a block of rows after the other where the matrix is of another type."""
    step = matrix.shape[0] if matrix.dtype == np.float64 else ROWS
    blocks = (matrix[first : first + step] for first in range(0, matrix.shape[0], step))
    return np.concatenate([block.astype(np.float64, copy=False) @ columns for block in blocks])
