"""The files of a class in RESULTS, beside the students' folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.batch import store
from grader.batch.class_junit import class_junit
from grader.batch.class_page import class_page
from grader.batch.gradebook import gradebook, people
from grader.batch.handin import Handin
from grader.batch.leaderboard import leaderboard
from grader.batch.pseudonyms import key_in, pseudonyms
from grader.batch.row import Row
from grader.report.files import write_text

GRADEBOOK = "gradebook.csv"
KEY = ".leaderboard-key"
LINKED = ("report.html", "report.json")


def earlier(rows: Sequence[Row], folder: Path) -> list[Row]:
    """The students of earlier runs whom `rows` lack, as their finished results in `folder` stand."""
    here = {row.handin.student for row in rows}
    known = people(_gradebook_in(folder))
    kept = ((student, found) for student, found in store.finished(folder) if student not in here)
    return [Row(known.get(student, Handin(student)), found.report) for student, found in kept]


def _gradebook_in(folder: Path) -> str:
    try:
        return (folder / GRADEBOOK).read_bytes().decode("utf-8-sig")
    except (OSError, ValueError):  # none was written yet, or a spreadsheet saved another kind of text
        return ""


def write_class(rows: Sequence[Row], folder: Path, junit_family: str = "xunit2") -> None:
    """Write gradebook.csv, junit.xml, index.html and leaderboard.html, each of them whole or not at all.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    students = [row.handin.student for row in rows]
    files = {one: [name for name in LINKED if (folder / one / name).is_file()] for one in students}
    write_text(folder / GRADEBOOK, gradebook(rows))
    write_text(folder / "junit.xml", class_junit(rows, junit_family))
    write_text(folder / "index.html", class_page(rows, files))
    write_text(folder / "leaderboard.html", leaderboard(rows, pseudonyms(students, key_in(folder / KEY))))
