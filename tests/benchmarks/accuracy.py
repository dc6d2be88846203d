"""Which ways to compute a product in float32 pass the checks of answers: a table of their errors over the limit.

    python -m tests.benchmarks.accuracy

Each row is a way to add the terms, or a loss of bits; each column a length K of the sums. The inputs are those of a
grade for 128 x 128 elements of C. A number is the error of sums of real numbers as a share of the limit. Behind it are
marks: `wrong` if exact elements of C are wrong, `short` if the errors of the others are those of shortened factors, and
`even` if none of those has the last bit. Only ways without a mark and with a share of at most 1 are accepted.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from grader.comparison.compare import compare
from grader.comparison.error_limit import plain_sum
from grader.comparison.expectation import of_inputs
from grader.comparison.shortened_factors import bits_of_results, shortened
from grader.contract.inputs import RUNS, draw
from grader.model import Case, Interface, Shape

LENGTHS = (65, 256, 257, 512, 1024, 2048, 2049, 8192, 16384)
SIDE = 128
FLOAT32 = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
SEED = 2026

Matrix = NDArray[np.float32]
Way = Callable[[Matrix, Matrix], Matrix]


def rounded(values: NDArray[np.floating], bits: int, away: float | None) -> NDArray[np.float64]:
    """Round to a significand of `bits`: ties to even for None, ties away from zero for 0.5, truncated for 0."""
    significand, exponent = np.frexp(values)
    scaled = np.ldexp(significand, bits)
    near = np.rint(scaled) if away is None else np.trunc(scaled + np.copysign(away, scaled))
    return np.asarray(np.ldexp(near, exponent - bits))


def plain(a: Matrix, b: Matrix) -> Matrix:
    """Return the sums of the terms, one after the other."""
    return plain_sum(a, b, FLOAT32).astype(np.float32)


def in_parts(count: int) -> Way:
    """Return split-K: the sum of the sums of `count` parts."""

    def way(a: Matrix, b: Matrix) -> Matrix:
        bounds = np.linspace(0, a.shape[1], count + 1).astype(int)
        total = np.zeros((a.shape[0], b.shape[1]), np.float32)
        for first, last in pairwise(bounds):
            total += plain(a[:, first:last], b[first:last])
        return total

    return way


def by_halves(a: Matrix, b: Matrix) -> Matrix:
    """Return pairwise sums."""
    K = a.shape[1]
    if K <= 2:
        return plain(a, b)
    return by_halves(a[:, : K // 2], b[: K // 2]) + by_halves(a[:, K // 2 :], b[K // 2 :])


def compensated(a: Matrix, b: Matrix) -> Matrix:
    """Return Kahan's sums."""
    total = np.zeros((a.shape[0], b.shape[1]), np.float32)
    lost = np.zeros_like(total)
    for left, right in zip(a.T, b, strict=True):
        term = np.multiply.outer(left, right) - lost
        larger = total + term
        lost = (larger - total) - term
        total = larger
    return total


def quarters(x: Matrix) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """Return the four quadrants, padded with zeros to even lengths."""
    x = np.pad(x, ((0, x.shape[0] % 2), (0, x.shape[1] % 2)))
    m, n = x.shape[0] // 2, x.shape[1] // 2
    return x[:m, :n], x[:m, n:], x[m:, :n], x[m:, n:]


def strassen(product: Way) -> Way:
    """Return one level of Strassen's algorithm (Numerische Mathematik 13, 1969), with these products of quadrants."""
    return lambda a, b: _strassen(a, b, product)[: a.shape[0], : b.shape[1]]


def winograd(product: Way) -> Way:
    """Return one level of Winograd's variant with 15 additions (Higham, 2nd ed., section 23.1)."""
    return lambda a, b: _winograd(a, b, product)[: a.shape[0], : b.shape[1]]


def _strassen(a: Matrix, b: Matrix, product: Way) -> Matrix:
    a11, a12, a21, a22 = quarters(a)
    b11, b12, b21, b22 = quarters(b)
    m1, m2, m3 = product(a11 + a22, b11 + b22), product(a21 + a22, b11), product(a11, b12 - b22)
    m4, m5 = product(a22, b21 - b11), product(a11 + a12, b22)
    m6, m7 = product(a21 - a11, b11 + b12), product(a12 - a22, b21 + b22)
    return np.block([[m1 + m4 - m5 + m7, m3 + m5], [m2 + m4, m1 - m2 + m3 + m6]])


def _winograd(a: Matrix, b: Matrix, product: Way) -> Matrix:
    a11, a12, a21, a22 = quarters(a)
    b11, b12, b21, b22 = quarters(b)
    s1, t1 = a21 + a22, b12 - b11
    s2, t2 = s1 - a11, b22 - t1
    s3, s4, t3, t4 = a11 - a21, a12 - s2, b22 - b12, t2 - b21
    p1, p2, p3, p4 = product(a11, b11), product(a12, b21), product(s4, b22), product(a22, t4)
    p5, p6, p7 = product(s1, t1), product(s2, t2), product(s3, t3)
    u2 = p1 + p6
    u3 = u2 + p7
    return np.block([[p1 + p2, u2 + p5 + p3], [u3 - p4, u3 + p5]])


def in_float64(a: Matrix, b: Matrix) -> Matrix:
    """Return sums in float64, rounded once."""
    return (a.astype(np.float64) @ b.astype(np.float64)).astype(np.float32)


def towards_zero(a: Matrix, b: Matrix) -> Matrix:
    """Return plain sums of which every multiply-add is rounded towards zero."""
    total = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for left, right in zip(a.T, b, strict=True):
        exact = total + np.multiply.outer(left, right, dtype=np.float64)
        near = exact.astype(np.float32)
        total = np.where(np.abs(near) > np.abs(exact), np.nextafter(near, np.float32(0)), near)
    return total


def cut(values: NDArray[np.generic], bits: int) -> Matrix:
    """Return the values rounded to so many significant bits."""
    return rounded(values.astype(np.float64), bits, None).astype(np.float32)


def narrow_a(bits: int) -> Way:
    """Return a plain sum with the elements of A rounded."""
    return lambda a, b: plain(cut(a, bits), b)


def narrow_b(bits: int) -> Way:
    """Return a plain sum with the elements of B rounded."""
    return lambda a, b: plain(a, cut(b, bits))


def narrow_sum(bits: int) -> Way:
    """Return a plain sum of which every partial sum is rounded."""

    def way(a: Matrix, b: Matrix) -> Matrix:
        total = np.zeros((a.shape[0], b.shape[1]), np.float32)
        for left, right in zip(a.T, b, strict=True):
            total = cut(total + np.multiply.outer(left, right), bits)
        return total

    return way


def three_products(bits: int, of_rest: int) -> Way:
    """Return high*high + high*low + low*high, of factors that are split into two parts of so many bits."""

    def way(a: Matrix, b: Matrix) -> Matrix:
        high, other = cut(a, bits), cut(b, bits)
        low, rest = cut(a - high, of_rest), cut(b - other, of_rest)
        return plain(high, other) + (plain(high, rest) + plain(low, other))

    return way


def edges_apart(algorithm: Way, product: Way) -> Way:
    """Return a fast algorithm for even lengths, with a last row, column and term that are added by `product`."""

    def way(a: Matrix, b: Matrix) -> Matrix:
        m, k, n = (length // 2 * 2 for length in (*a.shape, b.shape[1]))
        c = product(a, b)
        c[:m, :n] = algorithm(a[:m, :k], b[:k, :n]) + (a[:m, k:] @ b[k:, :n])
        return c

    return way


WAYS: dict[str, Way] = {
    "plain": plain,
    "pairwise": by_halves,
    "split-K, 8 parts": in_parts(8),
    "parts of 16 terms": lambda a, b: in_parts(-(-a.shape[1] // 16))(a, b),
    "Kahan": compensated,
    "float64, rounded once": in_float64,
    "Strassen, one level": strassen(plain),
    "Winograd, one level": winograd(plain),
    "Strassen, Kahan": strassen(compensated),
    "Winograd, Kahan": winograd(compensated),
    "Strassen, float64 inside": strassen(in_float64),
    "Winograd, float64 inside": winograd(in_float64),
    "Strassen, two levels": strassen(strassen(plain)),
    "Winograd, two levels": winograd(winograd(plain)),
    "plain, towards zero": towards_zero,
    **{f"{bits} bits of A": narrow_a(bits) for bits in (22, 20, 18, 16, 13, 11)},
    **{f"{bits} bits of B": narrow_b(bits) for bits in (22, 20, 18, 16, 13, 11)},
    **{f"{bits} bits of every sum": narrow_sum(bits) for bits in (23, 22, 16, 13, 11)},
    "3 bfloat16 products": three_products(8, 8),
    "3 TF32 products": three_products(11, 11),
    "TF32 and bfloat16 parts": three_products(11, 8),
}


def cell(way: Way, K: int, side: int = SIDE, seed: int = SEED) -> str:
    """Return the share of the limit of sums of real numbers, and the marks of what finds the way wrong."""
    share, marks = 0.0, dict.fromkeys(("wrong", "short", "even"), False)
    for run in RUNS:
        inputs = draw(Case(Shape(side, side, K), run, seed), FLOAT32)
        left = way(inputs.A.astype(np.float32), inputs.B.astype(np.float32))
        comparison = compare(of_inputs(inputs, FLOAT32), left, np.full_like(left, np.nan))
        got, want, limit = comparison.got, comparison.want, comparison.limit
        marks["wrong"] |= bool((comparison.wrong & inputs.exact).any())
        if limit is not None:
            share = limit.multiple(got, want, inputs.rounded) / FLOAT32.accuracy
            marks["short"] = shortened(inputs, FLOAT32, want, got - want, comparison.looked) is not None
            marks["even"] = bits_of_results(comparison, FLOAT32) is not None
    return " ".join([f"{share:.2g}", *(mark for mark, found in marks.items() if found)])


def main() -> None:
    """Print the table."""
    print("| |" + "|".join(f" K = {K} " for K in LENGTHS) + "|\n|---|" + "---|" * len(LENGTHS))
    for name, way in WAYS.items():
        print(f"| {name} | " + " | ".join(cell(way, K) for K in LENGTHS) + " |", flush=True)


if __name__ == "__main__":
    main()
