"""Explain a wrong answer to a student: one sentence on what is wrong and where, one hint on what to try. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from math import prod

import numpy as np
from numpy.typing import NDArray

from grader.comparison.compare import Comparison, made_of_blank, made_of_poison
from grader.explain.wrong_elements.trial import INSTEAD_OF_ADDING, Trial
from grader.model import Fault, Mismatch, Verdict
from grader.model.hints import EdgeHint, GeneralHint, UnsetHint

MOSTLY = 0.5  # share of the elements above which an error is not at an edge or in a few elements
NEARLY_ALL = 0.9  # share of elements: sums of very small terms round otherwise
SPREAD = 0.25  # share of the elements above which a small error is the arithmetic's; the limit hides some errors
NEAR_TERMS = 2.0**-7  # of the terms' magnitudes: what an 8-bit significand, bfloat16's, may lose
SAMPLE = 128  # wrong elements, evenly spread
TINY = 1e-5  # of the magnitudes of the terms
NEAR_VALUES = 2.0**-6  # of the values: what a sum in half precision loses, and much less than a missing term


def wrong_answer(trial: Trial, comparison: Comparison, mismatch: Mismatch) -> Fault:
    """The fault of a wrong answer, with a hint at what is seen in this case alone."""
    hints = chain(_without_value(trial, comparison), _nearly(trial, comparison), _by_place(trial, comparison, mismatch))
    return Fault(Verdict.WRONG_ANSWER, _sentence(trial, comparison, mismatch), next(hints))


def _sentence(trial: Trial, comparison: Comparison, mismatch: Mismatch) -> str:
    region, first = mismatch.region, mismatch.first
    verb = "is" if region.wrong == 1 else "are"
    state = f"{verb} wrong"
    if region.never_written == region.wrong:
        state = f"{verb} never written"
    elif region.never_written:  # a sum with C from before the launch may be what was there
        how = "as before the launch" if trial.interface.beta else "never written"
        state += f" ({region.never_written} of them {how})"
    value = "" if comparison.untouched[first.row, first.column] else f" but is {first.got:.9g}"
    all_ran = region.total == comparison.want.size
    total = (
        f"{region.total} elements of C" if all_ran else f"the {region.total} elements of C that this launch computes"
    )
    return (
        f"{region.wrong} of {total} {state} at {trial.case.shape}, {region.where}: "
        f"C[{first.row}][{first.column}] should be {first.expected:.9g}{value}."
    )


def _without_value(trial: Trial, comparison: Comparison) -> Iterator[str]:
    """Elements that are not numbers: not written, or not computed from numbers."""
    wrong, untouched = comparison.wrong, comparison.untouched
    if untouched.all():
        yield (
            "The kernel writes nothing. Does every thread return early, or does it write to a copy of C?"
            f"{_of_module(trial)}"
        )
    if not (wrong & ~untouched).any():
        hint = _too_few_threads(trial, untouched) or _never_written(trial, "These")
        yield hint if _is_launched_by_lab(trial) else GeneralHint(hint)
    if (made_of_poison(comparison.left) & wrong).any() or _adds_to_start(trial, comparison):
        yield f"The kernel adds to what C holds before the launch. {INSTEAD_OF_ADDING}"
    yield from _without_factor(trial, comparison)
    if (np.isnan(comparison.got) & ~untouched & wrong).any():
        blank = (made_of_blank(comparison.left) & wrong).any()
        yield _unset(trial) if blank else _not_a_number(trial, comparison)
    for row, column in np.argwhere(np.isinf(comparison.got) & wrong)[:1]:
        kind = trial.interface.type_c
        yield f"C[{row}][{column}] is infinity: a sum became too large. Keep sums in {kind} or a wider type."


def _too_few_threads(trial: Trial, untouched: NDArray[np.bool_]) -> str:
    """Return that each thread stores one element, if there are fewer than elements; nothing if that is not so."""
    threads = trial.launch.threads * prod(trial.launch.grid(trial.case.shape))
    if untouched.size - untouched.sum() != threads:
        return ""
    return (
        f"The launch has {threads} threads, which store one element each, and C has {untouched.size}: let each thread "
        "compute several, or let .tile name fewer rows or columns."
    )


def _never_written(trial: Trial, which: str) -> str:
    """Return what is launched, and what of C each block is for, where these or other elements are missing."""
    sides = trial.launch.grid(trial.case.shape), trial.launch.block
    grid, block = (" x ".join(str(number) for number in each if number > 1) or "1" for each in sides)
    launch = "The file has no LAUNCH line, so the launch is the lab's. " if _is_launched_by_lab(trial) else ""
    launch += f"{which} elements are never written. The launch has {grid} block{'' if grid == '1' else 's'} of {block} "
    last = "Find the thread that should compute one of these elements, and work out its row and column"
    if not trial.launch.has_tiles:
        return f"{launch}threads. {last}."
    columns, rows = trial.launch.tile
    x, y = ("x", "y") if trial.launch.grid_x == "columns" else ("y", "x")
    rows_end = "M" if "M" in trial.interface.parameters else "N"
    return (
        f"{launch}threads, as many as it takes if a block computes {columns} columns from blockIdx.{x} * {columns} on "
        f"and {rows} rows from blockIdx.{y} * {rows} on. {last}. Is the guard row < {rows_end} && col < N?"
    )


def _is_launched_by_lab(trial: Trial) -> bool:
    return trial.uses.launch_of_lab and not trial.launch.of_file


def _adds_to_start(trial: Trial, comparison: Comparison) -> bool:
    """Whether nearly all wrong elements are the sum of the correct result and of what C held before."""
    wrong = comparison.wrong & np.isfinite(comparison.start)
    if trial.interface.beta or not wrong.any():
        return False
    sums = comparison.want[wrong] + comparison.start[wrong].astype(np.float64)
    return bool(np.isclose(comparison.got[wrong], sums, rtol=TINY).mean() > NEARLY_ALL)


def _without_factor(trial: Trial, comparison: Comparison) -> Iterator[str]:
    """Yield which of alpha and beta nearly all wrong elements lack."""
    alpha, beta = trial.interface.alpha, trial.interface.beta
    seen = comparison.wrong & (np.isfinite(comparison.start) | (beta == 0))
    if (alpha, beta) == (1, 0) or not seen.any():
        return
    start = beta * comparison.start[seen].astype(np.float64) if beta else 0.0
    scaled = comparison.want[seen] - start
    lacks = {"alpha": scaled / (alpha or 1) + start, "beta": scaled, "alpha and without beta": scaled / (alpha or 1)}
    for name, values in lacks.items():
        if np.isclose(comparison.got[seen], values, rtol=TINY).mean() > NEARLY_ALL:
            yield f"The result is right without {name}: C is alpha * A * B + beta * C, with C from before the launch."


def _unset(trial: Trial) -> str:
    if not trial.uses.shared_memory:
        return UnsetHint(
            "The kernel computes with a variable or an element that was never set, or that is no longer there. Does "
            "every sum start at zero?"
        )
    return UnsetHint(
        "The kernel reads elements of shared memory that no thread has written. Is there a __syncthreads() after the "
        "tiles are loaded? Is every element that is read also stored, at the same index? Has a block enough threads, "
        "and do those outside of C store too?"
    )


def _not_a_number(trial: Trial, comparison: Comparison) -> str:
    if np.isnan(comparison.got).all():
        return GeneralHint(
            "Every element is NaN. Is a variable, such as the sum, used before it is set? Is something undefined "
            "computed, such as the logarithm of a negative number?"
        )
    unset = "C, shared memory" if trial.uses.shared_memory else "C"
    return (
        f"The result contains NaN: the kernel reads outside of A, B or an array of its own, reads {unset} or a "
        "variable before it is set, stores bits of another type, such as int, or computes something undefined, such as "
        "the logarithm of a negative number."
    )


def _nearly(trial: Trial, comparison: Comparison) -> Iterator[str]:
    if not _nearly_correct(comparison):
        return
    kind = trial.interface.type_c
    exact = f"not exact: these inputs and their sums fit {kind} without any rounding"
    real = f"farther off than rounding in {kind} explains, whatever the order of the sum"
    missing = f" {_never_written(trial, 'Other')}" if (comparison.wrong & comparison.untouched).any() else ""
    advice = f"Multiply and add in {kind}" + (", not in a shorter type." if trial.uses.short_types else ".")
    yield GeneralHint(
        f"The values are close but {exact if comparison.inputs.all_exact else real}. {advice} "
        f"Is every term added? Is anything rounded, or replaced by an approximation?{_of_lab(trial)}{missing}"
    )


def _nearly_correct(comparison: Comparison) -> bool:
    """Whether the errors are those of an arithmetic with fewer bits: all tiny, or all small and in many elements."""
    rows, columns = np.nonzero(comparison.wrong & np.isfinite(comparison.got) & ~comparison.untouched)
    if not rows.size:
        return False
    rows, columns = rows[:: -(-rows.size // SAMPLE)], columns[:: -(-rows.size // SAMPLE)]
    want = comparison.want[rows, columns]
    off = np.abs(comparison.got[rows, columns] - want)
    a, b = comparison.inputs.A[rows].astype(np.float64), comparison.inputs.B[:, columns].T.astype(np.float64)
    terms = np.abs(a * b).sum(1)
    if not comparison.inputs.all_exact and (off <= TINY * terms).all():
        return True
    many = np.count_nonzero(comparison.wrong) > SPREAD * np.count_nonzero(comparison.looked & (comparison.want != 0))
    typical = float(np.sqrt(np.mean(want**2)))
    return bool(many and (off <= NEAR_TERMS * terms).all() and np.median(off) <= NEAR_VALUES * typical)


def _correct_elsewhere(comparison: Comparison, place: str) -> bool:
    """Whether elements elsewhere than in the last rows or columns are correct and prove something: zeros do not."""
    wrong, by_rows, by_columns = comparison.wrong, "row" in place, "column" in place
    correct = comparison.looked & ~wrong & (comparison.want != 0)
    if by_rows and not by_columns:
        correct = correct & ~wrong.any(1, keepdims=True)
    if by_columns and not by_rows:
        correct = correct & ~wrong.any(0, keepdims=True)
    return bool(correct.any())


def _by_place(trial: Trial, comparison: Comparison, mismatch: Mismatch) -> Iterator[str]:
    """What the place of the wrong elements says, of nothing but what the file has."""
    region, uses = mismatch.region, trial.uses
    if region.never_written:
        yield (
            "Some elements are never written, and others hold wrong values: compare the row and column of every store "
            "with those of its sum."
        )
    if (
        "last" in region.where
        and region.wrong <= MOSTLY * region.total
        and _correct_elsewhere(comparison, region.where)
    ):
        tile = " how the last tile, which is not full, is loaded and stored" if uses.shared_memory else " the bounds"
        reach = (
            " Do all threads of a block, also those outside of C, reach each __syncthreads()?" if uses.barriers else ""
        )
        yield EdgeHint(f"Only the edge is wrong: check{tile}.{reach}")
    first, tiles = f"C[{mismatch.first.row}][{mismatch.first.column}]", ""
    if uses.shared_memory:
        tiles = (
            " Is each element of a tile read at the index at which it was stored, with a __syncthreads() between both, "
            "and one before the next tile is stored?"
        )
    yield GeneralHint(f"Write down the terms that are added for {first}.{tiles}{_of_lab(trial)}{_of_module(trial)}")


def _of_module(trial: Trial) -> str:
    """Return what to ask of variables outside of functions."""
    question = (
        " Does a __device__ or __constant__ variable keep a value from an earlier launch, or lack one that only host "
        "code, which does not run here, would set?"
    )
    return question if trial.uses.module_variables else ""


def _of_lab(trial: Trial) -> str:
    """What the lab computes besides the sum."""
    alpha, beta = trial.interface.alpha, trial.interface.beta
    scaled = f" Is each sum multiplied by alpha = {alpha:g}, once?" if alpha != 1 else ""
    return scaled + (f" Is C from before the launch added, times beta = {beta:g}?" if beta else "")
