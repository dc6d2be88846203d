"""The list of students that a learning platform exports: find the students of the results in it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.batch.results.names import Identity, folder_name
from grader.errors import UsageError
from grader.text import csv_cells
from grader.text.clean import one_line
from grader.text.csv_cells import CsvTable

LONGEST_NAME = 120
NUMBER = re.compile(r"\d+([.,]\d+)?")
HINT = "Export the roster again from the learning platform, as CSV in UTF-8."


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """The column with the platform's own numbers; group 1 of `pattern` is the number in a cell."""

    platform: str
    column: int
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Roster:
    """The table of a platform, and what is where in it.

    `ids` are the columns that may contain the names of students' folders, `names` those of a student's own name, and
    `students` the rows of students. `possible` is the maximum that the table states for the points, if it does.
    """

    table: CsvTable
    ids: Sequence[int]
    names: Sequence[int]
    students: Sequence[int]
    numbers: NumberColumn | None
    possible: float | None


@dataclass(frozen=True, slots=True)
class Match:
    """A row of the roster. `by` is the number that matched; empty if the name did."""

    row: int
    by: str = ""


def read(path: Path) -> CsvTable:
    """Read the roster. Raises UsageError for what is not CSV, and for rows that are longer than the header."""
    return checked(csv_cells.read(path), path.name)


def checked(roster: CsvTable, name: str) -> CsvTable:
    """Return the roster. Raises UsageError if a row is longer than the header."""
    width = len(roster.header)
    for number, row in enumerate(roster.rows, 2):
        if len(row) > width:
            raise UsageError(f"{name}: row {number} has {len(row)} cells, and the header has {width}.", HINT)
    return roster


def column(roster: CsvTable, name: str) -> int:
    """Return the index of the column `name`. Raises UsageError that names similar columns."""
    same_name = name.strip().casefold()
    matching = [index for index, title in enumerate(roster.header) if title.strip().casefold() == same_name]
    if len(matching) != 1:
        number = "several columns" if matching else "no column"
        raise UsageError(f"The roster has {number} named “{name}”.", nearest(name, roster.header))
    return matching[0]


def nearest(name: str, known: Sequence[str]) -> str:
    """Return the hint that lists the names most similar to `name`."""
    titles = [title for title in known if title.strip()]
    if close := difflib.get_close_matches(name, titles, n=3, cutoff=0.5):
        return f"Similar: {', '.join(close)}."
    return f"It has: {', '.join(titles[:10])}." if titles else "Its columns have no names."


def rows_of(roster: Roster, students: Mapping[str, Identity]) -> dict[str, Match]:
    """Return the row of each student (by folder) who is in the roster, by the student's name or the platform's number.

    Raises UsageError if a student matches several rows, or several students match one row.
    """
    matches: dict[str, Match] = {}
    for folder, identity in students.items():
        cells = (tuple(row[column] for column in roster.ids) for row in roster.table.rows)
        by_name = {index for index, names in enumerate(cells) if any(same(identity.name, name) for name in names)}
        rows = by_name | _rows_by_number(roster.table, identity, roster.numbers)
        if len(rows) > 1:
            raise UsageError(f"{folder} matches {len(rows)} rows of the roster.", "Name another column with --match.")
        for row in rows:
            other = next((name for name, match in matches.items() if match.row == row), None)
            if other is not None:
                sentence = f"{other} and {folder} match the same row of the roster."
                raise UsageError(sentence, "Keep only one of the two results.")
            is_named = any(same(identity.name, cell) for cell in roster.table.rows[row])
            by = "" if is_named else f"{identity.platform.title()}'s number {identity.number}"
            matches[folder] = Match(row, by)
    return matches


def _rows_by_number(roster: CsvTable, identity: Identity, numbers: NumberColumn | None) -> set[int]:
    if numbers is None or not identity.number or identity.platform != numbers.platform:
        return set()
    cells = ((index, numbers.pattern.fullmatch(row[numbers.column].strip())) for index, row in enumerate(roster.rows))
    return {index for index, cell in cells if cell and cell[1] == identity.number}


def absent(roster: Roster, matched: Collection[int]) -> list[str]:
    """Return the names of the students whose rows are not `matched`."""
    missing = [index for index in roster.students if index not in matched]
    return [_name(roster.table.rows[index], roster.names) or f"Row {index + 2} of the roster" for index in missing]


def number(cells: Iterable[str]) -> float | None:
    """Return the number that all these cells contain, with a decimal point or comma; None for any other cells."""
    numbers = {float(cell.replace(",", ".")) if NUMBER.fullmatch(cell) else None for cell in map(str.strip, cells)}
    return numbers.pop() if len(numbers) == 1 else None


def same(name: str, cell: str) -> bool:
    """Return whether a cell of the roster contains the student's name, as far as names of folders show."""
    return bool(cell.strip()) and folder_name(cell.strip()).casefold() == folder_name(name).casefold()


def words(roster: CsvTable, row: int) -> str:
    """Return the beginning of a row, to show which student was matched."""
    return _name(roster.rows[row], range(min(3, len(roster.header))))


def _name(row: Sequence[str], names: Sequence[int]) -> str:
    return one_line(", ".join(row[index] for index in names if row[index].strip()), LONGEST_NAME)
