"""The files of a class in RESULTS, beside the students' folders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.batch.intake.submission import Submission
from grader.batch.present.class_junit import class_junit
from grader.batch.present.gradebook import gradebook, people
from grader.batch.present.leaderboard import leaderboard
from grader.batch.present.pseudonyms import key_in, pseudonyms
from grader.batch.present.student_result import StudentResult
from grader.batch.results import store
from grader.batch.run.engine import FinishedTask
from grader.batch.run.tasks import Task
from grader.host.atomic_write import write_text

GRADEBOOK = "gradebook.csv"
KEY = ".leaderboard-key"
LINKED = ("report.html", "report.json")


@dataclass(frozen=True, slots=True)
class Class:
    """Whom the sources name and what is to be done for them, and the students of `earlier` runs, who stay."""

    submissions: Sequence[Submission]
    tasks: Sequence[Task]
    earlier: Sequence[StudentResult]
    folder: Path
    junit_family: str

    def rows(self, done: Sequence[FinishedTask]) -> list[StudentResult]:
        """Whom the sources name, as their results stand once so much is done: a preview is none of them."""
        reports = {one.submission.student: one.counts for one in self.tasks}
        reports |= {one.task.submission.student: one.counts for one in done}
        return [
            StudentResult(replace(one, content=b""), reports.get(one.student), one.problem) for one in self.submissions
        ]

    def write(self, done: Sequence[FinishedTask]) -> None:
        """Write the files of the class as it is once so much is done.

        Raises InfrastructureError when the disk is full or the folder cannot be written.
        """
        everyone = sorted([*self.rows(done), *self.earlier], key=lambda row: row.submission.student)
        write_class(everyone, self.folder, self.junit_family)


def open_class(submissions: Sequence[Submission], tasks: Sequence[Task], folder: Path, junit_family: str) -> Class:
    """Return the class before anything is done, with every junit.xml that is kept in the family of the class's.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    found = Class(submissions, tasks, earlier(submissions, folder), folder, junit_family)
    for row in [*found.rows([]), *found.earlier]:
        if row.report is not None:
            store.write_dialect(row.report, folder / row.submission.student, junit_family)
    return found


def earlier(submissions: Sequence[Submission], folder: Path) -> list[StudentResult]:
    """The students of earlier runs whom `submissions` lack, as what is in `folder` stands."""
    here = {one.student for one in submissions}
    known = people(_gradebook_in(folder))
    others = [student for student in store.students(folder) if student not in here]
    rows = [_found(known.get(student, Submission(student)), folder / student) for student in others]
    return [row for row in rows if row is not None]


def _found(submission: Submission, folder: Path) -> StudentResult | None:
    """What an earlier run left of a student: a finished result, or the reason why there is none."""
    if found := store.read(folder):
        return StudentResult(submission, found.report)
    reason = store.read_reason(folder)
    return StudentResult(replace(submission, problem=reason), None, reason) if reason else None


def _gradebook_in(folder: Path) -> str:
    try:
        return (folder / GRADEBOOK).read_bytes().decode("utf-8-sig")
    except (OSError, ValueError):  # none was written yet, or a spreadsheet saved another kind of text
        return ""


def write_class(rows: Sequence[StudentResult], folder: Path, junit_family: str = "xunit2") -> None:
    """Write gradebook.csv, junit.xml, index.html and leaderboard.html, each of them whole or not at all.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    from grader.batch.present.class_page import class_page  # draws, with a library that takes a second to import

    students = [row.submission.student for row in rows]
    links = {row.submission.student: _links(folder / row.submission.student) for row in rows if row.report}
    write_text(folder / GRADEBOOK, gradebook(rows))
    write_text(folder / "junit.xml", class_junit(rows, junit_family))
    write_text(folder / "index.html", class_page(rows, links))
    write_text(folder / "leaderboard.html", leaderboard(rows, pseudonyms(students, key_in(folder / KEY))))


def _links(folder: Path) -> list[str]:
    return [name for name in LINKED if (folder / name).is_file()]
