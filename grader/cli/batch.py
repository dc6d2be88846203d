"""`grade batch`: a whole class."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import click
from rich.text import Text

from grader.batch.intake import collect
from grader.batch.present import class_files
from grader.batch.results import store
from grader.batch.results.reuse import Lab
from grader.batch.run import worker_placement
from grader.batch.run.engine import ClassRun, GradeAll, JobOutcome
from grader.batch.run.job import Job
from grader.batch.run.tasks import tasks as tasks_of
from grader.cli import terminal
from grader.cli.class_run import grade_class, refuse
from grader.cli.endings import (
    check_writable,
    narrate,
    sentences,
)
from grader.cli.grading import fresh_unless, load_lab
from grader.cli.options import BACKEND, CONTAINER, RUBRIC, SEED
from grader.errors import UsageError
from grader.model import Backend, Machine
from grader.report import junit
from grader.sandbox import launchers

INSTALL_EXTRA = "pip install 'matmul-grader[batch]'"


@click.command()
@click.argument("sources", type=click.Path(path_type=Path), nargs=-1, required=True)
@RUBRIC
@BACKEND
@CONTAINER
@click.option("--output", type=click.Path(path_type=Path), default=Path("grade-results"), show_default=True,
              help="Folder for the results: one folder for each student, and the pages of the class.")  # fmt: skip
@click.option(
    "--workers",
    type=click.IntRange(1),
    help="Submissions at a time. Default: one for each GPU, or for four processors on the simulator.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster that is running, as tcp://host:8786.")
@click.option("--retry", type=click.Choice(["infrastructure"]), help="Grade again what failed through a fault of ours.")
@click.option("--apply", is_flag=True, help="Replace the results of another rubric, once you have seen what changes.")
@SEED
@click.option("--full", is_flag=True, help="ClassRun every block on the simulator, at the large sizes too.")
@click.option("--junit-family", type=click.Choice(junit.FAMILIES), default="xunit2", show_default=True,
              help="xunit2 is the strict dialect; ci adds file and line of each fault.")  # fmt: skip
def batch(
    sources: tuple[Path, ...],
    rubric_path: Path | None,
    backend: str,
    image: str,
    output: Path,
    workers: int | None,
    scheduler: str | None,
    retry: str | None,
    apply: bool,
    seed: int | None,
    full: bool,
    junit_family: str,
) -> None:
    """Grade a whole class. SOURCES are folders, a roster.csv, or the zip files of a learning platform.

    The same command again goes on where it stopped, and grades what has changed and nothing else.
    """
    with sentences():
        if workers and scheduler:
            sentence = "--workers is for this machine, and --scheduler grades on others."
            raise UsageError(sentence, "Leave out --workers: a cluster grades on as many as it has.")
        rubric, naive = load_lab(rubric_path)
        submissions = collect.collect(*sources)
        _check_outside(output, sources)
        check_writable(output)
        with store.only_one(output):
            chosen = _machine(None if backend == "auto" else Backend(backend), image, scheduler)
            narrate(terminal.machine_line(chosen))
            lab = Lab(rubric, naive, chosen.backend, seed, full)
            tasks = list(tasks_of(submissions, lab, output, retry=bool(retry), apply=apply))
            run = ClassRun(lab, fresh_unless(seed), chosen, image, junit_family)
            refuse(submissions, output)
            students = class_files.open_class(submissions, tasks, output, junit_family)
            status = grade_class(students, run, _grade_all(chosen.backend, workers, scheduler))
    sys.exit(status)


def _check_outside(output: Path, sources: Sequence[Path]) -> None:
    """Results inside a folder of submissions would be taken for students the next time."""
    inside = next((one for one in sources if output.resolve().is_relative_to(one.resolve())), None)
    if inside is not None:
        raise UsageError(f"{output} lies inside {inside}, where the submissions are.", "Name another with --output.")


def _machine(wanted: Backend | None, image: str, scheduler: str | None) -> Machine:
    """What the class is graded with: this machine, or those of the cluster."""
    if scheduler is None:
        return launchers.choose(wanted, image).machine
    dask_cluster = _dask()
    with dask_cluster.existing(scheduler) as client:
        if not dask_cluster.has_workers(client):
            narrate(Text(f"The cluster at {scheduler} has no worker yet; waiting for the first one."))
        found: Machine = dask_cluster.machine_of(client, wanted, image)
        return found


def _grade_all(backend: Backend, workers: int | None, scheduler: str | None) -> GradeAll:
    """Grades jobs on this machine's workers, or on the cluster's. Starts nothing before there is a job."""

    def grade_all(jobs: Sequence[Job]) -> Iterator[tuple[Job, Outcome]]:
        dask_cluster, gpu = _dask(), backend.capabilities.uses_gpu
        opened = (
            dask_cluster.existing(scheduler)
            if scheduler
            else dask_cluster.local(worker_placement.environments(backend, workers), gpu=gpu)
        )
        with opened as client:
            yield from dask_cluster.grade_all(client, jobs, gpu=gpu, alone=_say_nobody_works)

    return grade_all


def _say_nobody_works() -> None:
    narrate(Text("No worker is there any more; waiting for another. Ctrl-C ends this and keeps what is finished."))


def _dask() -> ModuleType:
    if find_spec("distributed") is None or find_spec("cryptography") is None:
        raise UsageError("Grading a class needs Dask, which is not installed here.", INSTALL_EXTRA)
    from grader.batch.run import dask_cluster  # takes a second, which no other command needs

    return dask_cluster
