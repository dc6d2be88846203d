"""Moodle: a list of participants in, and the same columns out with a grade and feedback (grade/import/csv).

Moodle asks which heading is which, so all are free. One bad cell aborts its whole import, and an empty grade may wipe
an old one; so a student without a grade is not in the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from grader.export.roster import Roster
from grader.text import csv_cells

FEEDBACK = "Feedback"
LONGEST_FEEDBACK = 10_000
LARGEST_GRADE = 100
NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")


def render(roster: Roster, match: int, title: str, grades: Mapping[int, tuple[float, str]]) -> str:
    """Return the CSV for Moodle. `grades` are points and feedback by the row of the roster.

    The column that students are found by, and numbers, are as they were; other text cannot be run by a spreadsheet.
    """
    header = (*roster.header, csv_cells.neutral(title), FEEDBACK)
    body = []
    for index, (points, feedback) in grades.items():
        cells = (cell if place == match else _free(cell) for place, cell in enumerate(roster.rows[index]))
        body.append((*cells, f"{points:.2f}", csv_cells.neutral(feedback)))
    return csv_cells.document([header, *body], roster.delimiter)


def _free(cell: str) -> str:
    return cell if NUMBER.fullmatch(cell) else csv_cells.neutral(cell)
