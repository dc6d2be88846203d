"""What is wrong with an answer, where, and what to try: one sentence and one hint, for a student. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from grader.judge.compare import Comparison, Trial, made_of_blank, made_of_poison
from grader.judge.hypotheses import Evidence, evidence, mistakes
from grader.model import CaseResult, Fault, Mismatch, Verdict

MOSTLY = 0.5  # a share of the elements that is no longer an edge or a few
NEAR_TERMS = 2.0**-7  # of the terms' magnitudes: what an 8-bit significand, bfloat16's, may lose
NEAR_VALUES = 2.0**-6  # of the values: what a sum in half precision loses, and much less than a missing term
RACE = (
    "Right in one order of the threads and wrong in the other: a __syncthreads() is missing. One thread reads "
    "what another has not written yet, or has overwritten already."
)


def wrong_answer(trial: Trial, found: Comparison, mismatch: Mismatch) -> Fault:
    """A sentence on what is wrong and where, and the most likely mistake as the hint."""
    hints = chain(_without_value(trial, found), _by_value(trial, found), _by_place(mismatch))
    return Fault(Verdict.WRONG_ANSWER, _sentence(trial, found, mismatch), next(hints))


def with_races(results: Sequence[CaseResult]) -> tuple[CaseResult, ...]:
    """The results with the hint that only all cases of a size together can give: one thread order is right."""
    return tuple(_with_race(one, results) for one in results)


def _with_race(one: CaseResult, results: Sequence[CaseResult]) -> CaseResult:
    if one.fault is None or one.verdict is not Verdict.WRONG_ANSWER:
        return one
    tried = [other for other in results if other.case.shape == one.case.shape and other.case.launches == 1]
    mine = {other.verdict for other in tried if other.case.order == one.case.order}
    others = {other.verdict for other in tried if other.case.order != one.case.order}
    if mine == {Verdict.WRONG_ANSWER} and others == {Verdict.OK}:
        return replace(one, fault=replace(one.fault, hint=RACE))
    return one


def _sentence(trial: Trial, found: Comparison, mismatch: Mismatch) -> str:
    region, first = mismatch.region, mismatch.first
    verb = "is" if region.wrong == 1 else "are"
    state = f"{verb} wrong"
    if region.never_written == region.wrong:
        state = f"{verb} never written"
    elif region.never_written:
        state += f" ({region.never_written} of them never written)"
    value = "" if found.untouched[first.row, first.column] else f" and is {first.got:.9g}"
    return (
        f"{region.wrong} of {region.total} elements of C {state} at {trial.case.shape}, {region.where}: "
        f"C[{first.row}][{first.column}] should be {first.expected:.9g}{value}."
    )


def _without_value(trial: Trial, found: Comparison) -> Iterator[str]:
    """Elements that are no numbers: not written, or not computed from numbers."""
    wrong = found.wrong
    if found.untouched.all():
        yield "The kernel writes nothing. Does every thread return early, or does it write to a copy of C?"
    if not (wrong & ~found.untouched).any():
        yield from _unwritten(trial, found)
    if (made_of_poison(found.left) & wrong).any():
        yield (
            "The kernel adds to what C holds before the launch, which is NaN here. Start a sum at zero in a variable, "
            "and store it with = instead of +=."
        )
    if (made_of_blank(found.left) & np.isnan(found.got) & wrong).any():
        yield (
            "The kernel uses elements of shared memory that no thread has written. Is there a __syncthreads() after "
            "the tiles are loaded, and are there enough threads in .block to load them whole?"
        )
    if (np.isnan(found.got) & ~found.untouched & wrong).any():
        yield (
            "NaN stands in the result: the kernel reads outside of A or B, or C before it is written, or shared memory "
            "or a fragment that no thread has filled, or it computes what has no value, such as the logarithm of a "
            "negative number."
        )
    if (np.isinf(found.got) & wrong).any():
        yield f"Infinity stands in the result: a sum became too large. Keep sums in {trial.interface.type_c} at least."


def _unwritten(trial: Trial, found: Comparison) -> Iterator[str]:
    columns, rows = trial.launch.tile
    along_x, along_y = ("columns", "rows") if trial.launch.grid_x == "columns" else ("rows", "columns")
    if _axes_swapped(trial, found):
        yield (
            f"These elements are never written: blockIdx.x and blockIdx.y are swapped. LAUNCH lets blockIdx.x run "
            f"along the {along_x} of C and blockIdx.y along its {along_y}; .grid_x = ROWS or COLUMNS changes that."
        )
    yield (
        f"These elements are never written. LAUNCH says that a block computes {_count(columns, 'column')} and "
        f"{_count(rows, 'row')} of C: does it, also where the last tile sticks out? "
        "And is the guard row < N && col < N?"
    )


def _count(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def _axes_swapped(trial: Trial, found: Comparison) -> bool:
    """Whether what is written is what such a launch covers when the grid's x and y are taken for each other."""
    columns, rows = trial.launch.tile
    x, y, _ = trial.launch.grid(trial.case.shape)
    if trial.launch.grid_x == "rows":
        x, y = y, x
    covered = np.zeros(found.untouched.shape, np.bool_)
    covered[: x * rows, : y * columns] = True
    return not covered.all() and np.array_equal(covered, ~found.untouched)


def _by_value(trial: Trial, found: Comparison) -> Iterator[str]:
    sample = evidence(trial, found)
    if sample is None:
        return
    yield from mistakes(sample)
    if _nearly_right(sample):
        kind = trial.interface.type_c
        exact = f"not exact: these inputs and their sums fit {kind} without any rounding"
        real = f"farther off than the rounding of {kind} explains in any order of the sum"
        yield (
            f"The values are close but {exact if found.inputs.exact else real}. "
            f"Multiply and add in {kind}, not in half, TF32 or integers."
        )


def _nearly_right(sample: Evidence) -> bool:
    """Whether the errors are those of an arithmetic with fewer bits: all small, and in most of the elements."""
    want = sample.found.want[sample.rows, sample.columns]
    off = np.abs(sample.got - want)
    typical = float(np.sqrt(np.mean(want**2)))
    most = np.count_nonzero(sample.found.wrong) > MOSTLY * np.count_nonzero(sample.found.looked)
    near = off <= NEAR_TERMS * np.abs(sample.terms).sum(1)
    return bool(most and near.all() and np.median(off) <= NEAR_VALUES * typical)


def _by_place(mismatch: Mismatch) -> Iterator[str]:
    """What usually goes wrong there."""
    region = mismatch.region
    if "last" in region.where and region.wrong <= MOSTLY * region.total:
        yield "Only the edge is wrong: look at how the last tile, which is not full, is loaded and stored."
    yield (
        "Is there a __syncthreads() after the tiles are loaded, and one before they are loaded again? "
        "If so, compute one element by hand for N = 2 and compare the indices."
    )
