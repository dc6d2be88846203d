"""Grade a class and show every result as it arrives. The pages of the class are written however grading ends."""

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from grader.batch.intake.source_entry import Submission
from grader.batch.present import progress
from grader.batch.present.class_files import ClassResults
from grader.batch.results import class_folder, student_folder
from grader.batch.results.names import INDEX
from grader.batch.results.reuse import Action
from grader.batch.run import engine
from grader.batch.run.engine import FinishedTask, GradeAll
from grader.batch.run.job import ClassRun, Job
from grader.cli.console import GRADER_ERROR, INTERRUPTED, NOT_HERE, PASSED, fail, narrate, narration, running, say, show
from grader.errors import InfrastructureError
from grader.rubric.outcome import GradeOutcome, outcome

PAGES_SECONDS = 60  # drawing the pages of a hundred students takes half a second


def grade_class(students: ClassResults, run: ClassRun, grade_all: GradeAll) -> int:
    """Grade the class, write its pages, and return the exit status."""
    done: list[FinishedTask] = []
    with _counting_on_interrupt(done, len(students.tasks)):
        try:
            _show_results(students, run, grade_all, done)
        except BaseException:
            with suppress(KeyboardInterrupt, InfrastructureError, OSError):  # report what ended grading, not this
                students.write(done)
            raise
        return conclude(students, done)


def _show_results(students: ClassResults, run: ClassRun, grade_all: GradeAll, done: list[FinishedTask]) -> None:
    """Show every result as it arrives, add it to `done`, and write the pages about once a minute."""
    on_gpu = run.machine.backend.capabilities.uses_gpu
    guess = progress.SECONDS_ON_GPU if on_gpu else progress.SECONDS_ON_SIMULATOR
    to_grade = sum(task.action is Action.GRADE for task in students.tasks)
    display = _Display(len(students.tasks), to_grade, guess, progress.Pace(began := time.monotonic(), began))
    due = began + PAGES_SECONDS
    arriving = engine.carry_out(students.tasks, run, grade_all, display.begun)
    with display.shown(), closing(arriving), _counting_on_interrupt(done, display.total):
        for task in arriving:
            done.append(task)
            display.ended(task)
            if time.monotonic() >= due:  # after a power cut the pages are nearly current
                with suppress(InfrastructureError, OSError):  # the last write reports what is wrong
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


@dataclass(slots=True)
class _Display:
    """Shows a line for each result, above a bar on a terminal.

    A log has no bar: its lines say how long the rest will take and, until the first result, who is begun.
    """

    total: int
    to_grade: int  # submissions that are yet to be graded
    guess: float  # seconds of a worker for one submission
    pace: progress.Pace
    finished: int = 0
    workers: dict[str, str] = field(default_factory=dict)  # by student, of those who are being graded
    update: Callable[..., None] = lambda **_: None  # of a terminal, the line

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the bar inside the block."""
        if not narration.is_terminal:
            yield
            return
        with running(progress.being_graded({}), self.total) as self.update:
            yield

    def begun(self, job: Job, worker: str) -> None:
        """Show that a student is being graded. Another thread calls this."""
        self.workers[job.student] = worker
        self._update()
        if not (narration.is_terminal or self.finished):
            narrate(f"{progress.being_graded({job.student: worker})}; {self._left()}")

    def ended(self, task: FinishedTask) -> None:
        """Show a result."""
        self.finished += 1
        self.to_grade -= task.task.action is Action.GRADE
        self.workers.pop(task.student, None)
        self.pace = self.pace.after(task, time.monotonic())
        if not narration.is_terminal:
            narrate(progress.line(task, self.finished, self.total, self._left()))
        elif task.task.action is not Action.KEEP:
            narration.print(progress.line(task, self.finished, self.total))
        self._update()

    def _update(self) -> None:
        names = progress.being_graded(dict(self.workers))  # a copy, because another thread adds to it
        self.update(completed=self.finished, description=names, left=self._left())

    def _left(self) -> str:
        running = len(self.workers)
        return self.pace.left(self.to_grade, self.guess / max(1, running), running)


def conclude(students: ClassResults, done: Sequence[FinishedTask]) -> int:
    """Write the pages of the class, print a summary, and return the exit status."""
    for sentence in students.repair(done):
        say(sentence)
    students.write(done)
    _show_changes(done, students.folder)
    rows = students.rows(done)
    for line in progress.summary(rows, done, students.earlier):
        say(line)
    say(f"Class page: {students.folder / INDEX}")
    outcomes = {outcome(row.report) for row in rows if row.report}
    if outcomes & {GradeOutcome.GRADER_ERROR, GradeOutcome.UNFINISHED} or any(task.superseded for task in done):
        return GRADER_ERROR
    return NOT_HERE if GradeOutcome.NOT_HERE in outcomes else PASSED


def _show_changes(done: Sequence[FinishedTask], output: Path) -> None:
    """Show what a changed rubric changes, or would; if it does, remove what earlier previews left."""
    if changed := [task for task in done if task.task.changes_rubric]:
        show(progress.differences(changed))
    if any(task.task.is_preview for task in done):
        say("The rubric has changed. No result was replaced: to replace them, run the same command with --apply.")
        say("What follows is about the results as they are.")
    else:
        shutil.rmtree(output / class_folder.PREVIEW, ignore_errors=True)


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
        narrate(progress.refused(submission))
        folder = class_folder.folder_of(submission.student, output)
        if aside := student_folder.set_aside(folder):
            narrate(progress.set_aside(aside))
        student_folder.write_reason(submission.problem, folder)
