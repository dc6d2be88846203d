"""The files of a class: gradebook, JUnit report, page and leaderboard."""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from grader.batch.intake.source_entry import Submission
from grader.batch.present.gradebook import gradebook, people, with_report
from grader.batch.present.leaderboard import leaderboard, pseudonyms
from grader.batch.present.student_summary import StudentResult
from grader.batch.results import attempts, class_folder, names, student_folder
from grader.batch.results.class_folder import folder_of
from grader.batch.results.names import GRADEBOOK, INDEX, JUNIT, LEADERBOARD
from grader.batch.run import engine
from grader.batch.run.engine import FinishedTask
from grader.batch.run.tasks import Task
from grader.report import junit
from grader.report.all_formats import write_all
from grader.report.junit import STRICT, Dialect
from grader.rubric.visible import for_students


@dataclass(frozen=True, slots=True)
class ClassResults:
    """The submissions and tasks of this run, and the `earlier` results of students who are not in this run."""

    submissions: Sequence[Submission]
    tasks: Sequence[Task]
    earlier: Sequence[StudentResult]
    folder: Path
    dialect: Dialect = STRICT
    lost: Sequence[str] = ()  # students with a result in the gradebook that the folder no longer has

    def rows(self, done: Sequence[FinishedTask]) -> list[StudentResult]:
        """Return the results of this run's students after the tasks `done`; previews do not count."""
        reports = {task.student: task.report_that_counts for task in self.tasks}
        reports |= {each.student: each.result_that_counts.report for each in done}
        return [
            StudentResult(replace(submission, content=b""), reports.get(submission.student))
            for submission in self.submissions
        ]

    def repair(self, done: Sequence[FinishedTask]) -> Iterator[str]:
        """Write results of this run again that were damaged, or omit sizes that are no longer hidden.

        Yield whose results were lost or written again, in sentences.
        """
        graded, mine = {task.student for task in done}, {task.student for task in self.tasks}
        found = {
            "Deleted or damaged, and written again: {}.": self._write_again(
                done, lambda folder: not student_folder.is_whole(folder)
            ),
            "Deleted or damaged, and graded again: {}.": [student for student in self.lost if student in graded],
            "Deleted or damaged, and not part of this run: {}. They are no longer in the gradebook.": [
                student for student in self.lost if student not in mine
            ],
            "Hidden sizes are shown now to: {}.": self._write_again(done, student_folder.lacks_visible_sizes),
        }
        yield from (sentence.format(", ".join(students)) for sentence, students in found.items() if students)

    def _write_again(self, done: Sequence[FinishedTask], is_needed: Callable[[Path], bool]) -> list[str]:
        ordered = sorted(done, key=lambda each: each.student)
        needed = [each for each in ordered if not each.task.is_preview and is_needed(each.task.folder)]
        for each in needed:
            engine.write(each.result_that_counts, each.task, self.dialect)
        return [each.student for each in needed]

    def write(self, done: Sequence[FinishedTask]) -> None:
        """Write the files of the class after the tasks `done`.

        Raises InfrastructureError when the disk is full or the folder cannot be written.
        """
        everyone = sorted([*self.rows(done), *self.earlier], key=lambda row: row.student)
        write_class(everyone, self.folder, self.dialect)


def open_class(
    submissions: Sequence[Submission], tasks: Sequence[Task], folder: Path, dialect: Dialect = STRICT
) -> ClassResults:
    """Return the class before the first task.

    Records the identities of the students, and rewrites junit.xml files that are in another dialect.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    names.record({submission.student: submission.identity for submission in submissions if submission.identity}, folder)
    lost = _lost(submissions, folder)
    results = ClassResults(submissions, tasks, earlier_results(submissions, folder), folder, dialect, lost)
    for row in [*results.rows([]), *results.earlier]:
        if row.report is not None:
            student_folder.write_dialect(row.report, folder_of(row.student, folder), dialect)
    return results


def _lost(submissions: Sequence[Submission], folder: Path) -> list[str]:
    refused = {submission.student for submission in submissions if submission.problem}
    stated = with_report(class_folder.read_gradebook(folder))
    return [who for who in stated if who not in refused and student_folder.read(folder_of(who, folder)) is None]


def earlier_results(submissions: Sequence[Submission], folder: Path) -> list[StudentResult]:
    """Return the results in `folder` of students who are not in `submissions`."""
    here = {submission.student for submission in submissions}
    known = people(class_folder.read_gradebook(folder))
    others = [student for student in class_folder.students(folder) if student not in here]
    rows = [_earlier_result(known.get(student, Submission(student)), folder_of(student, folder)) for student in others]
    return [row for row in rows if row is not None]


def _earlier_result(submission: Submission, folder: Path) -> StudentResult | None:
    """Return a student's result of an earlier run, or its reason why there is none; None without both."""
    if result := student_folder.read(folder):
        return StudentResult(submission, result.report)
    reason = student_folder.read_reason(folder)
    return StudentResult(replace(submission, problem=reason), None) if reason else None


def write_class(rows: Sequence[StudentResult], folder: Path, dialect: Dialect = STRICT) -> None:
    """Write gradebook.csv, junit.xml, index.html and leaderboard.html.

    The gradebook and the page are for the instructor; the other two do not show hidden sizes.

    Raises InfrastructureError when the disk is full or the folder cannot be written.
    """
    from grader.batch.present.class_page import class_page  # imports a drawing library, which takes a second

    names = pseudonyms((row.student for row in rows), class_folder.leaderboard_key(folder))
    now = datetime.now(UTC)
    shown = [replace(row, report=row.report and for_students(row.report, now)) for row in rows]
    files = {
        GRADEBOOK: gradebook(rows),
        JUNIT: class_junit(shown, dialect),
        INDEX: class_page([_with_files(row, folder) for row in rows], class_folder.similar_files(folder)),
        LEADERBOARD: leaderboard(shown, names),
    }
    write_all(files, folder)


def _with_files(row: StudentResult, folder: Path) -> StudentResult:
    """Return the row with what the folder has of the student."""
    links = class_folder.links(row.student, folder) if row.report else ()
    earlier = tuple(attempt.report for attempt in attempts.kept(folder_of(row.student, folder)))
    return replace(row, links=links, earlier=earlier)


def class_junit(rows: Sequence[StudentResult], dialect: Dialect = STRICT) -> str:
    """Return the XML document of the class."""
    title = next((row.report.rubric.title for row in rows if row.report), "class")
    return junit.document(title, [_suite(row, dialect) for row in rows])


def _suite(row: StudentResult, dialect: Dialect) -> ET.Element:
    """Return the suite of a student. Readers identify cases by name alone, so each name begins with the student."""
    student, report = row.student, row.report
    suite = junit.suite(report, dialect.of(student, report.source.name)) if report else _nothing(row)
    suite.set("name", student)
    for case in suite.iter("testcase"):
        case.set("name", f"{student}: {case.get('name')}")
        case.set("classname", f"{student}.{case.get('classname')}")
    return suite


def _nothing(row: StudentResult) -> ET.Element:
    """Return a suite of one case: a failure if the submission could not be read.

    It is an error before it is graded, so that CI does not show a partly graded class as passed.
    """
    problem = row.submission.problem
    message = (junit.message_of(problem) or "There is no report.") if problem else "Not graded yet."
    ended, kind = ("failure", "NothingToGrade") if problem else ("error", "Infrastructure")
    counts = {"tests": "1", "failures": "0", "errors": "0", "skipped": "0", f"{ended}s": "1"}
    suite = ET.Element("testsuite", {**counts, "time": "0.000", "hostname": "localhost"})
    case = ET.SubElement(suite, "testcase", {"name": "submission", "classname": "submission", "time": "0.000"})
    ET.SubElement(case, ended, {"message": message, "type": kind}).text = message
    return suite
