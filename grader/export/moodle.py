"""Moodle: a list of participants in, and the same columns out with a grade and feedback (grade/import/csv).

Moodle asks which column is which, so any headings will do. One bad cell aborts the whole import, and an empty grade may
delete an old one; so students without a grade are not in the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from grader.export.roster import NumberColumn, number
from grader.rubric.rounding import rounded
from grader.text import csv_cells
from grader.text.csv_cells import CsvTable

FEEDBACK = "Feedback"
LONGEST_FEEDBACK = 10_000
LARGEST_GRADE = 100
MAXIMUM = "maximum grade"
# "Participant 123" in the language of the site; "student12" is no identifier but a name that ends in a number.
IDENTIFIER = re.compile(r"[^\d]*[^\d\s](?:\s+|(?<=[^\x00-\x7f]))(\d+)")
NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")


def number_column(match: int) -> NumberColumn:
    """Return the column of Moodle's identifiers, which contain the number that is in the names of its files."""
    return NumberColumn("moodle", match, IDENTIFIER)


def possible(roster: CsvTable) -> float | None:
    """Return the maximum that the roster states, as Moodle's grading worksheets do; None if it does not."""
    places = [place for place, title in enumerate(roster.header) if title.strip().casefold() == MAXIMUM]
    return number(row[place] for row in roster.rows for place in places)


def render(roster: CsvTable, match: int, title: str, grades: Mapping[int, tuple[float, str]]) -> str:
    """Return the CSV for Moodle. `grades` are points and feedback by the row of the roster.

    Numbers and the column `match`, by which Moodle finds students, are unchanged; other text cannot be run by a
    spreadsheet.
    """
    header = (*roster.header, csv_cells.neutral(title), FEEDBACK)
    body = []
    for index, (points, feedback) in grades.items():
        cells = (
            cell if place == match or NUMBER.fullmatch(cell) else csv_cells.neutral(cell)
            for place, cell in enumerate(roster.rows[index])
        )
        body.append((*cells, f"{rounded(points):.2f}", csv_cells.neutral(feedback)))
    return csv_cells.document([header, *body], roster.delimiter)
