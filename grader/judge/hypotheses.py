"""Hypotheses: typical mistakes, each with the values that it would give, compared with the kernel's own. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from grader.contract.layout import POISON, operands, store
from grader.judge.compare import Exact, Trial, as_float64
from grader.judge.evidence import Evidence, Indices

TILES = (4, 8, 16, 32, 64, 128)
SHORT_INDICES = 65536  # numbers of an index of 16 bits
ROUNDED = {11: "TF32 or half precision", 8: "bfloat16"}  # bits of the significand

Hypotheses = Iterator[tuple[Exact, str]]  # the values of the sample's elements, and the hint


def mistakes(e: Evidence) -> Iterator[str]:
    """The hints of the hypotheses that give exactly these values, the likeliest first."""
    every = chain(_zero(e), _swapped(e), _factors(e), _sums(e), _tiles(e), _neighbours(e), _strides(e), _precision(e))
    return (hint for values, hint in every if e.agrees(values))


def sides(trial: Trial) -> tuple[int, ...]:
    """The lengths that a tile may have, the launch's own first."""
    launch = trial.launch
    return tuple(dict.fromkeys(side for side in (*launch.tile, *launch.block[:2], *TILES) if side > 1))


def _zero(e: Evidence) -> Hypotheses:
    never = "Is every term added to the sum, and is the sum stored?"
    cut = "" if e.comparison.inputs.exact else " Is the sum or a factor an int, which drops fractions?"
    yield np.zeros_like(e.got), f"Zero is stored.{cut} {never}"
    whole = "Fractions are dropped: only whole numbers come out right. Is the sum or a factor an int?"
    yield e.scaled(np.trunc(e.terms).sum(1)), whole
    yield e.scaled((np.trunc(e.a) * np.trunc(e.b)).sum(1)), whole
    yield e.scaled(np.trunc(e.terms.sum(1))), whole


def _swapped(e: Evidence) -> Hypotheses:
    A, B = as_float64(e.comparison.inputs.A), as_float64(e.comparison.inputs.B)
    (M, K), N = A.shape, B.shape[1]
    if M == N:
        values = e.comparison.want[e.columns, e.rows]
        yield values, "C is transposed: rows and columns are swapped when it is stored, or in row and col."
    if N == K:
        hint = "The kernel computes A times the transpose of B: row and column are swapped when B is read."
        yield e.scaled((e.a * B[e.columns]).sum(1)), hint
    if M == K:
        hint = "The kernel computes the transpose of A times B: row and column are swapped when A is read."
        yield e.scaled((A[:, e.rows].T * e.b).sum(1)), hint
    if M == N == K:
        yield (
            e.scaled((B[e.rows] * A[:, e.columns].T).sum(1)),
            "The kernel computes B times A: they are swapped.",
        )
        hint = "The kernel computes the product of both transposes: row and column are swapped when A and B are read."
        yield e.scaled((A[:, e.rows].T * B[e.columns]).sum(1)), hint
        elements = A[e.rows, e.columns] * B[e.rows, e.columns]
        yield e.scaled(elements), "A and B are multiplied element by element: a matrix product sums over k."


def _factors(e: Evidence) -> Hypotheses:
    """A correct sum with a wrong factor, or added to C."""
    sums, start, interface = e.terms.sum(1), e.start, e.trial.interface
    want = e.scaled(sums)
    yield 2 * want, "The values are twice what they should be: is every term added twice?"
    yield -want, "The values have the wrong sign."
    if interface.alpha != 1:
        yield want - interface.alpha * sums + sums, "The product is not multiplied by alpha."
    if start is not None:
        yield interface.alpha * sums, "beta*C is missing: in this lab, C before the launch is part of the result."
        yield interface.alpha * sums + start, "C from before the launch is added without the factor beta."
    elif interface.type_c == "int32":
        before = np.array(POISON["int32"], np.uint32).view(np.int32)
        values = (want.astype(np.int64) + before).astype(np.int32).astype(np.float64)
        yield (
            values,
            "The kernel adds to what C holds before the launch. Start at zero, and use = instead of +=.",
        )


def _sums(e: Evidence) -> Hypotheses:
    """Terms that are missing from the sum, or that are the only ones."""
    terms = e.terms
    hint = "The last term of every sum is missing: the loop over k ends one step too early, or covers whole tiles only."
    yield e.scaled(terms[:, :-1].sum(1)), hint
    yield e.scaled(terms[:, 1:].sum(1)), "The first term of every sum is missing: the loop over k starts at 1."
    yield e.scaled(terms[:, -1]), "Only the last term of the sum is stored: use += instead of = in the loop over k."
    yield e.scaled(terms[:, 0]), "Only the first term of the sum is stored: does the loop over k end too early?"
    for step, name in ((2, "second"), (4, "fourth")):
        hint = f"Only every {name} term is added: check the step of the loop over k."
        yield e.scaled(terms[:, ::step].sum(1)), hint


def _tiles(e: Evidence) -> Hypotheses:
    """Mistakes in a loop over tiles."""
    K = e.terms.shape[1]
    for tile in sides(e.trial):
        if K % tile and tile < K:
            yield from _last_tile(e, tile)
        if tile < K:
            yield from _single_tile(e, tile)
        hint = (
            f"Every {tile} x {tile} tile of {{}} is transposed: x and y are swapped where it is stored to shared "
            "memory or where it is read from there."
        )
        yield e.scaled((_transposed_tiles_of_a(e, tile) * e.b).sum(1)), hint.format("A")
        yield e.scaled((e.a * _transposed_tiles_of_b(e, tile)).sum(1)), hint.format("B")


def _last_tile(e: Evidence, tile: int) -> Hypotheses:
    """Mistakes with the last tile along k, which is not full."""
    K = e.terms.shape[1]
    cut = K - K % tile
    yield (
        e.scaled(e.terms[:, :cut].sum(1)),
        f"The last {K - cut} terms of every sum are missing: the loop over k runs over whole tiles of {tile} only. "
        "Round the number of tiles up, and store zero for elements outside the matrix.",
    )
    yield (
        e.scaled(e.terms.sum(1) + e.terms[:, K - tile : cut].sum(1)),
        f"The last tile of {tile} along k, which is not full, still holds terms of the tile before it, so they are "
        "added twice. Store zero for every element outside the matrix.",
    )


def _single_tile(e: Evidence, tile: int) -> Hypotheses:
    last = (e.terms.shape[1] - 1) // tile * tile
    yield e.scaled(e.terms[:, :tile].sum(1)), f"Only the first tile of {tile} along k is added."
    hint = f"Only the last tile of {tile} along k is added: the sum is reset to zero for every tile."
    yield e.scaled(e.terms[:, last:].sum(1)), hint


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


def _neighbours(e: Evidence) -> Hypotheses:
    """Values that belong to another element, or that include another element's sum."""
    got, want = e.comparison.got, e.comparison.want
    own = e.scaled(e.terms.sum(1))
    for step in (1, *sides(e.trial)):
        for down, right, side in ((0, step, "to the left"), (step, 0, "above")):
            row, column = e.rows - down, e.columns - right
            inside = (row >= 0) & (column >= 0)
            before = got[np.where(inside, row, 0), np.where(inside, column, 0)]
            distance = f"{step} {'column' if right else 'row'}{'s' if step > 1 else ''} {side}"
            hint = f"Each of these also includes the sum of the element {distance}: reset the sum for each element."
            yield np.where(inside, own + before, np.nan), hint
    index = e.rows * want.shape[1] + e.columns + SHORT_INDICES
    inside = index < want.size
    yield (
        np.where(inside, want.reshape(-1)[np.where(inside, index, 0)], np.nan),
        f"These hold the values of elements {SHORT_INDICES} further on: an index has only 16 bits. Use int.",
    )


def _strides(e: Evidence) -> Hypotheses:
    """Matrices read with another distance between lines than they are stored with."""
    M, N, K = e.trial.case.shape.M, e.trial.case.shape.N, e.trial.case.shape.K
    memory, k = operands(e.trial.interface, e.trial.case.shape), np.arange(e.a.shape[1])
    indices = {"A": (e.rows[:, None], k), "B": (k, e.columns[:, None])}
    for name, matrix, other in (("A", e.comparison.inputs.A, e.b), ("B", e.comparison.inputs.B, e.a)):
        operand = memory[name]
        by_row = operand.length == matrix.shape[1] and operand.lines == matrix.shape[0]
        line, position = indices[name] if by_row else indices[name][::-1]
        flat = as_float64(store(matrix, operand, e.trial.interface))
        for stride in sorted({operand.stride - 1, operand.stride + 1, operand.length, M, N, K} - {operand.stride, 0}):
            index = line * stride + position
            inside = (index < flat.size).all(1)
            sums = (flat[np.where(index < flat.size, index, 0)] * other).sum(1)
            lines = "rows" if by_row else "columns"
            hint = f"{name} is read as if its {lines} began {stride} elements apart; the distance is {operand.stride}."
            yield e.scaled(np.where(inside, sums, np.nan)), hint


def _precision(e: Evidence) -> Hypotheses:
    """Operands or results rounded to fewer bits; exact only for integers, whose rounded values are integers."""
    if not e.comparison.inputs.exact:
        return
    for bits, name in ROUNDED.items():
        hint = f"A and B are rounded to {bits} significant bits, as in {name}. Multiply and add in {{}}."
        for away in (0.5, 0.0, None):
            values = e.scaled((rounded(e.a, bits, away) * rounded(e.b, bits, away)).sum(1))
            yield values, hint.format(e.trial.interface.type_c)
        yield (
            rounded(e.scaled(e.terms.sum(1)), bits, None),
            f"The sum is rounded to {bits} significant bits, as in {name}.",
        )


def rounded(values: Exact, bits: int, away: float | None) -> Exact:
    """Round to a significand of `bits`: ties to even for None, ties away from zero for 0.5, truncated for 0."""
    significand, exponent = np.frexp(values)
    scaled = np.ldexp(significand, bits)
    near = np.rint(scaled) if away is None else np.trunc(scaled + np.copysign(away, scaled))
    return np.asarray(np.ldexp(near, exponent - bits))
