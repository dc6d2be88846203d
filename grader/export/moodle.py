"""Moodle: a list of participants or a grading worksheet in, and the same columns out with a grade and feedback.

The gradebook's import (grade/import/csv) asks which column is which. The upload of a worksheet
(mod/assign/feedback/offline) finds its columns by their headings. One bad cell aborts a whole import, and an empty
grade may delete an old one; so students without a grade are not in the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import zip_longest

from grader.export.roster import NumberColumn, number
from grader.rubric.rounding import rounded
from grader.text import csv_cells
from grader.text.csv_cells import CsvTable

GRADE, FEEDBACK = "Grade", "Feedback comments"  # of a worksheet
LONGEST_FEEDBACK = 10_000
LARGEST_GRADE = 100
MAXIMUM = "maximum grade"
# "Participant 123" in the language of the site; "student12" is no identifier but a name that ends in a number.
IDENTIFIER = re.compile(r"[^\d]*[^\d\s](?:\s+|(?<=[^\x00-\x7f]))(\d+)")
NUMBER_OR_NONE = re.compile(r"[+-]?\d+([.,]\d+)?|-")


def number_column(match: int) -> NumberColumn:
    """Return the column of Moodle's identifiers, which contain the number that is in the names of its files."""
    return NumberColumn("moodle", match, IDENTIFIER)


def possible(roster: CsvTable) -> float | None:
    """Return the maximum that the roster states, as Moodle's grading worksheets do; None if it does not."""
    places = [place for place, title in enumerate(roster.header) if title.strip().casefold() == MAXIMUM]
    return number(row[place] for row in roster.rows for place in places)


def render(roster: CsvTable, match: int, title: str, grades: Mapping[int, tuple[float, str]]) -> str:
    """Return the CSV for Moodle. `grades` are points and feedback by the row of the roster.

    They fill the columns with the headings `title` and `FEEDBACK`, which come last if the roster has none. Numbers and
    the column `match`, by which Moodle finds students, are unchanged; other text cannot be run by a spreadsheet.
    """
    added = [heading for heading in (title, FEEDBACK) if heading not in roster.header]
    header = (*roster.header, *map(csv_cells.neutral, added))
    titles = (*roster.header, *added)
    body = []
    for index, (points, feedback) in grades.items():
        filled = {title: f"{rounded(points):.2f}", FEEDBACK: csv_cells.neutral(feedback)}
        cells = (_kept(cell, place == match) for place, cell in enumerate(roster.rows[index]))
        body.append([filled.get(heading, cell) for heading, cell in zip_longest(titles, cells, fillvalue="")])
    return csv_cells.document([header, *body], roster.delimiter)


def _kept(cell: str, is_match: bool) -> str:
    return cell if is_match or NUMBER_OR_NONE.fullmatch(cell) else csv_cells.neutral(cell)
