"""`grade export feedback`: feedback for the students of a class, as files and for a mail merge."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import click

from grader.batch.intake.submission import Submission
from grader.batch.present.gradebook import people
from grader.batch.results import class_folder, student_folder
from grader.cli.console import check_writable, exit_on_error, say
from grader.cli.export_gradebook import ATTEMPT, RESULTS
from grader.cli.options import PATH
from grader.errors import UsageError
from grader.export import mail_merge
from grader.export.mail_merge import Recipient
from grader.host.atomic_write import write_text
from grader.rubric.visible import for_students


@click.command("feedback")
@RESULTS
@ATTEMPT
@click.option("--output", type=PATH, default=Path("feedback"), show_default=True, help="New folder to write.")
def feedback_command(results: Path, attempt: str, output: Path) -> None:
    """Feedback: files for students, and a CSV for mail merges.

    RESULTS is the results folder of `grade batch`. Names, e-mail addresses and lateness are those of its gradebook.
    """
    with exit_on_error():
        recipients = list(_recipients(results, attempt))
        if output.exists() and any(output.iterdir()):
            raise UsageError(f"{output} is not empty.", "Name a new folder with --output.")
        check_writable(output / mail_merge.FOLDER)
        for path, text in mail_merge.layout(recipients).items():
            write_text(output / path, text)
        say(f"Feedback for {len(recipients)} students: {output / mail_merge.TABLE} and {output / mail_merge.FOLDER}")


def _recipients(results: Path, attempt: str) -> Iterator[Recipient]:
    """Yield each student with a report, or with a reason why there is nothing to grade."""
    now = datetime.now(UTC)
    best = attempt == "best"  # by the points that students see, because the choice could reveal results at hidden sizes
    reports = (
        class_folder.best_reports(results, lambda report: for_students(report, now))
        if best
        else class_folder.read_reports(results)
    )
    known = people(class_folder.read_gradebook(results))
    for student in class_folder.students(results):
        who, report = known.get(student, Submission(student)), reports.get(student)
        problem = "" if report else student_folder.read_reason(class_folder.folder_of(student, results))
        if report or problem:
            shown = report and for_students(report, now)
            yield Recipient(student, who.name, who.email, who.late, shown, problem)
