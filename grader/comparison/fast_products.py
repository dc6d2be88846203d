"""The errors of Strassen's and Winograd's algorithms from the sums of quadrants that they round before products. Pure.

A small element changes a sum with a large one little, so that rounding the sum resembles rounding a factor. But the
error is known, because every implementation rounds the sum equally. It is computed as the error of the algorithm with
rounded sums and exact products.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.floating]
Exact = NDArray[np.float64]
Indices = NDArray[np.intp]
Quadrants = list[Matrix]
"""Upper left, upper right, lower left, lower right."""


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Indices into the first half of a range, those half a range later, and where the wanted ones are in both."""

    first: Indices
    second: Indices
    places: Indices


def losses(A: Matrix, B: Matrix, terms: Indices, rows: Indices, columns: Indices) -> Iterator[Exact]:
    """Yield the errors of A times B due to rounded sums, for each algorithm (rows x columns); of these terms only.

    For odd lengths, both variants are yielded: the matrix is padded, or its last row, column or term stays apart.
    """
    for middle in (1, 0):
        m, k, n = (
            _pairs(wanted, max(1, (length + middle) // 2), length)
            for wanted, length in ((rows, A.shape[0]), (terms, A.shape[1]), (columns, B.shape[1]))
        )
        a, b = _quadrants(A, m, k), _quadrants(B, k, n)
        for algorithm in (_strassen, _winograd):
            lost = algorithm(a, b) - algorithm([x.astype(np.float64) for x in a], [x.astype(np.float64) for x in b])
            yield lost[np.ix_(m.places, n.places)]


def _pairs(wanted: Indices, half: int, length: int) -> _Pairs:
    """Return pairs of indices that are `half` apart. The index `length` is that of the padding."""
    second = wanted // half % 2
    first, places = np.unique(wanted - second * half, return_inverse=True)
    return _Pairs(first, np.minimum(first + half, length), places + second * first.size)


def _quadrants(matrix: Matrix, rows: _Pairs, columns: _Pairs) -> Quadrants:
    padded = np.pad(matrix, ((0, 1), (0, 1)))
    return [padded[np.ix_(i, j)] for i in (rows.first, rows.second) for j in (columns.first, columns.second)]


def _product(a: Matrix, b: Matrix) -> Exact:
    return a.astype(np.float64) @ b.astype(np.float64)


def _strassen(a: Quadrants, b: Quadrants) -> Exact:
    """Multiply by Strassen's algorithm (Numerische Mathematik 13, 1969)."""
    a11, a12, a21, a22 = a
    b11, b12, b21, b22 = b
    m1, m2, m3 = _product(a11 + a22, b11 + b22), _product(a21 + a22, b11), _product(a11, b12 - b22)
    m4, m5 = _product(a22, b21 - b11), _product(a11 + a12, b22)
    m6, m7 = _product(a21 - a11, b11 + b12), _product(a12 - a22, b21 + b22)
    return np.block([[m1 + m4 - m5 + m7, m3 + m5], [m2 + m4, m1 - m2 + m3 + m6]])


def _winograd(a: Quadrants, b: Quadrants) -> Exact:
    """Multiply by Winograd's variant with 15 additions (Higham, Accuracy and Stability, 2nd ed., section 23.1)."""
    a11, a12, a21, a22 = a
    b11, b12, b21, b22 = b
    s1, t1 = a21 + a22, b12 - b11
    s2, t2 = s1 - a11, b22 - t1
    p1, p5 = _product(a11, b11), _product(s1, t1)
    u2 = p1 + _product(s2, t2)
    u3 = u2 + _product(a11 - a21, b22 - b12)
    upper = [p1 + _product(a12, b21), u2 + p5 + _product(a12 - s2, b22)]
    return np.block([upper, [u3 - _product(a22, t2 - b21), u3 + p5]])
