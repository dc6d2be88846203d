"""Which elements of A, or of B, the sums really use: a system of equations for each row or column of C. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from grader.comparison.compare import Comparison, Exact, Mask
from grader.explain.wrong_elements.evidence import Evidence, Hypothesis, Indices
from grader.explain.wrong_elements.misread_terms import k_read, kept_in_tile, period_of
from grader.explain.wrong_elements.term_weights import terms_in_words

MOST_TERMS = 384  # the equations are solved in a tenth of a second
NEAR = 1e-2  # of a whole number, before rounding
DIFFERENT = 0.02  # of the largest element of a line: real ones that differ by more are not the same
SAME_PLACES = 0.97  # of the terms that have the same shift
CHANCE = 0.03  # of all elements may look wrong with one of two sets of inputs only
SEEN_AGAIN = 0.75  # of the elements that are used wrongly: of small ones, too few differ visibly
FROM_THE_MATRIX = 0.9  # of the values that are used instead: other values, such as sums, are elements by chance
MOST_CANDIDATES = 400  # wrong elements whose values are looked for
MOST_PLACES = 64  # of one value


@dataclass(frozen=True, slots=True)
class _Side:
    """The solution for one factor: `used` and `own` are lines x K, of A or of the transpose of B.

    `integral` tells whether whole numbers solve the equations exactly; only elements of integer matrices, or their
    sums, do. The lines that are `shown` have elements of similar sizes.
    """

    name: str
    used: Exact
    own: Exact
    integral: bool
    shown: Mask

    @property
    def wrong(self) -> Mask:
        least = 0.5 if self.integral else DIFFERENT * np.abs(self.own).max(axis=1, keepdims=True)
        return np.asarray(np.abs(self.used - self.own) > least)


def factors_used(e: Evidence) -> Iterator[Hypothesis]:
    """Yield the hypothesis that the sums are correct except that they use wrong elements of one factor."""
    sides = [
        side
        for name in "AB"
        if (side := _solve(e.comparison, e, name)) is not None and side.integral and side.wrong.any()
    ]
    if len(sides) > 1 and (shift := _shift(sides[0])):
        hint = (
            f"A and B are read at different k: A[row][k] is multiplied by B[k {shift}][col]. "
            "Compare the k of both indices."
        )
        yield Hypothesis(hint, lambda other: _same(sides[0], other))
    elif sides:
        side = min(sides, key=lambda side: int(side.wrong.sum()))
        yield Hypothesis(_hint(side, e), lambda other: _read_at_same_k(side, other) or _same(side, other))


def _solve(comparison: Comparison, e: Evidence, name: str) -> _Side | None:
    """Solve for one factor, given the other; None if the solution is not unique."""
    inputs, interface = comparison.inputs, e.trial.interface
    A, B = inputs.A.astype(np.float64), inputs.B.astype(np.float64)
    start = 0.0 if inputs.C is None else interface.beta * inputs.C.astype(np.float64)
    sums = (comparison.got - start) / (interface.alpha or 1.0)
    own, other, sums = (A, B, sums) if name == "A" else (B.T, A.T, sums.T)
    if not np.isfinite(sums).all() or comparison.untouched.any() or not comparison.looked.all():
        return None
    if own.shape[1] > MOST_TERMS or other.shape[1] < other.shape[0]:
        return None
    norms = np.linalg.norm(other, axis=0)[:, None]
    norms[norms == 0] = 1.0
    solution, _, rank, _ = np.linalg.lstsq(other.T / norms, sums.T / norms, rcond=None)
    used = np.asarray(solution.T, np.float64)
    integral = (
        inputs.all_exact and np.abs(used - np.rint(used)).max() <= NEAR and bool((np.rint(used) @ other == sums).all())
    )
    lines = inputs.rows if name == "A" else inputs.columns
    return _Side(name, used, own, bool(integral), lines.real | inputs.all_exact) if rank == own.shape[1] else None


def _same(side: _Side, other: Evidence) -> bool:
    """Whether the same elements are used wrongly with other inputs."""
    again = _solve(other.comparison, other, side.name)
    if again is None:
        return False
    lines = again.shown if side.wrong[again.shown].any() else np.ones_like(again.shown)
    before, now = side.wrong[lines], again.wrong[lines]
    seen, beside = int(np.count_nonzero(now & before)), int(np.count_nonzero(now & ~before))
    return bool(seen >= SEEN_AGAIN * np.count_nonzero(before) and beside <= max(seen, CHANCE * before.size))


def _read_at_same_k(side: _Side, other: Evidence) -> bool:
    """Whether reading elements at the same k explains the values of other inputs."""
    ks = k_read(side.used, side.own)
    if ks is None:
        return False
    a, b = (other.a[:, ks], other.b) if side.name == "A" else (other.a, other.b[:, ks])
    return other.agrees(other.scaled((a * b).sum(1)))


def _shift(side: _Side) -> str:
    """Return the shift of k between the factors if almost all terms have it; empty otherwise."""
    for step in range(1, side.own.shape[1] // 2 + 1):
        if np.mean(np.abs(side.used[:, step:] - side.own[:, :-step]) < DIFFERENT) >= SAME_PLACES:
            return f"+ {step}"
        if np.mean(np.abs(side.used[:, :-step] - side.own[:, step:]) < DIFFERENT) >= SAME_PLACES:
            return f"- {step}"
    return ""


def _hint(side: _Side, e: Evidence) -> str:
    lines, ks = np.nonzero(side.wrong)
    if not np.rint(side.used[lines, ks]).any():
        return _left_out(side, int(lines[0]))
    if period := period_of(side.used, side.own):
        return (
            f"{side.name} is read at k % {period} instead of k: does its index begin again after {period} steps, or "
            "does it have too few bits?"
        )
    line = int(lines[0])
    if e.trial.uses.shared_memory and (kept := kept_in_tile(side.used[line], side.own[line])):
        return _left_in_tile(side, line, *kept)
    place = _best_place(side, lines, ks)
    if place is None:
        return _other_value(side, line, int(ks[0]))
    at, used_line, used_k = place
    line, k = int(lines[at]), int(ks[at])
    used = _element(side.name, used_line, used_k)
    tiles, name = e.trial.uses.shared_memory, side.name
    if used_line == line:
        partner = f"B[{k}][col]" if name == "A" else f"A[row][{k}]"
        how = "at which both tiles are loaded, stored and read" if tiles else "at which both are read"
        return (
            f"A and B are read at different k: in {_where(side, line)} of C, {partner} is multiplied by {used}. "
            f"Compare the k {how}."
        )
    advice = f"Compare the index at which {name} is read with row, k and col."
    if tiles:
        advice = f"Check the indices at which {name} is loaded, and at which its tile is stored and read."
    return (
        f"The sums use wrong elements of {name}: in {_where(side, line)} of C, the term k = {k} has {used} as a factor "
        f"instead of {_element(name, line, k)}. {advice}"
    )


def _other_value(side: _Side, line: int, k: int) -> str:
    return (
        f"The sums use other values than the elements of {side.name}: in {_where(side, line)} of C, the term k = {k} "
        f"has {np.rint(side.used[line, k]):.9g} as a factor instead of {_element(side.name, line, k)}. Which index, or "
        "which operation, gives that?"
    )


def _left_in_tile(side: _Side, line: int, k: int, step: int) -> str:
    other, before, instead = ("B", f"B[{k}][col]", f"B[{k + step}][col]")
    if side.name == "B":
        other, before, instead = ("A", f"A[row][{k}]", f"A[row][{k + step}]")
    return (
        f"In {_where(side, line)} of C, {_element(side.name, line, k + step)} is multiplied by {before} instead of "
        f"{instead}: the tile of {other} keeps elements of {step} terms before. Does every thread load its elements in "
        "every step, also those outside of C?"
    )


def _left_out(side: _Side, line: int) -> str:
    seen = np.flatnonzero(side.own[line])  # of a term that is 0, nothing shows whether it is left out
    nearest = seen[np.abs(seen[:, None] - np.arange(side.own.shape[1])).argmin(axis=0)]
    terms = terms_in_words(np.flatnonzero(side.wrong[line, nearest]), side.own.shape[1])
    return (
        f"Terms are left out, different ones in each {'row' if side.name == 'A' else 'column'} of C: {terms} in "
        f"{_where(side, line)}. Check the first and the last k of the loop, and what is stored beyond the edge."
    )


def _where(side: _Side, line: int) -> str:
    return f"row {line}" if side.name == "A" else f"column {line}"


def _element(name: str, line: int, k: int) -> str:
    return f"A[{line}][{k}]" if name == "A" else f"B[{k}][{line}]"


def _best_place(side: _Side, lines: Indices, ks: Indices) -> tuple[int, int, int] | None:
    """Return the wrong element that shows best what is used instead, with the line and the k of that."""
    votes: Counter[tuple[int, int]] = Counter()
    candidates: list[tuple[int, int, int]] = []
    chosen = range(0, lines.size, max(1, lines.size // MOST_CANDIDATES))
    used = np.rint(side.used[lines[chosen], ks[chosen]])
    others = used[used != 0]
    if others.size and np.isin(others, side.own).mean() < FROM_THE_MATRIX:
        return None
    for at, value in zip(chosen, used.tolist(), strict=True):
        places = np.argwhere(side.own == value)
        nearest = np.argsort(np.abs(places - (lines[at], ks[at])).sum(1), kind="stable")[:MOST_PLACES]
        for line, k in places[nearest].tolist():
            votes[line - int(lines[at]), k - int(ks[at])] += 1
            candidates.append((at, line, k))
    if not candidates:
        return None
    return max(candidates, key=lambda c: votes[c[1] - int(lines[c[0]]), c[2] - int(ks[c[0]])])
