"""Carry out the tasks of a class: keep valid results, let others be graded, and write new ones as they arrive."""

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from grader.batch.results import student_folder
from grader.batch.results.reuse import Action, Result, is_incomplete, scored_again
from grader.batch.run.job import ClassRun, Job, JobOutcome
from grader.batch.run.tasks import Task
from grader.model import Report, State
from grader.pipeline import not_graded
from grader.report.background import Finish, class_saver
from grader.report.junit import Dialect

MOST_UNWRITTEN = 8  # reports that wait to be written, before an error of one is noticed

# Called when a worker begins a job, with the worker's name, in any thread.
OnStart = Callable[[Job, str], None]
# Grades jobs, and yields each with its report, or with the grader error that prevented one.
GradeAll = Callable[[Sequence[Job], OnStart], Iterator[tuple[Job, JobOutcome]]]


@dataclass(frozen=True, slots=True)
class FinishedTask:
    """A student's new or kept report. It is being written, or on disk, unless it is superseded."""

    task: Task
    report: Report

    @property
    def student(self) -> str:
        return self.task.student

    @property
    def result_that_counts(self) -> Result:
        """The earlier result if this one is a preview or superseded."""
        stays = self.task.is_preview or self.superseded
        return self.task.before if stays and self.task.before else Result(self.task.wanted, self.report)

    @property
    def superseded(self) -> bool:
        """Whether an earlier report on the same file is more complete, for example after a grader error in this run."""
        if self.task.before is None:
            return False
        before = self.task.before.report
        return before.source.sha256 == self.report.source.sha256 and _completeness(self.report) < _completeness(before)


def carry_out(tasks: Sequence[Task], run: ClassRun, grade_all: GradeAll, on_start: OnStart) -> Generator[FinishedTask]:
    """Yield every task when it is finished; tasks that need no grading come first.

    A new report is written meanwhile, at the latest before this ends. Raises InfrastructureError when a result cannot
    be written or the cluster is lost; earlier results are on disk.
    """
    for task in tasks:
        if task.reusable is not None and task.action is not Action.GRADE:
            yield _reuse(task, task.reusable, run)
    mine = {task.student: task for task in tasks if task.action is Action.GRADE}
    if not mine:
        return
    jobs = [Job(student, task.submission.file, task.submission.content, run) for student, task in mine.items()]
    saving = deque[Finish]()
    with class_saver(draws=run.machine.backend.capabilities.measures_speed) as save:
        for job, got in grade_all(jobs, on_start):
            task = mine[job.student]
            report = got if isinstance(got, Report) else not_graded(job.plan(), job.content, run.machine, got)
            done = FinishedTask(task, report)
            if not done.superseded:
                saving.append(save(partial(write, Result(task.wanted, done.report), task, run.dialect)))
            if len(saving) > MOST_UNWRITTEN:
                saving.popleft()()
            yield done
        for finish in saving:
            finish()


def _completeness(report: Report) -> int:
    """Return 0 for an unfinished report, 1 if the machine could not check everything, 2 for a complete one."""
    return (report.state is State.FINISHED) + (not is_incomplete(report))


def _reuse(task: Task, kept: Result, run: ClassRun) -> FinishedTask:
    """Keep a result, or compute a new score from its measurements and write it."""
    if task.action is Action.KEEP:
        return FinishedTask(task, kept.report)
    result = scored_again(kept, task.wanted, run.lab.rubric)
    write(result, task, run.dialect)
    return FinishedTask(task, result.report)


def write(result: Result, task: Task, dialect: Dialect) -> None:
    """Write the result of a task to its folder. Raises InfrastructureError if that is impossible."""
    submission = task.submission
    student_folder.write(result, submission.content, task.folder, dialect, submission.others)
