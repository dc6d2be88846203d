"""A class while it is graded: every result as it arrives, and the pages of the class, whatever ends that."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from grader.batch.intake.submission import Submission
from grader.batch.present import progress
from grader.batch.present.class_files import Class
from grader.batch.results import store
from grader.batch.results.reuse import Action, is_incomplete
from grader.batch.run import engine
from grader.batch.run.engine import ClassRun, FinishedTask, GradeAll
from grader.cli.endings import INTERRUPTED, OUR_FAULT, PASSED, fail, narrate, narration, results, say
from grader.errors import InfrastructureError
from grader.text.clean import one_line

PAGES_SECONDS = 60  # drawing the pages of a hundred students takes half a second


def grade_class(students: Class, run: ClassRun, grade_all: GradeAll) -> int:
    """Grade the class, write its pages whatever ends that, and return the exit status."""
    done: list[FinishedTask] = []
    with _saying_how_far(done, len(students.tasks)):
        with _writing_what_is_finished(students, done):
            _tell(engine.carry_out(students.tasks, run, grade_all), students, done)
        return max(conclude(students, done), _report_superseded(done))


def _tell(arriving: Generator[FinishedTask], students: Class, done: list[FinishedTask]) -> None:
    """Show every result as it arrives, add it to `done`, and have the pages follow."""
    total = len(students.tasks)
    pace = progress.Pace(began := time.monotonic(), began)
    write = _now_and_then(lambda: students.write(done), PAGES_SECONDS)
    with closing(arriving), _progress(total) as show, _saying_how_far(done, total):
        for one in arriving:
            done.append(one)
            pace = pace.after(one, time.monotonic())
            show(one, len(done), pace.left(total - len(done)))
            write()


def _now_and_then(write: Callable[[], None], seconds: float) -> Callable[[], None]:
    """Return what writes where so many seconds have passed: after a power cut the pages are nearly current."""
    due = time.monotonic() + seconds

    def perhaps() -> None:
        nonlocal due
        if time.monotonic() < due:
            return
        with suppress(InfrastructureError, OSError):  # grading goes on; the pages at its end say what is the matter
            write()
        due = time.monotonic() + seconds

    return perhaps


@contextmanager
def _saying_how_far(done: Sequence[FinishedTask], total: int) -> Iterator[None]:
    """An interrupt as a sentence, the moment it comes."""
    try:
        yield
    except KeyboardInterrupt:
        sentence = f"Interrupted: {len(done)} of {total} are finished."
        fail(sentence, "ClassRun the same command again, and it goes on from there.", INTERRUPTED)


@contextmanager
def _writing_what_is_finished(students: Class, done: Sequence[FinishedTask]) -> Iterator[None]:
    """Where grading is cut short, the pages show what is finished; it is what cut it short that is said."""
    try:
        yield
    except BaseException:
        with suppress(KeyboardInterrupt, InfrastructureError, OSError):
            students.write(done)
        raise


@contextmanager
def _progress(total: int) -> Iterator[Callable[[FinishedTask, int, str], None]]:
    """On a terminal a bar with an estimate, and above it what was graded; elsewhere a line for each student."""
    if not narration.is_terminal:
        yield lambda done, number, left: narrate(progress.line(done, number, total, left))
        return
    estimate = TextColumn("{task.fields[left]}")  # Rich's own forgets what is older than half a minute
    columns = (TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), estimate)
    with Progress(*columns, console=narration, transient=True) as bar:
        shown = bar.add_task("grading", total=total, left="")

        def show(done: FinishedTask, number: int, left: str) -> None:
            if done.task.action is not Action.KEEP:
                narration.print(progress.line(done, number, total))
            bar.update(shown, completed=number, left=left)

        yield show


def conclude(students: Class, done: Sequence[FinishedTask]) -> int:
    """Write the pages of the class, say what became of it, and return the exit status."""
    students.write(done)
    _tell_previews(done, students.folder)
    rows = students.rows(done)
    for line in progress.summary(rows, done):
        say(line)
    if students.earlier:
        say(progress.earlier(len(students.earlier)))
    say(f"Results: {students.folder}")
    return OUR_FAULT if any(is_incomplete(row.report) for row in rows if row.report) else PASSED


def _tell_previews(done: Sequence[FinishedTask], output: Path) -> None:
    """What a new rubric would change; where there is none, what an earlier preview left goes."""
    previews = [one for one in done if one.task.is_preview]
    if previews:
        results.print(progress.differences(previews))
        say("This rubric is new. Nothing was changed: run the same command with --apply to replace the results.")
    elif (output / store.PREVIEW).exists():
        shutil.rmtree(output / store.PREVIEW, ignore_errors=True)


def refuse(submissions: Sequence[Submission], output: Path) -> None:
    """Say of whom there is nothing to grade and leave them the reason; no earlier result of theirs is to count."""
    for one in submissions:
        if not one.problem:
            continue
        narrate(progress.refused(one.student, one.problem))
        if aside := store.set_aside(output / one.student):
            narrate(progress.set_aside(aside))
        store.write_reason(one.problem, output / one.student)


def _report_superseded(done: Sequence[FinishedTask]) -> int:
    """Whom a fault of ours met who has a grade already, and the exit status for it."""
    names = [one_line(one.task.submission.student, progress.NAME_CHARACTERS) for one in done if one.superseded]
    if not names:
        return PASSED
    say(f"Not graded this time through a fault of ours; the earlier result stays: {', '.join(names)}.")
    say("ClassRun the same command again when the cause is mended.")
    return OUR_FAULT
