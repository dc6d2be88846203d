"""A learning platform's list of students, as it exports it: read, matched with results, and given back unchanged."""

from __future__ import annotations

import csv
import difflib
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.batch.results.folder_names import folder_name
from grader.errors import UsageError
from grader.text.clean import one_line

LONGEST_NAME = 120
HINT = "Export it again from the learning platform, as CSV in UTF-8."


@dataclass(frozen=True, slots=True)
class Roster:
    """A table: every row has as many cells as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    delimiter: str


def read(path: Path) -> Roster:
    """Read the CSV at `path`, separated by commas or semicolons. Raises UsageError for anything else."""
    try:
        return parse(path.read_bytes().decode("utf-8-sig"), path.name)
    except OSError as error:
        raise UsageError(f"{path}: the roster cannot be read: {error.strerror}.", "Check the path.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: the roster is not a text in UTF-8.", HINT) from error


def parse(text: str, name: str) -> Roster:
    """Build the table. Short rows are filled up with empty cells; a row longer than the header is refused."""
    first = text.partition("\n")[0]
    delimiter = ";" if first.count(";") > first.count(",") else ","
    try:
        rows = [
            tuple(row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True) if row
        ]
    except csv.Error as error:
        raise UsageError(f"{name}: the roster is not CSV: {error}.", HINT) from error
    if not rows:
        raise UsageError(f"{name}: the roster is empty.", HINT)
    width = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) > width:
            raise UsageError(f"{name}: row {number} has {len(row)} cells, and the header has {width}.", HINT)
    return Roster(rows[0], tuple(row + ("",) * (width - len(row)) for row in rows[1:]), delimiter)


def column(roster: Roster, name: str) -> int:
    """Where the column called `name` is. Raises UsageError that says which there are."""
    found = [index for index, title in enumerate(roster.header) if title.strip() == name.strip()]
    if len(found) != 1:
        what = "several columns" if found else "no column"
        raise UsageError(f"The roster has {what} called “{name}”.", nearest(name, roster.header))
    return found[0]


def nearest(name: str, known: Sequence[str]) -> str:
    """Return the hint that says what a name could have meant."""
    titles = [title for title in known if title.strip()]
    close = difflib.get_close_matches(name, titles, n=3, cutoff=0.5) or titles[:10]
    return f"There is: {', '.join(close)}." if close else "It has no named columns."


def rows_of(roster: Roster, columns: Sequence[int], students: Iterable[str]) -> dict[str, int]:
    """Return the row of each student of the results that the roster has, found by the first column that knows them.

    Raises UsageError where a result could be of two students, or two results are of one.
    """
    found: dict[str, int] = {}
    for student in students:
        hits = ([index for index, row in enumerate(roster.rows) if same(student, row[one])] for one in columns)
        mine = next((hit for hit in hits if hit), [])
        if len(mine) > 1:
            raise UsageError(f"{student} is {len(mine)} rows of the roster.", "Name another column with --match.")
        if mine and mine[0] in found.values():
            other = next(name for name, index in found.items() if index == mine[0])
            raise UsageError(f"{other} and {student} are one row of the roster.", "Keep one of the two results.")
        if mine:
            found[student] = mine[0]
    return found


def absent(roster: Roster, names: Sequence[int], students: Iterable[int], found: Iterable[int]) -> list[str]:
    """What the columns `names` call each of the rows `students` that is none of `found`."""
    known = set(found)
    missing = [index for index in students if index not in known]
    return [_called(roster.rows[index], names) or f"Row {index + 2} of the roster" for index in missing]


def _called(row: Sequence[str], names: Sequence[int]) -> str:
    return one_line(", ".join(row[one] for one in names if row[one].strip()), LONGEST_NAME)


def same(student: str, cell: str) -> bool:
    """Whether a folder of the results is that of the student whom a cell of the roster names.

    Folders of submissions that Canvas or Moodle zipped bear the platform's number beside the name.
    """
    number = re.fullmatch(r"(?:[^\d]* )?(\d+)", cell.strip())
    if number and number[1] in student.split("-")[1:]:
        return True
    return bool(cell.strip()) and folder_name(cell.strip()).casefold() == student.casefold()
