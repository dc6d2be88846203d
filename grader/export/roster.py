"""The list of students that a learning platform exports: find the students of the results in it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.batch.results.folder_names import folder_name
from grader.errors import UsageError
from grader.text import csv_cells
from grader.text.clean import one_line
from grader.text.csv_cells import CsvTable

LONGEST_NAME = 120
HINT = "Export the roster again from the learning platform, as CSV in UTF-8."


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
    found = [index for index, title in enumerate(roster.header) if title.strip() == name.strip()]
    if len(found) != 1:
        number = "several columns" if found else "no column"
        raise UsageError(f"The roster has {number} named “{name}”.", nearest(name, roster.header))
    return found[0]


def nearest(name: str, known: Sequence[str]) -> str:
    """Return the hint that lists the names most similar to `name`."""
    titles = [title for title in known if title.strip()]
    close = difflib.get_close_matches(name, titles, n=3, cutoff=0.5) or titles[:10]
    return f"It has: {', '.join(close)}." if close else "Its columns have no names."


def rows_of(roster: CsvTable, columns: Sequence[int], students: Iterable[str]) -> dict[str, int]:
    """Return the row of each student who is in the roster; the first of `columns` that contains the student decides.

    Raises UsageError if a student matches several rows, or several students match one row.
    """
    found: dict[str, int] = {}
    for student in students:
        matches = ([index for index, row in enumerate(roster.rows) if same(student, row[one])] for one in columns)
        rows = next((match for match in matches if match), [])
        if len(rows) > 1:
            raise UsageError(f"{student} matches {len(rows)} rows of the roster.", "Name another column with --match.")
        if rows and rows[0] in found.values():
            other = next(name for name, index in found.items() if index == rows[0])
            raise UsageError(
                f"{other} and {student} match the same row of the roster.", "Keep only one of the two results."
            )
        if rows:
            found[student] = rows[0]
    return found


def absent(roster: CsvTable, names: Sequence[int], students: Iterable[int], found: Iterable[int]) -> list[str]:
    """Return the names of the `students` (rows) that are not `found` (rows); `names` are the columns of the name."""
    known = set(found)
    missing = [index for index in students if index not in known]
    return [_name(roster.rows[index], names) or f"Row {index + 2} of the roster" for index in missing]


def same(student: str, cell: str) -> bool:
    """Return whether `student`, a folder of the results, is the student whom a cell of the roster identifies.

    Folders from zip files of Canvas or Moodle contain the platform's number beside the name.
    """
    number = re.fullmatch(r"(?:[^\d]* )?(\d+)", cell.strip())
    if number and number[1] in student.split("-")[1:]:
        return True
    return bool(cell.strip()) and folder_name(cell.strip()).casefold() == student.casefold()


def _name(row: Sequence[str], names: Sequence[int]) -> str:
    return one_line(", ".join(row[index] for index in names if row[index].strip()), LONGEST_NAME)
