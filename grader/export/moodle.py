"""Moodle: a list of participants or a grading worksheet in, and the same columns out with a grade and feedback.

The gradebook's import (grade/import/csv) asks which column is which. The upload of a worksheet
(mod/assign/feedback/offline) finds its columns by their headings. One bad cell aborts a whole import, and an empty
grade may delete an old one; so students without a grade are not in the file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import zip_longest

from grader.export.roster import NumberColumn, Roster, column, number
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


def roster(table: CsvTable, match: str | None) -> Roster:
    """Return what is where; students are found by the column `match`, or else by the first one.

    Moodle's identifiers in it contain the number that is in the names of its files. A grading worksheet states a
    maximum.
    """
    id_column = column(table, match or table.header[0])
    maxima = [place for place, title in enumerate(table.header) if title.strip().casefold() == MAXIMUM]
    return Roster(
        table,
        ids=[id_column],
        names=range(len(table.header))[:3],
        students=range(len(table.rows)),
        numbers=NumberColumn("moodle", id_column, IDENTIFIER),
        possible=number(row[place] for row in table.rows for place in maxima),
    )


def render(table: CsvTable, match: int, title: str, grades: Mapping[int, tuple[float, str]]) -> str:
    """Return the CSV for Moodle. `grades` are points and feedback by the row of the table.

    They fill the columns with the headings `title` and `FEEDBACK`, which come last if the roster has none. Numbers and
    the column `match`, by which Moodle finds students, are unchanged; other text cannot be run by a spreadsheet.
    """
    added = [heading for heading in (title, FEEDBACK) if heading not in table.header]
    header = (*table.header, *map(csv_cells.neutral, added))
    titles = (*table.header, *added)
    body = []
    for index, (points, feedback) in grades.items():
        filled = {title: f"{rounded(points):.2f}", FEEDBACK: csv_cells.neutral(feedback)}
        cells = (_kept(cell, place == match) for place, cell in enumerate(table.rows[index]))
        body.append([filled.get(heading, cell) for heading, cell in zip_longest(titles, cells, fillvalue="")])
    return csv_cells.document([header, *body], table.delimiter)


def _kept(cell: str, is_match: bool) -> str:
    return cell if is_match or NUMBER_OR_NONE.fullmatch(cell) else csv_cells.neutral(cell)
