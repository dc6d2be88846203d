"""Explain a wrong answer to a student: one sentence on what is wrong and where, one hint on what to try. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from grader.judge.compare import Comparison, Trial, made_of_blank, made_of_poison
from grader.judge.evidence import Evidence, evidence
from grader.judge.hypotheses import mistakes
from grader.model import CaseResult, Fault, Mismatch, Verdict

MOSTLY = 0.5  # share of the elements above which an error is not at an edge or in a few elements
NEAR_TERMS = 2.0**-7  # of the terms' magnitudes: what an 8-bit significand, bfloat16's, may lose
NEAR_VALUES = 2.0**-6  # of the values: what a sum in half precision loses, and much less than a missing term
RACE = (
    "Correct in one order of the threads and wrong in the other: a __syncthreads() is missing. One thread reads "
    "what another has not written yet, or has already overwritten."
)


def wrong_answer(trial: Trial, comparison: Comparison, mismatch: Mismatch) -> Fault:
    """The fault of a wrong answer, with the most likely mistake as the hint."""
    hints = chain(_without_value(trial, comparison), _by_value(trial, comparison), _by_place(mismatch))
    return Fault(Verdict.WRONG_ANSWER, _sentence(trial, comparison, mismatch), next(hints))


def with_races(results: Sequence[CaseResult]) -> tuple[CaseResult, ...]:
    """The results, with the hint at a race where a size is correct in one order of the threads only."""
    return tuple(_with_race(result, results) for result in results)


def _with_race(result: CaseResult, results: Sequence[CaseResult]) -> CaseResult:
    if result.fault is None or result.verdict is not Verdict.WRONG_ANSWER:
        return result
    case = result.case
    tried = [other for other in results if other.case.shape == case.shape and other.case.launches == 1]
    same_order = {other.verdict for other in tried if other.case.order == case.order}
    other_order = {other.verdict for other in tried if other.case.order != case.order}
    if same_order == {Verdict.WRONG_ANSWER} and other_order == {Verdict.OK}:
        return replace(result, fault=replace(result.fault, hint=RACE))
    return result


def _sentence(trial: Trial, comparison: Comparison, mismatch: Mismatch) -> str:
    region, first = mismatch.region, mismatch.first
    verb = "is" if region.wrong == 1 else "are"
    state = f"{verb} wrong"
    if region.never_written == region.wrong:
        state = f"{verb} never written"
    elif region.never_written:
        state += f" ({region.never_written} of them never written)"
    value = "" if comparison.untouched[first.row, first.column] else f" and is {first.got:.9g}"
    return (
        f"{region.wrong} of {region.total} elements of C {state} at {trial.case.shape}, {region.where}: "
        f"C[{first.row}][{first.column}] should be {first.expected:.9g}{value}."
    )


def _without_value(trial: Trial, comparison: Comparison) -> Iterator[str]:
    """Elements that are not numbers: not written, or not computed from numbers."""
    wrong, untouched = comparison.wrong, comparison.untouched
    if untouched.all():
        yield "The kernel writes nothing. Does every thread return early, or does it write to a copy of C?"
    if not (wrong & ~untouched).any():
        yield from _unwritten(trial, comparison)
    if (made_of_poison(comparison.left) & wrong).any():
        yield (
            "The kernel adds to what C holds before the launch, which is NaN here. Start the sum at zero in a "
            "variable, and store it with = instead of +=."
        )
    if (made_of_blank(comparison.left) & np.isnan(comparison.got) & wrong).any():
        yield (
            "The kernel reads elements of shared memory that no thread has written. Is there a __syncthreads() after "
            "the tiles are loaded, and does .block have enough threads to load whole tiles?"
        )
    if (np.isnan(comparison.got) & ~untouched & wrong).any():
        yield (
            "The result contains NaN: the kernel reads outside A or B, reads C, shared memory or a fragment before it "
            "is written, or computes something undefined, such as the logarithm of a negative number."
        )
    if (np.isinf(comparison.got) & wrong).any():
        kind = trial.interface.type_c
        yield f"The result contains infinity: a sum became too large. Keep sums in {kind} or a wider type."


def _unwritten(trial: Trial, comparison: Comparison) -> Iterator[str]:
    columns, rows = trial.launch.tile
    along_x, along_y = ("columns", "rows") if trial.launch.grid_x == "columns" else ("rows", "columns")
    if _axes_swapped(trial, comparison):
        yield (
            f"These elements are never written: blockIdx.x and blockIdx.y are swapped. With this LAUNCH, blockIdx.x "
            f"runs along the {along_x} of C and blockIdx.y along its {along_y}; .grid_x = ROWS or COLUMNS changes that."
        )
    yield (
        f"These elements are never written. LAUNCH says that a block computes {_count(columns, 'column')} and "
        f"{_count(rows, 'row')} of C: does it, even in the last tiles, which reach beyond C? "
        "And is the guard row < N && col < N?"
    )


def _count(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def _axes_swapped(trial: Trial, comparison: Comparison) -> bool:
    """Whether exactly the elements are written that the launch covers when the grid's x and y are swapped."""
    columns, rows = trial.launch.tile
    x, y, _ = trial.launch.grid(trial.case.shape)
    if trial.launch.grid_x == "rows":
        x, y = y, x
    covered = np.zeros(comparison.untouched.shape, np.bool_)
    covered[: x * rows, : y * columns] = True
    return not covered.all() and np.array_equal(covered, ~comparison.untouched)


def _by_value(trial: Trial, comparison: Comparison) -> Iterator[str]:
    sample = evidence(trial, comparison)
    if sample is None:
        return
    yield from mistakes(sample)
    if _nearly_correct(sample):
        kind = trial.interface.type_c
        exact = f"not exact: these inputs and their sums fit {kind} without any rounding"
        real = f"farther off than rounding in {kind} explains, whatever the order of the sum"
        yield (
            f"The values are close but {exact if comparison.inputs.exact else real}. "
            f"Multiply and add in {kind}, not in half, TF32 or integers."
        )


def _nearly_correct(sample: Evidence) -> bool:
    """Whether the errors are those of an arithmetic with fewer bits: all small, and in most of the elements."""
    comparison = sample.comparison
    want = comparison.want[sample.rows, sample.columns]
    off = np.abs(sample.got - want)
    typical = float(np.sqrt(np.mean(want**2)))
    most = np.count_nonzero(comparison.wrong) > MOSTLY * np.count_nonzero(comparison.looked)
    near = off <= NEAR_TERMS * np.abs(sample.terms).sum(1)
    return bool(most and near.all() and np.median(off) <= NEAR_VALUES * typical)


def _by_place(mismatch: Mismatch) -> Iterator[str]:
    """The usual mistake at such a place."""
    region = mismatch.region
    if "last" in region.where and region.wrong <= MOSTLY * region.total:
        yield "Only the edge is wrong: check how the last tile, which is not full, is loaded and stored."
    yield (
        "Is there a __syncthreads() after the tiles are loaded, and one before they are loaded again? "
        "If so, compute one element by hand for N = 2 and compare the indices."
    )
