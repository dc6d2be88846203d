"""The files of a class in RESULTS, beside the students' folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.batch.class_junit import class_junit
from grader.batch.class_page import class_page
from grader.batch.gradebook import gradebook
from grader.batch.leaderboard import leaderboard
from grader.batch.pseudonyms import key_in, pseudonyms
from grader.batch.row import Row
from grader.report.files import write_text

KEY = ".leaderboard-key"
LINKED = ("report.html", "report.json")


def write_class(rows: Sequence[Row], folder: Path, junit_family: str = "xunit2") -> None:
    """Write gradebook.csv, junit.xml, index.html and leaderboard.html, each of them whole or not at all.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    students = [row.handin.student for row in rows]
    files = {one: [name for name in LINKED if (folder / one / name).is_file()] for one in students}
    write_text(folder / "gradebook.csv", gradebook(rows))
    write_text(folder / "junit.xml", class_junit(rows, junit_family))
    write_text(folder / "index.html", class_page(rows, files))
    write_text(folder / "leaderboard.html", leaderboard(rows, pseudonyms(students, key_in(folder / KEY))))
