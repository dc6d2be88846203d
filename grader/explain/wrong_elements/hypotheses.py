"""Hypotheses: typical mistakes, each with the values that it would give, compared with the kernel's own. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from grader.comparison.compare import Exact, as_float64
from grader.contract.layout import operands, store
from grader.explain.wrong_elements.arithmetic import LEAST, arithmetic, kept_sums, lost_values, very_small
from grader.explain.wrong_elements.evidence import Candidates, Evidence, Hypothesis, Indices, Trial
from grader.explain.wrong_elements.uses import INSTEAD_OF_ADDING

ADDED = f"The kernel adds to what C holds before the launch. {INSTEAD_OF_ADDING}"
ROUNDED = {11: "TF32 or half precision", 8: "bfloat16"}  # bits of the significand
TILES = (4, 8, 16, 32, 64, 128)
ZERO_FILL = (
    "Asynchronous copies set what lies in A and B to zero, and copy what lies outside: the last argument of "
    "__pipeline_memcpy_async() is the number of bytes that become zero, that of cp.async the number that are copied."
)
SHORT_INDICES = 1 << 16  # numbers of an index of 16 bits; one with a sign is negative from half of it on: out of bounds


def hypotheses(e: Evidence) -> Iterator[Hypothesis]:
    """The hypotheses that give the values of this case, the likeliest first."""
    yield from (Hypothesis(hint, partial(_named, hint)) for hint in mistakes(e))


def mistakes(e: Evidence) -> Iterator[str]:
    """The hints of the typical mistakes that give exactly these values."""
    every = chain(
        very_small(e),
        lost_values(e),
        _swapped(e),
        _factors(e),
        tiles(e),
        short_offsets(e),
        _precision(e),
        arithmetic(e),
    )
    return (hint for values, hint in every if e.agrees(values))


def _named(hint: str, e: Evidence) -> bool:
    return hint in mistakes(e)


def _swapped(e: Evidence) -> Candidates:
    """Elements on the other side of the diagonal, and other products of A and B."""
    A, B = as_float64(e.comparison.inputs.A), as_float64(e.comparison.inputs.B)
    (M, K), N = A.shape, B.shape[1]
    if M != N:
        return
    below, above = (bool(side.any()) for side in (np.tril(e.comparison.wrong, -1), np.triu(e.comparison.wrong, 1)))
    hint = "C is transposed: rows and columns are swapped when it is stored, or in row and col."
    if below != above:
        sides = ("below", "above") if below else ("above", "below")
        hint = "Elements {} the diagonal hold the values of those {} it: C is not symmetric.".format(*sides)
    yield e.comparison.want[e.columns, e.rows], hint
    if K == N:
        other = "column by column (row + col * N) instead of row by row"
        if e.trial.interface.layout != "row":
            other = "row by row (row * N + col) instead of column by column"
        hint = f"The kernel computes B times A: they are swapped, or all three matrices are indexed {other}."
        yield e.scaled((B[e.rows] * A[:, e.columns].T).sum(1)), hint
        elements = A[e.rows, e.columns] * B[e.rows, e.columns]
        yield e.scaled(elements), "A and B are multiplied element by element: a matrix product sums over k."


def _factors(e: Evidence) -> Candidates:
    """A correct sum with a wrong factor, or added to C."""
    sums, start, interface = e.terms.sum(1), e.start, e.trial.interface
    want = e.scaled(sums)
    positive = "The absolute value of each sum is stored: those that should be negative have the wrong sign."
    yield -want, positive if (want < 0).all() and len(want) >= LEAST else "The values have the wrong sign."
    if interface.alpha != 1:
        yield want - interface.alpha * sums + sums, "The product is not multiplied by alpha."
        twice = want + (interface.alpha**2 - interface.alpha) * sums
        yield twice, "The product is multiplied by alpha twice: once is enough, in the loop or behind it."
    if start is not None:
        only = "The product is missing: only beta*C is stored. Is alpha or the sum kept in an int?"
        yield interface.beta * start, only
        yield interface.alpha * (sums + interface.beta * start), "beta*C is multiplied by alpha, too: only the sum is."
        yield interface.beta * sums + interface.alpha * start, "alpha and beta are exchanged."
        yield interface.alpha * sums, "beta*C is missing: in this lab, C before the launch is part of the result."
        yield interface.alpha * sums + start, "C from before the launch is added without the factor beta."
    elif (before := e.before) is not None:
        kind = "int64" if interface.type_c == "int32" else interface.type_c  # where a sum goes beyond an int, it wraps
        yield (want.astype(kind) + before.astype(kind)).astype(interface.type_c).astype(np.float64), ADDED


def _precision(e: Evidence) -> Candidates:
    """Operands or results rounded to fewer bits."""
    for bits, name in ROUNDED.items():
        hint = f"{{}} rounded to {bits} significant bits, as in {name}. Multiply and add in {e.trial.interface.type_c}."
        for away in (0.5, 0.0, None):
            a, b = rounded(e.a, bits, away), rounded(e.b, bits, away)
            yield e.scaled((a * b).sum(1)), hint.format("A and B are")
            yield e.scaled((a * e.b).sum(1)), hint.format("A is")
            yield e.scaled((e.a * b).sum(1)), hint.format("B is")
        kept, hint = partial(rounded, bits=bits, away=None), f"{{}} {bits} significant bits, as in {name}."
        yield kept(e.scaled(e.terms.sum(1))), hint.format("The sum is rounded to")
        partly = f"{hint.format('Every partial sum is rounded to')} Keep the sum in {e.trial.interface.type_c}."
        yield e.scaled(kept_sums(e.terms, kept)), partly


def rounded(values: Exact, bits: int, away: float | None) -> Exact:
    """Round to a significand of `bits`: ties to even for None, ties away from zero for 0.5, truncated for 0."""
    significand, exponent = np.frexp(values)
    scaled = np.ldexp(significand, bits)
    near = np.rint(scaled) if away is None else np.trunc(scaled + np.copysign(away, scaled))
    return np.asarray(np.ldexp(near, exponent - bits))


def sides(trial: Trial) -> tuple[int, ...]:
    """The lengths that a tile may have, the launch's own first."""
    launch = trial.launch
    return tuple(dict.fromkeys(side for side in (*launch.tile, *launch.block[:2], *TILES) if side > 1))


def tiles(e: Evidence) -> Candidates:
    """Mistakes in a loop over tiles."""
    K = e.terms.shape[1]
    for tile in sides(e.trial):
        if e.trial.uses.shared_memory:
            yield from _transposed_tiles(e, tile)
        if e.trial.uses.asynchronous_copies and K % tile:
            yield from _filled_with_zeros(e, tile)


def _filled_with_zeros(e: Evidence, tile: int) -> Candidates:
    """Tiles in which only the places beyond the matrices are copied, from the first elements of A and B."""
    first = float(e.comparison.inputs.A[0, 0]) * float(e.comparison.inputs.B[0, 0])
    yield e.scaled(np.full(e.got.size, -e.terms.shape[1] % tile * first)), ZERO_FILL


def _transposed_tiles(e: Evidence, tile: int) -> Candidates:
    hint = (
        f"Every {tile} x {tile} tile of {{}} is transposed: x and y are swapped where it is stored to shared memory or "
        "where it is read from there."
    )
    yield e.scaled((_transposed_tiles_of_a(e, tile) * e.b).sum(1)), hint.format("A")
    yield e.scaled((e.a * _transposed_tiles_of_b(e, tile)).sum(1)), hint.format("B")


def _transposed_tiles_of_a(e: Evidence, tile: int) -> Exact:
    """Rows of an A whose tiles are transposed, zero outside the matrix (sample x K)."""
    k = np.arange(e.a.shape[1])
    row = e.rows[:, None] // tile * tile + k % tile
    return _or_zero(e.comparison.inputs.A, row, k // tile * tile + e.rows[:, None] % tile)


def _transposed_tiles_of_b(e: Evidence, tile: int) -> Exact:
    k = np.arange(e.b.shape[1])
    row = k // tile * tile + e.columns[:, None] % tile
    return _or_zero(e.comparison.inputs.B, row, e.columns[:, None] // tile * tile + k % tile)


def _or_zero(matrix: NDArray[np.generic], row: Indices, column: Indices) -> Exact:
    inside = (row < matrix.shape[0]) & (column < matrix.shape[1])
    values = matrix[np.where(inside, row, 0), np.where(inside, column, 0)].astype(np.float64)
    return np.where(inside, values, 0.0)


def short_offsets(e: Evidence) -> Candidates:
    """The sums in which the index of one factor, or the offset of its line, begins again behind the last number."""
    k = np.arange(e.a.shape[1])
    indices = {"A": (e.rows[:, None], k), "B": (k, e.columns[:, None])}
    matrices = operands(e.trial.interface, e.trial.case.shape)
    for name, matrix, other in (("A", e.comparison.inputs.A, e.b), ("B", e.comparison.inputs.B, e.a)):
        operand = matrices[name]
        if operand.elements <= SHORT_INDICES:
            continue
        by_row = operand.length == matrix.shape[1] and operand.lines == matrix.shape[0]
        line, position = indices[name] if by_row else indices[name][::-1]
        flat = as_float64(store(matrix, operand, e.trial.interface))
        start = line * operand.stride
        for index in (start % SHORT_INDICES + position, (start + position) % SHORT_INDICES):
            hint = f"{name} is read at indices or offsets of 16 bits, which begin again at 0 after 65535. Use int."
            yield e.scaled((flat[np.broadcast_to(index, other.shape)] * other).sum(1)), hint
