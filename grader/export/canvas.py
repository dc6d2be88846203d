"""Canvas: the gradebook's export in, and the same students out with one assignment (lib/gradebook_importer.rb).

Canvas finds an assignment by a heading `Title (number)`, and a heading that it does not know makes a new assignment; so
the heading is the one that the export has. A student without a grade keeps the cell of the export, and so does one who
is excused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from grader.errors import UsageError
from grader.export.roster import Roster, column, nearest
from grader.text import csv_cells

ASSIGNMENT = re.compile(r"(.*)\s\((\d+)\)")
POSSIBLE = "points possible"
EXCUSED = "EX"
NAMES = (("Student", "ID"), ("LastName", "FirstName", "ID"))  # how a gradebook begins
ID_COLUMNS = ("ID", "SIS User ID", "SIS Login ID")
# A heading that holds one of these is taken for a total of Canvas's own and dropped without a word.
DROPPED = re.compile(
    r"(Current|Unposted Current|Final|Unposted Final) (Score|Points|Grade)|Override (Score|Grade|Status)"
)


def heading(roster: Roster, assignment: str) -> str:
    """Return the assignment's heading with its number, from the export or as it was given.

    Raises UsageError for one that the export does not have, and for one that Canvas would drop.
    """
    titles = [title for title in roster.header[students_end(roster) :] if ASSIGNMENT.fullmatch(title)]
    found = [title for title in titles if assignment in {title, ASSIGNMENT.sub(r"\1", title)}]
    if not found and ASSIGNMENT.fullmatch(assignment):
        found = [assignment]
    if len(found) != 1:
        what = "several assignments" if found else "no assignment"
        hint = f"{nearest(assignment, titles)} Canvas would make a new one of any other heading."
        raise UsageError(f"The roster has {what} called “{assignment}”.", hint)
    if DROPPED.search(found[0]):
        raise UsageError(f"Canvas drops a column called “{found[0]}”.", "Rename the assignment in Canvas.")
    return found[0]


def students_end(roster: Roster) -> int:
    """Where the columns about the student end. Raises UsageError for what is no gradebook of Canvas."""
    header = roster.header
    if not any(_begins(header, names) for names in NAMES) or "Section" not in header:
        hint = "In Canvas: Grades, Export, Export Entire Gradebook."
        begins = "it begins with Student, ID or LastName, FirstName, ID, and has a column Section"
        raise UsageError(f"The roster is no gradebook of Canvas: {begins}.", hint)
    return column(roster, "Section") + 1


def name_columns(roster: Roster) -> list[int]:
    """The columns that hold a student's name: two where an institution keeps last and first names apart."""
    return [0] if _begins(roster.header, NAMES[0]) else [0, 1]


def id_columns(roster: Roster) -> list[int]:
    """The columns that name a student, in the order in which Canvas itself looks at them."""
    return [roster.header.index(name) for name in ID_COLUMNS if name in roster.header]


def render(roster: Roster, assignment: str, grades: Mapping[int, float], maximum: float) -> str:
    """Return the CSV for Canvas. `grades` are points by the row of the roster; `assignment` is a heading."""
    end = students_end(roster)
    place = roster.header.index(assignment) if assignment in roster.header else None
    body = []
    for index, row in enumerate(roster.rows):
        before = "" if place is None else row[place]
        if not is_possible(row):
            body.append((*row[:end], _cell(grades.get(index), before)))
    possible = next((row[:end] for row in roster.rows if is_possible(row)), ("    Points Possible", *[""] * (end - 1)))
    table = [(*roster.header[:end], assignment), (*possible, f"{maximum:.2f}"), *body]
    return csv_cells.document(table, roster.delimiter)


def is_possible(row: Sequence[str]) -> bool:
    """Whether this is the row of maximal points, which is no student."""
    return row[0].strip().casefold().startswith(POSSIBLE)


def students(roster: Roster) -> list[int]:
    """The rows that are students. Canvas's own above them have no name, or are the maximal points."""
    return [index for index, row in enumerate(roster.rows) if row[0].strip() and not is_possible(row)]


def _begins(header: Sequence[str], names: Sequence[str]) -> bool:
    return len(header) > len(names) and all(name in title for name, title in zip(names, header, strict=False))


def _cell(grade: float | None, before: str) -> str:
    return before if grade is None or before.strip().upper() == EXCUSED else f"{grade:.2f}"
