"""Hypotheses: typical mistakes, each with the values that it would give, compared with the kernel's own. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

import numpy as np

from grader.comparison.compare import Exact, as_float64
from grader.explain.wrong_elements.arithmetic import LEAST, arithmetic, kept_sums, terms_until_zero
from grader.explain.wrong_elements.evidence import Candidates, Evidence, Hypothesis
from grader.explain.wrong_elements.indices import short_offsets
from grader.explain.wrong_elements.lost_values import lost_values, very_small
from grader.explain.wrong_elements.repeated_values import earlier_launches, one_for_all
from grader.explain.wrong_elements.tiling import tiles
from grader.explain.wrong_elements.uses import INSTEAD_OF_ADDING

ADDED = f"The kernel adds to what C holds before the launch. {INSTEAD_OF_ADDING}"
ROUNDED = {11: "TF32 or half precision", 8: "bfloat16"}  # bits of the significand


def hypotheses(e: Evidence) -> Iterator[Hypothesis]:
    """The hypotheses that give the values of this case, the likeliest first."""
    yield from (Hypothesis(hint, partial(_named, hint)) for hint in mistakes(e))
    yield from one_for_all(e)
    yield from earlier_launches(e)


def mistakes(e: Evidence) -> Iterator[str]:
    """The hints of the typical mistakes that give exactly these values."""
    every = chain(
        very_small(e),
        terms_until_zero(e),
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
    A, B = as_float64(e.comparison.inputs.A), as_float64(e.comparison.inputs.B)
    (M, K), N = A.shape, B.shape[1]
    if M == N:
        values = e.comparison.want[e.columns, e.rows]
        below, above = (bool(side.any()) for side in (np.tril(e.comparison.wrong, -1), np.triu(e.comparison.wrong, 1)))
        hint = "C is transposed: rows and columns are swapped when it is stored, or in row and col."
        if below != above:
            sides = ("below", "above") if below else ("above", "below")
            hint = "Elements {} the diagonal hold the values of those {} it: C is not symmetric.".format(*sides)
        yield values, hint
    if N == K:
        hint = "The kernel computes A times the transpose of B: row and column are swapped when B is read."
        yield e.scaled((e.a * B[e.columns]).sum(1)), hint
    if M == K:
        hint = "The kernel computes the transpose of A times B: row and column are swapped when A is read."
        yield e.scaled((A[:, e.rows].T * e.b).sum(1)), hint
    if M == N == K:
        yield (
            e.scaled((B[e.rows] * A[:, e.columns].T).sum(1)),
            f"The kernel computes B times A: they are swapped, or all three matrices are indexed {_other_layout(e)}.",
        )
        hint = "The kernel computes the product of both transposes: row and column are swapped when A and B are read."
        yield e.scaled((A[:, e.rows].T * B[e.columns]).sum(1)), hint
        squares = (("A", (e.a * A[:, e.columns].T).sum(1)), ("B", (B[e.rows] * e.b).sum(1)))
        for name, values in squares:
            yield e.scaled(values), f"{name} is multiplied by itself: the other matrix is never read."
        elements = A[e.rows, e.columns] * B[e.rows, e.columns]
        yield e.scaled(elements), "A and B are multiplied element by element: a matrix product sums over k."


def _other_layout(e: Evidence) -> str:
    if e.trial.interface.layout == "row":
        return "column by column (row + col * N) instead of row by row"
    return "row by row (row * N + col) instead of column by column"


def _factors(e: Evidence) -> Candidates:
    """A correct sum with a wrong factor, or added to C."""
    sums, start, interface = e.terms.sum(1), e.start, e.trial.interface
    want = e.scaled(sums)
    yield 2 * want, "The values are twice what they should be: is every term added twice?"
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
