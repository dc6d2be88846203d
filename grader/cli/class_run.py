"""Grade a class and show every result as it arrives. The pages of the class are written however grading ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from grader.batch.intake.submission import Submission
from grader.batch.present import progress
from grader.batch.present.class_files import ClassResults
from grader.batch.results import class_folder, student_folder
from grader.batch.results.reuse import Action
from grader.batch.run import engine
from grader.batch.run.engine import ClassRun, FinishedTask, GradeAll
from grader.cli.console import GRADER_ERROR, INTERRUPTED, NOT_HERE, PASSED, fail, narrate, narration, results, say
from grader.errors import InfrastructureError
from grader.rubric.outcome import GradeOutcome, outcome

PAGES_SECONDS = 60  # drawing the pages of a hundred students takes half a second


def grade_class(students: ClassResults, run: ClassRun, grade_all: GradeAll) -> int:
    """Grade the class, write its pages, and return the exit status."""
    done: list[FinishedTask] = []
    with _counting_on_interrupt(done, len(students.tasks)):
        try:
            _show_results(engine.carry_out(students.tasks, run, grade_all), students, done)
        except BaseException:
            with suppress(KeyboardInterrupt, InfrastructureError, OSError):  # report what ended grading, not this
                students.write(done)
            raise
        return conclude(students, done)


def _show_results(arriving: Generator[FinishedTask], students: ClassResults, done: list[FinishedTask]) -> None:
    """Show every result as it arrives, add it to `done`, and write the pages about once a minute."""
    total = len(students.tasks)
    pace = progress.Pace(began := time.monotonic(), began)
    due = began + PAGES_SECONDS
    with closing(arriving), _progress(total) as show, _counting_on_interrupt(done, total):
        for task in arriving:
            done.append(task)
            pace = pace.after(task, time.monotonic())
            show(task, len(done), pace.left(total - len(done)))
            if time.monotonic() >= due:  # after a power cut the pages are nearly current
                with suppress(InfrastructureError, OSError):  # grading continues; the last write reports what is wrong
                    students.write(done)
                due = time.monotonic() + PAGES_SECONDS


@contextmanager
def _counting_on_interrupt(done: Sequence[FinishedTask], total: int) -> Iterator[None]:
    """Report an interrupt as soon as it happens, and exit."""
    try:
        yield
    except KeyboardInterrupt:
        sentence = f"Interrupted: {len(done)} of {total} submissions are finished."
        fail(sentence, "Run the same command again to continue.", INTERRUPTED)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[FinishedTask, int, str], None]]:
    """Yield what shows a result: on a terminal a line above a bar with an estimate, elsewhere just a line."""
    if not narration.is_terminal:
        yield lambda task, number, left: narrate(progress.line(task, number, total, left))
        return
    estimate = TextColumn("{task.fields[left]}")  # Rich's own estimate forgets what is older than half a minute
    columns = (TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), estimate)
    with Progress(*columns, console=narration, transient=True) as bar:
        shown = bar.add_task("grading", total=total, left="")

        def show(task: FinishedTask, number: int, left: str) -> None:
            if task.task.action is not Action.KEEP:
                narration.print(progress.line(task, number, total))
            bar.update(shown, completed=number, left=left)

        yield show


def conclude(students: ClassResults, done: Sequence[FinishedTask]) -> int:
    """Write the pages of the class, print a summary, and return the exit status."""
    if healed := students.heal(done):
        say(f"Deleted or damaged, and written again: {', '.join(healed)}.")
    if lost := students.graded_again(done):
        say(f"Deleted or damaged, and graded again: {', '.join(lost)}.")
    if gone := students.gone():
        say(f"Deleted or damaged, and not part of this run: {', '.join(gone)}. They are no longer in the gradebook.")
    if outdated := students.show_hidden_sizes(done):
        say(f"Hidden sizes are shown now to: {', '.join(outdated)}.")
    students.write(done)
    _show_previews(done, students.folder)
    rows = students.rows(done)
    for line in progress.summary(rows, done, students.earlier):
        say(line)
    say(f"Results: {students.folder}")
    outcomes = {outcome(row.report) for row in rows if row.report}
    if outcomes & {GradeOutcome.GRADER_ERROR, GradeOutcome.UNFINISHED} or any(task.superseded for task in done):
        return GRADER_ERROR
    return NOT_HERE if GradeOutcome.NOT_HERE in outcomes else PASSED


def _show_previews(done: Sequence[FinishedTask], output: Path) -> None:
    """Show what a changed rubric would change; without one, remove what earlier previews left."""
    previews = [task for task in done if task.task.is_preview]
    if previews:
        results.print(progress.differences(previews))
        say("The rubric has changed. No result was replaced: to replace them, run the same command with --apply.")
    else:
        class_folder.remove_previews(output)


def refuse(submissions: Sequence[Submission], output: Path) -> None:
    """Report which of several files is graded, what is odd in a source, and who has nothing to grade.

    The reasons go to the folders of those students, and their earlier results are set aside.
    """
    for submission in submissions:
        if submission.others:
            narrate(progress.chosen(submission))
        if submission.note:
            narrate(f"{submission.student}: {submission.note}")
        if not submission.problem:
            continue
        narrate(progress.refused(submission.student, submission.problem))
        folder = class_folder.folder_of(submission.student, output)
        if aside := student_folder.set_aside(folder):
            narrate(progress.set_aside(aside))
        student_folder.write_reason(submission.problem, folder)
