"""Feedback for a class: a text file for each student, and a table for a program that sends form letters. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from grader.batch.present.student_summary import StudentResult
from grader.export import feedback, points
from grader.model import Report
from grader.rubric.rounding import shown
from grader.text.clean import one_line
from grader.text.csv_cells import LONGEST_CELL, document, free_text, neutral
from grader.text.numbers import moment

FOLDER, TABLE = "feedback", "mail-merge.csv"
HEADER = ("student", "name", "email", "late", "points", "maximum", "file", "feedback")


def layout(students: Iterable[StudentResult]) -> Mapping[PurePosixPath, str]:
    """Return the text of each file to write. Nothing that a student wrote is run by a spreadsheet."""
    everyone = sorted(students, key=lambda row: row.student)
    texts = {_path(row): text(row) for row in everyone}
    table = document([HEADER, *map(_cells, everyone)])
    return {**texts, PurePosixPath(TABLE): table}


def text(row: StudentResult) -> str:
    """Return the feedback: the explanation, or why there is nothing to grade."""
    if row.report is None:
        return f"{row.submission.problem} Submit one .cu file.\n"
    title = one_line(row.report.rubric.title, LONGEST_CELL)
    graded = f"{one_line(row.report.source.name, LONGEST_CELL)}, graded {moment(row.report.started)}: {row.words}."
    measured = points.measured(row.report)
    criteria = "".join(f"{each.title}: {shown(each.earned)} of {shown(each.points)}\n" for each in measured)
    return f"{title}\n{graded}\n\n{criteria}\n{feedback.bounded_explanation(row.report)}\n"


def _path(row: StudentResult) -> PurePosixPath:
    return PurePosixPath(FOLDER, f"{row.student}.txt")


def _cells(row: StudentResult) -> tuple[str, ...]:
    who = row.submission
    free = map(free_text, (who.student, who.name, who.email, who.late))
    return (*free, *_points(row.report), str(_path(row)), neutral(text(row)))


def _points(report: Report | None) -> Iterator[str]:
    """Yield the points and the maximum; both are empty without a grade."""
    graded = report if report is not None and not points.why_no_grade(report) else None
    yield shown(points.earned(graded)) if graded else ""
    yield shown(points.maximum(graded)) if graded else ""
