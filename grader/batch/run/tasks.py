"""Decide for each student of a class whether to keep, score again or grade, before any of it begins."""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.batch.intake.source_entry import Submission
from grader.batch.results import attempts, class_folder, student_folder
from grader.batch.results.reuse import Action, Fingerprint, Lab, Result, action, fingerprint, is_incomplete
from grader.model import Report
from grader.rubric.outcome import GradeOutcome


@dataclass(frozen=True, slots=True)
class Task:
    """The action for one student, and the folder for the result.

    `reusable` is the result to keep or to score again; `before` is the result that counts now. The file `returns` if it
    was graded before the one that counts now.
    """

    submission: Submission
    wanted: Fingerprint
    action: Action
    folder: Path
    reusable: Result | None
    before: Result | None
    is_preview: bool = False
    returns: bool = False

    @property
    def student(self) -> str:
        return self.submission.student

    @property
    def changes_rubric(self) -> bool:
        """Whether the result that counts now is one of another rubric."""
        return self.before is not None and self.before.fingerprint.rubric != self.wanted.rubric

    @property
    def report_that_counts(self) -> Report | None:
        """The report that counts until the task is done: one of the same file, or for a preview, of any file."""
        if self.before is None:
            return None
        same = _is_of(self.before.report, self.submission.content)
        return self.before.report if same or self.is_preview else None


def tasks(
    submissions: Sequence[Submission], lab: Lab, results: Path, *, retry: Collection[GradeOutcome] = (), apply: bool
) -> Iterator[Task]:
    """Yield a task for each student who submitted something. Results with an outcome in `retry` are graded again.

    Without `apply`, results of another rubric are not replaced: results of the new rubric go to preview folders.
    """
    for submission in submissions:
        if not submission.problem:
            yield _task(submission, fingerprint(lab, submission.content), results, retry=retry, apply=apply)


def _task(
    submission: Submission, wanted: Fingerprint, results: Path, *, retry: Collection[GradeOutcome], apply: bool
) -> Task:
    folder = class_folder.folder_of(submission.student, results)
    beside = class_folder.preview_of(submission.student, results)
    current, previewed = student_folder.read(folder), student_folder.read(beside)
    if previewed and is_incomplete(previewed.report):
        previewed = None  # it is graded again, and never applied
    if current is None or current.fingerprint.rubric == wanted.rubric:
        todo = action(wanted, current, retry=retry)
        is_other = current is not None and not _is_of(current.report, submission.content)
        returns = is_other and any(_is_of(each.report, submission.content) for each in attempts.kept(folder))
        return Task(submission, wanted, todo, folder, current, current, returns=returns)
    choices = [(action(wanted, result, retry=retry), result) for result in (previewed, current)]
    todo, reusable = next((choice for choice in choices if choice[0] is not Action.GRADE), choices[0])
    if not apply:
        return Task(submission, wanted, todo, beside, reusable, current, is_preview=True)
    return Task(submission, wanted, Action.SCORE if todo is Action.KEEP else todo, folder, reusable, current)


def _is_of(report: Report, content: bytes) -> bool:
    return report.source.sha256 == hashlib.sha256(content).hexdigest()
