"""Numbers that are equal for rows that are equal in several columns, and the distinct ones of many numbers."""

from __future__ import annotations

import numpy as np

from grader.ptxsim.checked.accesses import Integers

WIDE = 1 << 16  # range of a column's values above which they are replaced by ranks, which takes a sort
LARGEST = 1 << 62


def numbered(*columns: Integers) -> Integers:
    """Return a number for each row; rows that are equal in all columns have equal numbers."""
    number, count = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        values, distinct = _narrowed(column)
        if count * distinct > LARGEST:
            number, count = _ranked(number)
        number = number * distinct + values
        count *= distinct
    return number


def _narrowed(column: Integers) -> tuple[Integers, int]:
    """Return the column shifted to start at 0, or as ranks if its range is wide, and a bound of its values."""
    if not len(column) or int(np.ptp(column)) >= WIDE:
        return _ranked(column)
    values = column - column.min()
    return values, int(values.max()) + 1


def _ranked(column: Integers) -> tuple[Integers, int]:
    distinct, ranks = np.unique(column, return_inverse=True)
    return ranks, max(1, len(distinct))


def distinct(numbers: Integers) -> Integers:
    """Return the distinct numbers in increasing order. NumPy's `unique`, which hashes, takes ten times as long."""
    ordered = np.sort(numbers)
    return np.asarray(ordered[np.diff(ordered, prepend=ordered[:1] - 1) != 0])
