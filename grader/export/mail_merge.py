"""Feedback for a class: a text file for each student, and a table for a program that sends form letters. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from grader.export import feedback, points
from grader.model import Report
from grader.rubric.rounding import shown
from grader.text.clean import one_line
from grader.text.csv_cells import document, neutral

FOLDER, TABLE = "feedback", "mail-merge.csv"
HEADER = ("student", "name", "email", "late", "points", "maximum", "file", "feedback")
LONGEST_CELL = 500


@dataclass(frozen=True, slots=True)
class Recipient:
    """A student of the class. `problem` says why there is nothing to grade; then there is no `report`."""

    student: str
    name: str = ""
    email: str = ""
    late: bool = False
    report: Report | None = None
    problem: str = ""


def layout(recipients: Iterable[Recipient]) -> Mapping[PurePosixPath, str]:
    """Return the text of each file to write. Nothing that a student wrote is run by a spreadsheet."""
    everyone = sorted(recipients, key=lambda recipient: recipient.student)
    texts = {_path(recipient): text(recipient) for recipient in everyone}
    table = document([HEADER, *map(_cells, everyone)])
    return {**texts, PurePosixPath(TABLE): table}


def text(recipient: Recipient) -> str:
    """Return the feedback: the explanation, or why there is nothing to grade."""
    if recipient.report is None:
        return f"{recipient.problem} Submit one .cu file.\n"
    title = one_line(recipient.report.rubric.title, LONGEST_CELL)
    graded = f"{one_line(recipient.report.source.name, LONGEST_CELL)}, graded {recipient.report.started}"
    return f"{title}\n{graded}\n\n{feedback.bounded_explanation(recipient.report)}\n"


def _path(recipient: Recipient) -> PurePosixPath:
    return PurePosixPath(FOLDER, f"{recipient.student}.txt")


def _cells(recipient: Recipient) -> tuple[str, ...]:
    free = map(_free, (recipient.student, recipient.name, recipient.email))
    late = "yes" if recipient.late else "no"
    return (*free, late, *_points(recipient.report), str(_path(recipient)), neutral(text(recipient)))


def _points(report: Report | None) -> Iterator[str]:
    """Yield the points and the maximum; both are empty without a grade."""
    graded = report if report is not None and not points.why_no_grade(report) else None
    yield shown(points.earned(graded)) if graded else ""
    yield shown(points.maximum(graded)) if graded else ""


def _free(words: str) -> str:
    return neutral(one_line(words, LONGEST_CELL))
