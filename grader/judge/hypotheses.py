"""The mistakes that leave a fingerprint: each is tried against what the kernel computed. Pure.

A sample of the wrong elements is enough: values of 13 bits and more agree by chance in none of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from grader.contract.layout import POISON, operands, store
from grader.judge.compare import Comparison, Exact, Trial, as_float64

SAMPLE = 128  # wrong elements, evenly spread
KNOWN_SHARE = 0.25  # of the sample must have a value under a hypothesis that agrees with it
TOLERANCE = 1e-5  # of the sum of the terms' magnitudes, where the inputs are not exact
TILES = (4, 8, 16, 32, 64, 128)
SHORT_INDICES = 65536  # that 16 bits can tell apart
ROUNDED = {11: "TF32 or half precision", 8: "bfloat16"}  # bits of the significand

Guesses = Iterator[tuple[Exact, str]]
Lines = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sample of wrong elements: where they are, what is there, and the K terms of each one's sum.

    `a` and `b` hold the row of A and the column of B that belong to each, sample x K.
    """

    trial: Trial
    found: Comparison
    rows: Lines
    columns: Lines
    got: Exact
    a: Exact
    b: Exact

    @property
    def terms(self) -> Exact:
        return self.a * self.b

    @property
    def start(self) -> Exact | None:
        """What C held before, where that counts."""
        C = self.found.inputs.C
        return None if C is None else C[self.rows, self.columns].astype(np.float64)

    def whole(self, sums: Exact) -> Exact:
        """C for these sums of products, alpha and beta included."""
        interface, start = self.trial.interface, self.start
        return interface.alpha * sums + (0.0 if start is None else interface.beta * start)

    def agrees(self, values: Exact) -> bool:
        """Whether these are the values that were found. NaN says that a hypothesis knows nothing of an element."""
        known = ~np.isnan(values)
        if known.sum() < KNOWN_SHARE * values.size or not known.any():
            return False
        off = np.abs(self.got - values)[known]
        if self.found.inputs.exact:
            return not off.any()
        return bool(np.all(off <= TOLERANCE * np.abs(self.terms).sum(1)[known]))


def evidence(trial: Trial, found: Comparison) -> Evidence | None:
    """A sample of the wrong elements that are numbers, if there are any."""
    rows, columns = np.nonzero(found.wrong & np.isfinite(found.got) & ~found.untouched)
    if not rows.size:
        return None
    chosen = np.unique(np.linspace(0, rows.size - 1, SAMPLE).astype(np.intp))
    rows, columns = rows[chosen], columns[chosen]
    a = found.inputs.A[rows].astype(np.float64)
    b = found.inputs.B[:, columns].T.astype(np.float64)
    return Evidence(trial, found, rows, columns, found.got[rows, columns], a, b)


def mistakes(e: Evidence) -> Iterator[str]:
    """What gives exactly these values, the likeliest first."""
    guesses = chain(_zero(e), _swapped(e), _factors(e), _sums(e), _tiles(e), _neighbours(e), _memory(e), _precision(e))
    return (hint for values, hint in guesses if e.agrees(values))


def sides(trial: Trial) -> tuple[int, ...]:
    """The sizes that a tile may have, the launch's own first."""
    launch = trial.launch
    return tuple(dict.fromkeys(side for side in (*launch.tile, *launch.block[:2], *TILES) if side > 1))


def _zero(e: Evidence) -> Guesses:
    never = "is the sum ever added to, and is it the sum that is stored?"
    cut = "" if e.found.inputs.exact else "Is the sum, or a factor, an int, which cuts fractions off? If not: "
    yield np.zeros_like(e.got), f"Zero is stored. {cut}{never}" if cut else f"Zero is stored: {never}"
    whole = "The fractions are cut off: the values are right for whole numbers only. Is the sum, or a factor, an int?"
    yield e.whole(np.trunc(e.terms).sum(1)), whole
    yield e.whole((np.trunc(e.a) * np.trunc(e.b)).sum(1)), whole
    yield e.whole(np.trunc(e.terms.sum(1))), whole


def _swapped(e: Evidence) -> Guesses:
    A, B = as_float64(e.found.inputs.A), as_float64(e.found.inputs.B)
    (M, K), N = A.shape, B.shape[1]
    if M == N:
        values = e.found.want[e.columns, e.rows]
        yield values, "C is transposed: rows and columns are swapped when it is stored, or in row and col."
    if N == K:
        hint = "This is A times the transpose of B: B's row and column are swapped when it is read."
        yield e.whole((e.a * B[e.columns]).sum(1)), hint
    if M == K:
        hint = "This is the transpose of A times B: A's row and column are swapped when it is read."
        yield e.whole((A[:, e.rows].T * e.b).sum(1)), hint
    if M == N == K:
        yield e.whole((B[e.rows] * A[:, e.columns].T).sum(1)), ("This is B times A: the operands are swapped.")
        yield (
            e.whole((A[:, e.rows].T * B[e.columns]).sum(1)),
            ("This is the product of both transposes: rows and columns of A and of B are swapped when they are read."),
        )
        elements = A[e.rows, e.columns] * B[e.rows, e.columns]
        yield e.whole(elements), "A and B are multiplied element by element: a product sums over k."


def _factors(e: Evidence) -> Guesses:
    """What becomes of a right sum."""
    sums, start, interface = e.terms.sum(1), e.start, e.trial.interface
    want = e.whole(sums)
    yield 2 * want, "The values are twice what they should be: is every term added twice?"
    yield -want, "The values have the wrong sign."
    if interface.alpha != 1:
        yield want - interface.alpha * sums + sums, "The product is not multiplied by alpha."
    if start is not None:
        yield interface.alpha * sums, "beta*C is missing: what C holds before the launch counts in this lab."
        yield interface.alpha * sums + start, "What C holds before the launch is added without the factor beta."
    elif interface.type_c == "int32":
        before = np.array(POISON["int32"], np.uint32).view(np.int32)
        values = (want.astype(np.int64) + before).astype(np.int32).astype(np.float64)
        yield (
            values,
            "The kernel adds to what C holds before the launch. Start at zero, and store with = instead of +=.",
        )


def _sums(e: Evidence) -> Guesses:
    """Terms that are missing from the sum, or that are alone in it."""
    terms = e.terms
    yield (
        e.whole(terms[:, :-1].sum(1)),
        ("The last term of every sum is missing: the loop over k ends one too early, or runs over whole tiles only."),
    )
    yield e.whole(terms[:, 1:].sum(1)), "The first term of every sum is missing: the loop over k begins at 1."
    yield e.whole(terms[:, -1]), "Only the last term of the sum is there: it is stored with = where += is needed."
    yield e.whole(terms[:, 0]), "Only the first term of the sum is there: does the loop over k go on?"
    for step, name in ((2, "second"), (4, "fourth")):
        hint = f"Only every {name} term is added: look at the steps of the loop over k."
        yield e.whole(terms[:, ::step].sum(1)), hint


def _tiles(e: Evidence) -> Guesses:
    """Mistakes in a loop over tiles."""
    K = e.terms.shape[1]
    for tile in sides(e.trial):
        if K % tile and tile < K:
            yield from _last_tile(e, tile)
        if tile < K:
            yield from _single_tile(e, tile)
        hint = (
            f"Every {tile} x {tile} tile of {{}} is transposed: x and y are swapped where it is put into shared "
            "memory, or where it is read from there."
        )
        yield e.whole((_turned_a(e, tile) * e.b).sum(1)), hint.format("A")
        yield e.whole((e.a * _turned_b(e, tile)).sum(1)), hint.format("B")


def _last_tile(e: Evidence, tile: int) -> Guesses:
    """What is left of k beyond the last whole tile."""
    K = e.terms.shape[1]
    cut = K - K % tile
    yield (
        e.whole(e.terms[:, :cut].sum(1)),
        f"The last {K - cut} terms of every sum are missing: the loop over k runs over whole tiles of {tile} only. "
        "Round the number of tiles up, and fill what lies outside with zeros.",
    )
    yield (
        e.whole(e.terms.sum(1) + e.terms[:, K - tile : cut].sum(1)),
        f"The last tile of {tile} along k, which is not full, still holds terms of the tile before it, and these are "
        "added twice. Store a zero for each element that lies outside.",
    )


def _single_tile(e: Evidence, tile: int) -> Guesses:
    last = (e.terms.shape[1] - 1) // tile * tile
    yield e.whole(e.terms[:, :tile].sum(1)), f"Only the first tile of {tile} along k is added."
    yield (
        e.whole(e.terms[:, last:].sum(1)),
        f"Only the last tile of {tile} along k is there: the sum is set to zero again for every tile.",
    )


def _turned_a(e: Evidence, tile: int) -> Exact:
    """Rows of an A whose tiles are transposed, zero where that leads outside."""
    k = np.arange(e.a.shape[1])
    row = e.rows[:, None] // tile * tile + k % tile
    column = k // tile * tile + e.rows[:, None] % tile
    return _or_zero(e.found.inputs.A, row, column)


def _turned_b(e: Evidence, tile: int) -> Exact:
    k = np.arange(e.b.shape[1])
    row = k // tile * tile + e.columns[:, None] % tile
    column = e.columns[:, None] // tile * tile + k % tile
    return _or_zero(e.found.inputs.B, row, column)


def _or_zero(matrix: NDArray[np.generic], row: Lines, column: Lines) -> Exact:
    inside = (row < matrix.shape[0]) & (column < matrix.shape[1])
    found = matrix[np.where(inside, row, 0), np.where(inside, column, 0)].astype(np.float64)
    return np.where(inside, found, 0.0)


def _neighbours(e: Evidence) -> Guesses:
    """Values that belong to another element, or that another element's sum has been left in."""
    got, want = e.found.got, e.found.want
    own = e.whole(e.terms.sum(1))
    for step in (1, *sides(e.trial)):
        for down, right, side in ((0, step, "to the left"), (step, 0, "above")):
            row, column = e.rows - down, e.columns - right
            inside = (row >= 0) & (column >= 0)
            before = got[np.where(inside, row, 0), np.where(inside, column, 0)]
            yield (
                np.where(inside, own + before, np.nan),
                (
                    f"Each of these is the sum of its own and of the element {step} {'column' if right else 'row'}"
                    f"{'s' if step > 1 else ''} {side}: set the sum to zero before each element."
                ),
            )
    index = e.rows * want.shape[1] + e.columns + SHORT_INDICES
    inside = index < want.size
    yield (
        np.where(inside, want.reshape(-1)[np.where(inside, index, 0)], np.nan),
        (f"These hold what belongs {SHORT_INDICES} elements further on: an index is kept in 16 bits. Use int."),
    )


def _memory(e: Evidence) -> Guesses:
    """Elements read with another distance from line to line than they are stored with."""
    M, N, K = e.trial.case.shape.M, e.trial.case.shape.N, e.trial.case.shape.K
    memory, k = operands(e.trial.interface, e.trial.case.shape), np.arange(e.a.shape[1])
    across = {"A": (e.rows[:, None], k), "B": (k, e.columns[:, None])}
    for name, matrix, other in (("A", e.found.inputs.A, e.b), ("B", e.found.inputs.B, e.a)):
        operand = memory[name]
        by_row = operand.length == matrix.shape[1] and operand.lines == matrix.shape[0]
        line, position = across[name] if by_row else across[name][::-1]
        flat = as_float64(store(matrix, operand, e.trial.interface))
        for stride in sorted({operand.stride - 1, operand.stride + 1, operand.length, M, N, K} - {operand.stride, 0}):
            index = line * stride + position
            inside = (index < flat.size).all(1)
            sums = (flat[np.where(index < flat.size, index, 0)] * other).sum(1)
            yield (
                e.whole(np.where(inside, sums, np.nan)),
                (
                    f"{name} is read as if its {'rows' if by_row else 'columns'} began {stride} elements apart; "
                    f"it is {operand.stride}."
                ),
            )


def _precision(e: Evidence) -> Guesses:
    """Operands, or the result, rounded to fewer bits: exact, because rounded integers are integers."""
    if not e.found.inputs.exact:
        return
    for bits, name in ROUNDED.items():
        hint = f"A and B are rounded to {bits} significant bits, as {name} has them. Multiply and add in {{}}."
        for away in (0.5, 0.0, None):
            values = e.whole((rounded(e.a, bits, away) * rounded(e.b, bits, away)).sum(1))
            yield values, hint.format(e.trial.interface.type_c)
        hint = f"The sum is rounded to {bits} significant bits, as {name} has them."
        yield rounded(e.whole(e.terms.sum(1)), bits, None), hint


def rounded(values: Exact, bits: int, away: float | None) -> Exact:
    """Values with a significand of so many bits: nearest with ties to even, or ties `away` 0.5, or cut off at 0."""
    significand, exponent = np.frexp(values)
    scaled = np.ldexp(significand, bits)
    near = np.rint(scaled) if away is None else np.trunc(scaled + np.copysign(away, scaled))
    return np.asarray(np.ldexp(near, exponent - bits))
