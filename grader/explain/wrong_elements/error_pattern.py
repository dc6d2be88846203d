"""Describe where the wrong elements of a matrix lie, for a student. Pure."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from grader.comparison.compare import Comparison, Exact, Mask, parts
from grader.model import Element, Mismatch, Region

Lines = NDArray[np.intp]

NEARLY = 0.9  # share of the elements from which it is "nearly everywhere"
LEAST_LINES = 3  # in a pattern; two are a coincidence
LARGEST_BOX = 0.25  # share of the matrix; a larger rectangle tells a student nothing
ORDINALS = {2: "second", 3: "third", 4: "fourth"}


def mismatch(comparison: Comparison) -> Mismatch:
    """Describe the wrong elements: how many, where, the first in row order and the one with the largest error.

    The first is one that was written, if any was: its terms tell more than that another one is missing.
    """
    wrong = comparison.wrong
    written = wrong & ~comparison.untouched
    region = Region(
        where=_place(comparison),
        wrong=int(np.count_nonzero(wrong)),
        total=int(np.count_nonzero(comparison.looked)),
        never_written=int(np.count_nonzero(comparison.untouched & wrong)),
        not_a_number=int(np.count_nonzero(np.isnan(comparison.got) & wrong & ~comparison.untouched)),
        parts=parts(wrong),
    )
    first = (written if written.any() else wrong).argmax()
    return Mismatch(region, _element(comparison, first), _element(comparison, _off(comparison).argmax()))


def _off(comparison: Comparison) -> Exact:
    """The error of each wrong element, infinite for NaN; -1 for the others."""
    off = np.abs(comparison.got - comparison.want)
    np.copyto(off, np.inf, where=np.isnan(off))
    np.copyto(off, -1.0, where=~comparison.wrong)
    return off


def _place(comparison: Comparison) -> str:
    """Describe where the wrong elements lie, or that exactly those are wrong that should not be zero."""
    sums = comparison.looked & (comparison.want != 0)
    if np.array_equal(comparison.wrong, sums) and not np.array_equal(sums, comparison.looked):
        return "wherever C should not be zero"
    return where(comparison.wrong, comparison.looked)


def _element(comparison: Comparison, index: np.intp) -> Element:
    """The element with this index in row order."""
    row, column = divmod(int(index), comparison.want.shape[1])
    return Element(row, column, float(comparison.want[row, column]), float(comparison.got[row, column]))


def where(wrong: Mask, looked: Mask) -> str:
    """Describe where `wrong` elements lie, at least one, among those that were `looked` at."""
    if np.array_equal(wrong, looked):
        return "everywhere"
    descriptions = (describe(wrong, looked) for describe in _PATTERNS)
    return next(filter(None, descriptions), "scattered")


def _corner(wrong: Mask, _looked: Mask) -> str:
    """Only in the last rows, the last columns, or where both meet."""
    rows, columns = (_lasting(_lines(wrong, across), wrong.shape[1 - across]) for across in (1, 0))
    if rows and columns:
        return f"in the corner where {_last(rows, 'row')} and {_last(columns, 'column')} meet"
    if rows or columns:
        return f"in {_last(rows, 'row') if rows else _last(columns, 'column')}"
    return ""


def _two_edges(wrong: Mask, _looked: Mask) -> str:
    """Only in the last rows or the last columns, which together form an L."""
    rows = _lasting(np.flatnonzero(wrong[:, 0]), wrong.shape[0])
    columns = _lasting(np.flatnonzero(wrong[0, :]), wrong.shape[1])
    if rows and columns and not wrong[:-rows, :-columns].any():
        return f"in {_last(rows, 'row')} and {_last(columns, 'column')}"
    return ""


def _every(wrong: Mask, _looked: Mask) -> str:
    """Rows or columns at equal distances, up to the last possible one."""
    for across, name in enumerate(("column", "row")):
        numbers = _lines(wrong, across)
        steps = np.diff(numbers)
        regular = numbers.size >= LEAST_LINES and steps[0] > 1 and (steps == steps[0]).all()
        long = 2 * _lines(wrong, 1 - across).size > wrong.shape[across]
        if regular and long and numbers[-1] + steps[0] >= wrong.shape[1 - across]:
            return f"in every {_ordinal(int(steps[0]))} {name}, from {name} {numbers[0]} on"
    return ""


def _whole(wrong: Mask, looked: Mask) -> str:
    """Rows or columns that are wrong from end to end."""
    for across, name in enumerate(("column", "row")):
        numbers = _lines(wrong, across)
        if not np.array_equal(wrong.take(numbers, 1 - across), looked.take(numbers, 1 - across)):
            continue
        if numbers.size == wrong.shape[1 - across] - numbers[0]:
            return f"in all {name}s from {name} {numbers[0]} on"
        if numbers.size == numbers[-1] + 1 - numbers[0]:
            return f"in {range_of(name, numbers[0], numbers[-1])}"
        return f"in {numbers.size} whole {name}s"
    return ""


def _nearly(wrong: Mask, looked: Mask) -> str:
    return "nearly everywhere" if wrong.sum() > NEARLY * looked.sum() else ""


def _box(wrong: Mask, _looked: Mask) -> str:
    """Within a few rows, a few columns, or a rectangle that is a small part of the matrix."""
    rows, columns = _lines(wrong, 1), _lines(wrong, 0)
    height, width = int(rows[-1] - rows[0]) + 1, int(columns[-1] - columns[0]) + 1
    if height * width > LARGEST_BOX * wrong.size:
        return ""
    if width * 2 > wrong.shape[1]:
        return f"in {range_of('row', rows[0], rows[-1])}"
    if height * 2 > wrong.shape[0]:
        return f"in {range_of('column', columns[0], columns[-1])}"
    return f"in {range_of('row', rows[0], rows[-1])}, {range_of('column', columns[0], columns[-1])}"


# Tried in this order; the first that matches is used.
_PATTERNS: tuple[Callable[[Mask, Mask], str], ...] = (_every, _corner, _two_edges, _nearly, _whole, _box)


def _lines(wrong: Mask, across: int) -> Lines:
    """The numbers of the columns (across 0) or rows (across 1) that have wrong elements."""
    return np.flatnonzero(wrong.any(across))


def _lasting(numbers: Lines, count: int) -> int:
    """How many of `count` lines follow from the first of these numbers on.

    It is 0 if that is more than half of all, or if few of those that follow are among the numbers.
    """
    first = int(numbers[0]) if numbers.size else count
    last = count - first
    return last if count <= 2 * first and last <= 2 * numbers.size else 0


def _last(count: int, name: str) -> str:
    return f"the last {name}" if count == 1 else f"the last {count} {name}s"


def _ordinal(number: int) -> str:
    if number in ORDINALS:
        return ORDINALS[number]
    teens = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def range_of(name: str, first: int, last: int) -> str:
    """Return lines, rows or columns from the first to the last, with their name."""
    return f"{name} {first}" if first == last else f"{name}s {first} to {last}"
