"""All texts that the grader makes of one report: exports, reports, the terminal, and the files of a class."""

import io
from collections.abc import Sequence

from rich.console import Console

from grader.batch.intake.source_entry import Submission
from grader.batch.present.class_files import class_junit
from grader.batch.present.class_page import class_page
from grader.batch.present.gradebook import gradebook
from grader.batch.present.leaderboard import leaderboard
from grader.batch.present.student_summary import StudentResult
from grader.cli import terminal
from grader.model import Report
from grader.report import junit
from grader.report.all_formats import rendered
from tests.export.golden_files import RENDER


def for_students(report: Report, content: bytes = b"a kernel") -> dict[str, str]:
    """What students see of their own report about the file with this `content`, by format."""
    return {
        **{name: render(report) for name, render in RENDER.items()},
        **rendered(report, content),
        "junit.xml of CI": rendered(report, b"", junit.Dialect("ci"))["junit.xml"],
        "grade run": printed(terminal.summary(report)),
        "grade check": printed(terminal.verdict_only(report)),
    }


def for_instructors(report: Report) -> dict[str, str]:
    """The files of a class of one student."""
    return for_class([StudentResult(Submission("ada"), report)])


def for_class(rows: Sequence[StudentResult]) -> dict[str, str]:
    """The files of a class."""
    return {
        "index.html": class_page(rows),
        "gradebook.csv": gradebook(rows),
        "junit.xml of the class": class_junit(rows),
        "leaderboard.html": leaderboard(rows, {row.submission.student: "Koala" for row in rows}),
    }


def printed(shown: object) -> str:
    """What a wide terminal shows."""
    console = Console(file=io.StringIO(), width=500)
    console.print(shown)
    file = console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()
