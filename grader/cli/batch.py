"""`grade batch`: a whole class."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import click

from grader.batch.intake import collect
from grader.batch.present import class_files
from grader.batch.results import class_folder
from grader.batch.results.reuse import Lab
from grader.batch.run import worker_placement
from grader.batch.run.engine import OnStart
from grader.batch.run.job import ClassRun, Job, JobOutcome, machine_here
from grader.batch.run.tasks import tasks as tasks_of
from grader.cli import terminal
from grader.cli.class_run import grade_class, refuse
from grader.cli.console import check_writable, exit_on_error, narrate
from grader.cli.grading import chosen_seed, load_lab, traced
from grader.cli.options import ALLOW_UNCONFINED, BACKEND, CONTAINER, JUNIT_FAMILY, PATH, RUBRIC, SEED, TRACE
from grader.errors import UsageError
from grader.host import installation
from grader.model import Backend, Machine
from grader.report.junit import Dialect
from grader.rubric.outcome import GradeOutcome
from grader.sandbox import box_files

PACKAGES = {"distributed": "Dask", "cryptography": "cryptography"}  # by module: workers and scheduler use TLS
NO_WORKERS = "All workers have left. Waiting for another. Press Ctrl-C to stop; finished results are kept."
# Which results `--retry` grades again.
RETRY = {
    "infrastructure": (GradeOutcome.GRADER_ERROR, GradeOutcome.UNFINISHED),
    "not-supported": (GradeOutcome.NOT_HERE,),
}


@click.command()
@click.argument("sources", type=PATH, nargs=-1, required=True)
@RUBRIC
@BACKEND
@CONTAINER
@ALLOW_UNCONFINED
@click.option("--output", type=PATH, default=Path("grade-results"), show_default=True,
              help="Folder for the results: a folder for each student, and the pages of the class.")  # fmt: skip
@click.option("--workers", type=click.IntRange(1), help="Number of submissions to grade at the same time.  "
              "[default: up to four for each GPU; in the simulator, one for every four CPU cores]")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS",
              help="Grade on the Dask cluster with this scheduler, such as tcp://host:8786.")  # fmt: skip
@click.option("--retry", type=click.Choice(list(RETRY)),
              help="Grade again what failed because of a grader error, or was not supported here.")  # fmt: skip
@click.option("--student", "named", multiple=True, metavar="NAME",
              help="Grade only this student again: the name of the student's folder, or how it begins. May be "
              "repeated.")  # fmt: skip
@click.option("--apply", is_flag=True,
              help="If the rubric has changed, replace the old results. By default, only the changes in points are "
              "shown.")  # fmt: skip
@SEED
@TRACE
@JUNIT_FAMILY
@click.option("--source", default="",
              help="Path of each submission in its repository, for junit.xml: labs/{student}/{file}.")  # fmt: skip
def batch(
    sources: tuple[Path, ...], rubric_path: Path, backend: Backend | None, image: str, allow_unconfined: bool,
    output: Path, workers: int | None, scheduler: str | None, retry: str | None,
    named: tuple[str, ...], apply: bool, seed: int | None, trace: Path | None,
    junit_family: str, source: str,
) -> None:  # fmt: skip
    """Grade a whole class.

    SOURCES are folders of submissions, roster.csv files, or zip files from a learning platform.

    To continue an interrupted run, or to grade new and changed submissions only, run the same command again.

    Exit status: 0 if every submission was graded, 2 for a wrong command line or rubric, 3 if a student could not be
    graded because of a grader error, 4 if a student's submission cannot be graded on this machine, 130 if interrupted.
    """
    with exit_on_error():
        _check_fits(scheduler, workers, trace)
        _check_dask()
        rubric, naive = load_lab(rubric_path)
        known = class_folder.students(output) if output.is_dir() else ()
        submissions = collect.collect(*sources, known=known, course=[header.name for header in rubric.headers])
        submissions = collect.only(submissions, named) if named else submissions
        _check_outside(output, sources)
        check_writable(output)
        with class_folder.lock(output):
            box_files.sweep()
            chosen = _machine(backend, image, scheduler, allow_unconfined=allow_unconfined)
            narrate(terminal.machine_line(chosen))
            narrate(f"Rubric: {rubric.title} ({rubric_path}).")
            lab = Lab(rubric, naive, chosen.backend, seed)
            tasks = list(tasks_of(submissions, lab, output, retry=_again(retry, named), apply=apply))
            dialect = Dialect(junit_family, source)
            run = ClassRun(lab, chosen_seed(seed), chosen, image, dialect, allow_unconfined)
            refuse(submissions, output)
            students = class_files.open_class(submissions, tasks, output, dialect)
            with traced(trace):
                status = grade_class(students, run, partial(_grade_all, chosen.backend, workers, scheduler))
    sys.exit(status)


def _check_fits(scheduler: str | None, workers: int | None, trace: Path | None) -> None:
    """Raise UsageError for an option that a cluster does not have."""
    if scheduler and workers:
        sentence = "--workers applies to this machine, and --scheduler grades on other machines."
        raise UsageError(sentence, "Leave out --workers: all workers of a cluster are used.")
    if scheduler and trace:
        raise UsageError("--trace records this machine, and --scheduler grades on others.", "Leave out one of them.")


def _again(retry: str | None, students: Sequence[str]) -> tuple[GradeOutcome, ...]:
    """Return the outcomes of results that are graded again: all of them for students that were named."""
    if students:
        return tuple(GradeOutcome)
    return RETRY[retry] if retry else ()


def _check_outside(output: Path, sources: Sequence[Path]) -> None:
    """Raise UsageError if the results would lie in a source: the next run would take them for students."""
    inside = next((source for source in sources if output.resolve().is_relative_to(source.resolve())), None)
    if inside is not None:
        sentence = f"The results folder {output} lies inside {inside}, which holds the submissions."
        raise UsageError(sentence, "Name another folder with --output.")


def _machine(wanted: Backend | None, image: str, scheduler: str | None, *, allow_unconfined: bool) -> Machine:
    """Return the machine that grades the class: this one, or a worker of the cluster.

    Raises InfrastructureError if it would not confine student code and that is not allowed.
    """
    if scheduler is None:
        return machine_here(wanted, image, allow_unconfined)
    from grader.batch.dask import clusters, grading  # takes a second, which no other command needs

    with clusters.existing(scheduler) as client:
        if not clusters.workers(client):
            narrate(f"The cluster at {scheduler} has no worker yet. Waiting for one.")
        return grading.machine_of(client, wanted, image, allow_unconfined=allow_unconfined)


def _grade_all(
    backend: Backend, workers: int | None, scheduler: str | None, jobs: Sequence[Job], on_start: OnStart
) -> Iterator[tuple[Job, JobOutcome]]:
    """Grade jobs on this machine, with workers that start now, or on the cluster."""
    from grader.batch.dask import clusters, grading

    gpu = backend.capabilities.uses_gpu
    opened = (
        clusters.existing(scheduler)
        if scheduler
        else clusters.local(worker_placement.environments(backend, workers), gpu=gpu)
    )
    with opened as client:
        yield from grading.grade_all(
            client, jobs, gpu=gpu, on_start=on_start, on_no_workers=partial(narrate, NO_WORKERS)
        )


def _check_dask() -> None:
    missing = [package for module, package in PACKAGES.items() if find_spec(module) is None]
    if missing:
        raise UsageError(f"`grade batch` needs {missing[0]}, which is not installed.", installation.install("batch"))
