"""How much of the errors shortened factors explain, for ways to compute a product and many seeds.

    python -m tests.benchmarks.fit_shares M N K SEEDS

Prints the largest error over the limit, the least and the largest share of the errors of sums of real numbers, without
and with what fast algorithms lose, and how many products are refused.
"""

import sys

import numpy as np

from grader.comparison.compare import compare
from grader.comparison.expectation import of_inputs
from grader.comparison.shortened_factors import explained, shortened
from grader.contract.inputs import RUNS, draw
from grader.model import Case, Shape
from tests.benchmarks.accuracy import (
    FLOAT32,
    WAYS,
    Matrix,
    Way,
    by_halves,
    compensated,
    cut,
    in_float64,
    in_parts,
    plain,
    strassen,
    winograd,
)

SUMS = {"plain": plain, "pairwise": by_halves, "in 8 parts": in_parts(8), "Kahan": compensated, "float64": in_float64}


def edges_apart(algorithm: Way, product: Way) -> Way:
    """Return a fast algorithm for even lengths, with a last row, column and term that are added by `product`."""

    def way(a: Matrix, b: Matrix) -> Matrix:
        m, k, n = (length // 2 * 2 for length in (*a.shape, b.shape[1]))
        c = product(a, b)
        c[:m, :n] = algorithm(a[:m, :k], b[:k, :n]) + (a[:m, k:] @ b[k:, :n])
        return c

    return way


def narrow(bits: int, product: Way) -> Way:
    """Return a product of A rounded to so many bits."""
    return lambda a, b: product(cut(a, bits), b)


def ways() -> dict[str, Way]:
    """Return orders of sums, fast algorithms with each of them, and shortened factors."""
    every = dict(SUMS)
    for name, product in SUMS.items():
        every |= {f"Strassen, {name}": strassen(product), f"Winograd, {name}": winograd(product)}
        every |= {f"Strassen, edges apart, {name}": edges_apart(strassen(product), product)}
        every |= {f"Winograd, edges apart, {name}": edges_apart(winograd(product), product)}
    every |= {name: WAYS[name] for name in ("22 bits of A", "22 bits of B", "3 TF32 products")}
    for bits in (23, 22):
        every |= {f"{bits} bits of A, float64": narrow(bits, in_float64)}
        every |= {f"{bits} bits of A, Strassen, float64": narrow(bits, strassen(in_float64))}
    return every


def row(way: Way, shape: Shape, seeds: int) -> str:
    """Return the cells of one way."""
    limits, shares, refused = [], [], 0
    for seed in range(seeds):
        inputs = draw(Case(shape, RUNS[1], seed), FLOAT32)
        left = way(inputs.A.astype(np.float32), inputs.B.astype(np.float32))
        seen = compare(of_inputs(inputs, FLOAT32), left, np.full_like(left, np.nan))
        errors, real = (seen.want, seen.got - seen.want), inputs.real_sums
        limits.append(seen.limit.multiple(seen.got, seen.want, inputs.rounded) / FLOAT32.accuracy)
        shares.append([explained(inputs, FLOAT32, *errors, real, fast=fast).share for fast in (False, True)])
        refused += shortened(inputs, FLOAT32, *errors, seen.looked) is not None
    (least, least_fast), (most, most_fast) = np.min(shares, axis=0), np.max(shares, axis=0)
    spans = f"{least:.0%} to {most:.0%} | {least_fast:.0%} to {most_fast:.0%}"
    return f"{max(limits):.2f} | {spans} | {refused} of {seeds}"


def main(M: str, N: str, K: str, seeds: str) -> None:
    """Print the table."""
    print("| | error / limit | share | without fast losses | refused |\n|---|---|---|---|---|")
    for name, way in ways().items():
        print(f"| {name} | {row(way, Shape(int(M), int(N), int(K)), int(seeds))} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
