"""A class through the grader: what is there is kept, and every new result is on the disk the moment it arrives."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grader.batch import store
from grader.batch.identity import Lab, Result, Step, scored_again
from grader.batch.plan import Task
from grader.batch.remote import Job
from grader.errors import InfrastructureError
from grader.model import Machine, Report
from grader.pipeline import not_graded

Outcome: TypeAlias = Report | InfrastructureError

# Grades jobs somewhere, and gives each one back with its report, or with the fault of ours that kept it from one.
GradeAll: TypeAlias = Callable[[Sequence[Job]], Iterator[tuple[Job, Outcome]]]


@dataclass(frozen=True, slots=True)
class Done:
    """A student's result, on the disk."""

    task: Task
    report: Report

    @property
    def counts(self) -> Report:
        """The report that counts now: that of the rubric before, while this one is a preview."""
        return self.task.before.report if self.task.is_preview and self.task.before else self.report


@dataclass(frozen=True, slots=True)
class Run:
    """How this run of the command grades: from which seed, on what, in containers of which image if any."""

    lab: Lab
    seed: int
    machine: Machine
    image: str
    junit_family: str


def carry_out(tasks: Sequence[Task], run: Run, grade_all: GradeAll) -> Generator[Done]:
    """Every task as it is finished, what needs no running first.

    Raises InfrastructureError when a result cannot be written or the cluster is gone; those before it are on the disk.
    """
    for task in tasks:
        if task.found is not None and task.step is not Step.GRADE:
            yield _without_running(task, task.found, run)
    mine = {task.handin.student: task for task in tasks if task.step is Step.GRADE}
    if not mine:
        return
    jobs = [Job(name, one.handin.file, one.handin.content, run.lab, run.seed, run.image) for name, one in mine.items()]
    for job, outcome in grade_all(jobs):
        task = mine[job.student]
        report = outcome if isinstance(outcome, Report) else not_graded(job.plan(), job.content, run.machine, outcome)
        store.write(Result(task.wanted, report), job.content, task.folder, run.junit_family)
        yield Done(task, report)


def _without_running(task: Task, found: Result, run: Run) -> Done:
    """A result that is there: as it is, or its measurements under other points."""
    if task.step is Step.KEEP:
        return Done(task, found.report)
    result = scored_again(found, task.wanted, run.lab.rubric)
    store.write(result, task.handin.content, task.folder, run.junit_family)
    return Done(task, result.report)
