"""Carry out the tasks of a class: keep valid results, assign others to workers, and write new ones as they arrive."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from grader.batch.results import student_folder
from grader.batch.results.reuse import Action, Lab, Result, is_incomplete, scored_again
from grader.batch.run.job import Job
from grader.batch.run.tasks import Task
from grader.errors import InfrastructureError
from grader.model import Machine, Report, State
from grader.pipeline import not_graded
from grader.report.background import Finish, savers
from grader.report.junit import STRICT, Dialect

MOST_UNWRITTEN = 8  # reports that wait to be written, before an error of one is noticed

JobOutcome: TypeAlias = Report | InfrastructureError

# Called when a worker begins a job, with the worker's name, in any thread.
OnStart: TypeAlias = Callable[[Job, str], None]
# Grades jobs, and yields each with its report, or with the grader error that prevented one.
GradeAll: TypeAlias = Callable[[Sequence[Job], OnStart], Iterator[tuple[Job, JobOutcome]]]
FAULTS_IN_A_ROW = 3
LOSSES = 4  # of workers during one submission; after them, the submission may be the cause


@dataclass(frozen=True, slots=True)
class FinishedTask:
    """A student's new or kept report. It is being written, or on disk, unless it is superseded."""

    task: Task
    report: Report

    @property
    def student(self) -> str:
        return self.task.student

    @property
    def counts(self) -> Report:
        """The report that counts: the earlier one if this one is a preview or superseded."""
        stays = self.task.is_preview or self.superseded
        return self.task.before.report if stays and self.task.before else self.report

    @property
    def superseded(self) -> bool:
        """Whether an earlier report on the same file is more complete, for example after a grader error in this run."""
        if self.task.before is None:
            return False
        before = self.task.before.report
        return before.source.sha256 == self.report.source.sha256 and _completeness(self.report) < _completeness(before)


@dataclass(frozen=True, slots=True)
class ClassRun:
    """The settings of one run of the command. `image` is empty without containers."""

    lab: Lab
    seed: int
    machine: Machine
    image: str
    dialect: Dialect = STRICT
    allow_unconfined: bool = False


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
    submissions = [task.submission for task in mine.values()]
    jobs = [
        Job(submission.student, submission.file, submission.content, run.lab, run.seed, run.image, run.allow_unconfined)
        for submission in submissions
    ]
    saving = deque[Finish]()
    with savers(draws=run.machine.backend.capabilities.measures_speed) as save:
        for job, got in grade_all(jobs, on_start):
            task = mine[job.student]
            report = got if isinstance(got, Report) else not_graded(job.plan(), job.content, run.machine, got)
            done = FinishedTask(task, report)
            if not done.superseded:
                saving.append(save(partial(_write, Result(task.wanted, done.report), task, run)))
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
    _write(result, task, run)
    return FinishedTask(task, result.report)


def _write(result: Result, task: Task, run: ClassRun) -> None:
    content, others = task.submission.content, task.submission.others
    student_folder.write(result, content, task.folder, run.dialect, others)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a job.

    `failed` is the worker on which an earlier attempt ended in a grader error, or empty. `losses` is the number of
    workers that were lost during earlier attempts.
    """

    job: Job
    failed: str = ""
    losses: int = 0


def healthy_workers(workers: Collection[str], faults: Mapping[str, int]) -> list[str]:
    """Return the workers without FAULTS_IN_A_ROW grader errors in a row; all workers if none are left."""
    healthy = [worker for worker in workers if faults.get(worker, 0) < FAULTS_IN_A_ROW]
    return healthy or list(workers)


def assign(waiting: Sequence[Attempt], workers: Sequence[str], busy: Collection[str]) -> Iterator[tuple[Attempt, str]]:
    """Yield each idle worker with its next attempt: not one that failed there, unless it is the only worker."""
    left = list(waiting)
    for worker in workers:
        attempt = next((attempt for attempt in left if attempt.failed != worker or len(workers) == 1), None)
        if worker not in busy and attempt is not None:
            left.remove(attempt)
            yield attempt, worker


def retry_after_fault(attempt: Attempt, outcome: JobOutcome, worker: str, workers: Sequence[str]) -> Attempt | None:
    """After the first grader error, return an attempt for another worker; None if the outcome is final."""
    others = set(workers) - {worker}
    return replace(attempt, failed=worker) if is_grader_error(outcome) and others and not attempt.failed else None


def retry_after_worker_loss(attempt: Attempt) -> Attempt | None:
    """Return the next attempt after its worker was lost; None after too many losses."""
    return replace(attempt, losses=attempt.losses + 1) if attempt.losses + 1 < LOSSES else None


def is_grader_error(outcome: JobOutcome) -> bool:
    """Whether the grader or its machine failed. "Not supported" does not count: all such machines would refuse it."""
    return isinstance(outcome, InfrastructureError) or outcome.state is State.INFRASTRUCTURE_FAULT
