"""How often each term is in the sums: an exact solution of as many equations as there are wrong elements. Pure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from grader.explain.wrong_elements.error_pattern import where
from grader.explain.wrong_elements.evidence import Evidence, Hypothesis, wrong_numbers

MOST_TERMS = 384  # the equations are solved in a tenth of a second
SPARE_EQUATIONS = 16  # beyond the unknowns: chance fulfils none of them
NEAR = 1e-3  # of a whole number, before rounding
PERIODS = (4, 8, 16, 32, 64, 128)
MOST_NAMED = 6

Terms = NDArray[np.intp]
Weights = NDArray[np.float64]


def term_weights(e: Evidence) -> Iterator[Hypothesis]:
    """The hypothesis that every wrong sum has the same terms, some of them missing or added several times."""
    weights = _solve(e)
    if weights is not None:
        yield Hypothesis(_hint(weights, e), lambda other: other.agrees(other.scaled(other.terms @ weights)))


def _solve(e: Evidence) -> Weights | None:
    """The whole number of times that each term is added, the same in all wrong elements; None if none is."""
    inputs, K = e.comparison.inputs, e.terms.shape[1]
    rows, columns = wrong_numbers(e.comparison, 2 * K + SPARE_EQUATIONS)
    if not inputs.all_exact or K > MOST_TERMS or rows.size < K + SPARE_EQUATIONS:
        return None
    terms = inputs.A[rows].astype(np.float64) * inputs.B[:, columns].T.astype(np.float64)
    start = 0.0 if inputs.C is None else e.trial.interface.beta * inputs.C[rows, columns].astype(np.float64)
    sums = (e.comparison.got[rows, columns] - start) / (e.trial.interface.alpha or 1.0)
    if not np.isfinite(sums).all():
        return None
    solution, _, rank, _ = np.linalg.lstsq(terms, sums, rcond=None)
    weights = np.rint(solution)
    if rank < K or np.abs(solution - weights).max() > NEAR or (terms @ weights != sums).any() or not weights.any():
        return None
    return np.asarray(weights, np.float64)


def _hint(weights: Weights, e: Evidence) -> str:
    missing, present = np.flatnonzero(weights == 0), np.flatnonzero(weights)
    if missing.size > weights.size / 2:
        return f"Only {_added(weights, present)}. {_advice(e, again=bool((weights[present] > 1).all()))}"
    if side := _end_at_another_side(missing, e):
        end = f"Every sum ends before k = {missing[0]}."
        return f"{end} Does the loop over k, or a check of k, end at {side} instead of K?"
    counted = np.flatnonzero((weights != 0) & (weights != 1))
    parts = [f"{terms_in_words(missing, weights.size)} {_are(missing)} missing"] if missing.size else []
    parts += [_added(weights, counted)] if counted.size else []
    twice = "Which steps of a loop, or which threads, add the same terms?"
    return f"In every one of these sums, {' and '.join(parts)}. {_advice(e) if missing.size else twice}"


def _end_at_another_side(missing: Terms, e: Evidence) -> str:
    """Return the side of C, M or N, at which the terms end; empty if they end at none of them."""
    shape = e.trial.case.shape
    if not missing.size or missing[-1] != shape.K - 1 or missing[-1] - missing[0] + 1 != missing.size:
        return ""
    lengths = (("N", shape.N), ("M", shape.M))
    steps = (1, *e.trial.launch.tile)
    ends = ((f"{name} = {length}", -(-length // step) * step) for step in steps for name, length in lengths)
    return next((side for side, end in ends if end == missing[0]), "")


def _added(weights: Weights, chosen: Terms) -> str:
    counts = np.unique(weights[chosen])
    times = _times(float(counts[0])) if counts.size == 1 else f"{counts.min():.0f} to {counts.max():.0f} times"
    return f"{terms_in_words(chosen, weights.size)} {_are(chosen)} added{times and ' '}{times}"


def _advice(e: Evidence, *, again: bool = False) -> str:
    uses = e.trial.uses
    if uses.shuffles:
        return (
            "Which lanes add the others, does the reduction reach all 32 lanes of the warp, and does the lane that has "
            "the total store it?"
        )
    if again:
        return "Does each step of the loop over k move on to other elements?"
    if uses.atomics:
        return "Do the threads that add the others use atomicAdd() too, and is C set to zero before all of them?"
    if uses.shared_memory and "last" in where(e.comparison.wrong, e.comparison.looked):
        return (
            "Do threads outside of C load their elements of the tiles, too? The check before a load must be that of "
            "the row and column that it reads."
        )
    return "Which step of the loop over k, or which thread, should add the others?"


def _times(weight: float) -> str:
    return {1.0: "", 2.0: "twice", -1.0: "with the wrong sign"}.get(weight, f"{weight:.0f} times")


def _are(chosen: Terms) -> str:
    return "is" if chosen.size == 1 else "are"


def terms_in_words(chosen: Terms, K: int) -> str:
    """A set of terms in words."""
    first, last = int(chosen[0]), int(chosen[-1])
    if chosen.size == 1:
        return f"the term k = {first}{' (the last)' if first == K - 1 and first else ''}"
    if last - first + 1 == chosen.size:
        return f"the terms k = {first} to {last}{' (the last)' if last == K - 1 else ''}"
    for period in PERIODS:
        residues = np.unique(chosen % period)
        whole = np.flatnonzero(np.isin(np.arange(K) % period, residues))
        if period < K and residues[-1] - residues[0] + 1 == residues.size and np.array_equal(whole, chosen):
            low, high = int(residues[0]), int(residues[-1])
            return f"the terms with k % {period} {f'= {low}' if low == high else f'from {low} to {high}'}"
    named = ", ".join(str(k) for k in chosen[:MOST_NAMED])
    return f"the terms k = {named}" if chosen.size <= MOST_NAMED else f"{chosen.size} terms (k = {named}, ...)"
