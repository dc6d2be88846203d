"""Canvas: the gradebook's export in, and the same students out with one assignment (lib/gradebook_importer.rb).

Canvas finds an assignment by a heading `Title (number)`, and creates a new assignment for any other heading. So the
heading is the one in the export. Students without a grade, and excused ones, keep the cell of the export.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from grader.errors import UsageError
from grader.export.roster import NumberColumn, Roster, column, nearest, number
from grader.rubric.rounding import rounded
from grader.text import csv_cells
from grader.text.csv_cells import CsvTable

ASSIGNMENT = re.compile(r"(.*)\s\((\d+)\)")
POSSIBLE = "points possible"
EXCUSED = "EX"
NAMES = (("Student", "ID"), ("LastName", "FirstName", "ID"))  # how a gradebook begins
NUMBERS = "ID"  # Canvas's own number of a user, which is also in the file names of its zip files
ID_COLUMNS = (NUMBERS, "SIS User ID", "SIS Login ID")
# Canvas takes a heading that contains one of these for a total of its own, and drops it without notice.
DROPPED = re.compile(
    r"(Current|Unposted Current|Final|Unposted Final) (Score|Points|Grade)|Override (Score|Grade|Status)"
)


def heading(table: CsvTable, assignment: str) -> str:
    """Return the heading of the assignment with its number, from the export or as given.

    Raises UsageError for an assignment that the export does not have, or whose column Canvas would drop.
    """
    titles = [title for title in table.header[students_end(table) :] if ASSIGNMENT.fullmatch(title)]
    matching = [title for title in titles if assignment in {title, ASSIGNMENT.sub(r"\1", title)}]
    if not matching and ASSIGNMENT.fullmatch(assignment):
        matching = [assignment]
    if len(matching) != 1:
        number = "several assignments" if matching else "no assignment"
        hint = f"{nearest(assignment, titles)} Canvas would create a new assignment for any other heading."
        raise UsageError(f"The roster has {number} named “{assignment}”.", hint)
    if DROPPED.search(matching[0]):
        raise UsageError(f"Canvas drops a column named “{matching[0]}”.", "Rename the assignment in Canvas.")
    return matching[0]


def roster(table: CsvTable, assignment: str, match: str | None) -> Roster:
    """Return what is where in a gradebook; `assignment` is a heading.

    Students are found by the column `match`, or else by those with IDs, in the order in which Canvas itself uses them.
    """
    ids = [table.header.index(name) for name in ID_COLUMNS if name in table.header]
    has_number = NUMBERS in table.header and (not match or match == NUMBERS)
    grades = [place for place, title in enumerate(table.header) if title == assignment]
    return Roster(
        table,
        ids=[column(table, match)] if match else ids,
        names=[0] if _begins(table.header, NAMES[0]) else [0, 1],
        # Canvas adds rows of its own without a name
        students=[index for index, row in enumerate(table.rows) if row[0].strip() and not is_possible(row)],
        numbers=NumberColumn("canvas", table.header.index(NUMBERS), re.compile(r"(\d+)")) if has_number else None,
        possible=number(row[place] for row in table.rows if is_possible(row) for place in grades),
    )


def students_end(table: CsvTable) -> int:
    """Return the number of columns about the student. Raises UsageError if this is no gradebook of Canvas."""
    if not any(_begins(table.header, names) for names in NAMES) or "Section" not in table.header:
        sentence = "The roster is not a gradebook of Canvas: it must begin with the columns Student, ID or LastName, "
        hint = "In Canvas: Grades, Export, Export Entire Gradebook."
        raise UsageError(f"{sentence}FirstName, ID, and have a column Section.", hint)
    return column(table, "Section") + 1


def render(table: CsvTable, assignment: str, grades: Mapping[int, float], maximum: float) -> str:
    """Return the CSV for Canvas. `grades` are points by the row of the roster; `assignment` is a heading."""
    end = students_end(table)
    place = table.header.index(assignment) if assignment in table.header else None
    body = []
    for index, row in enumerate(table.rows):
        before = "" if place is None else row[place]
        if not is_possible(row):
            body.append((*row[:end], _cell(grades.get(index), before)))
    possible = next((row[:end] for row in table.rows if is_possible(row)), ("    Points Possible", *[""] * (end - 1)))
    lines = [(*table.header[:end], assignment), (*possible, f"{rounded(maximum):.2f}"), *body]
    return csv_cells.document(lines, table.delimiter)


def is_possible(row: Sequence[str]) -> bool:
    """Return whether this is the row of maximal points, and not a student."""
    return row[0].strip().casefold().startswith(POSSIBLE)


def _begins(header: Sequence[str], names: Sequence[str]) -> bool:
    return len(header) > len(names) and all(name in title for name, title in zip(names, header, strict=False))


def _cell(grade: float | None, before: str) -> str:
    return before if grade is None or before.strip().upper() == EXCUSED else f"{rounded(grade):.2f}"
