"""`grade batch`: a whole class."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from grader import hosting, terminal
from grader.batch import engine, intake, places, plan, progress, store
from grader.batch.engine import Done, GradeAll, Outcome, Run
from grader.batch.handin import Handin
from grader.batch.identity import Lab, Step, is_ours
from grader.batch.remote import Job
from grader.batch.row import Row
from grader.cli.endings import (
    INTERRUPTED,
    OUR_FAULT,
    PASSED,
    check_writable,
    fail,
    narrate,
    narration,
    results,
    say,
    sentences,
)
from grader.cli.grading import fresh_unless, load_lab
from grader.cli.options import BACKEND, CONTAINER, RUBRIC, SEED
from grader.errors import UsageError
from grader.model import Backend, Machine
from grader.report import junit
from grader.report.text import one_line

INSTALL_EXTRA = "pip install 'matmul-grader[batch]'"


@click.command()
@click.argument("sources", type=click.Path(path_type=Path), nargs=-1, required=True)
@RUBRIC
@BACKEND
@CONTAINER
@click.option("--output", type=click.Path(path_type=Path), default=Path("grade-results"), show_default=True,
              help="Folder for the results: one folder for each student, and the pages of the class.")  # fmt: skip
@click.option("--workers", type=click.IntRange(1), help="Submissions at a time. Default: one for each GPU.")
@click.option("--scheduler", metavar="ADDRESS", help="Of a Dask cluster that is running, as tcp://host:8786.")
@click.option("--retry", type=click.Choice(["infrastructure"]), help="Grade again what failed through a fault of ours.")
@click.option("--apply", is_flag=True, help="Replace the results of another rubric, once you have seen what changes.")
@SEED
@click.option("--full", is_flag=True, help="Run every block on the simulator, at the large sizes too.")
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
        handins = intake.collect(*sources)
        _check_outside(output, sources)
        check_writable(output)
        with store.only_one(output):
            chosen = _machine(None if backend == "auto" else Backend(backend), image, scheduler)
            narrate(terminal.machine_line(chosen))
            lab = Lab(rubric, naive, chosen.backend, seed, full)
            tasks = list(plan.tasks(handins, lab, output, retry=bool(retry), apply=apply))
            run = Run(lab, fresh_unless(seed), chosen, image, junit_family)
            done = _told(engine.carry_out(tasks, run, _grade_all(chosen.backend, workers, scheduler)), len(tasks))
            status = max(_conclude(handins, done, output, junit_family), _say_in_vain(done))
    sys.exit(status)


def _check_outside(output: Path, sources: Sequence[Path]) -> None:
    """Results inside a folder of submissions would be taken for students the next time."""
    inside = next((one for one in sources if output.resolve().is_relative_to(one.resolve())), None)
    if inside is not None:
        raise UsageError(f"{output} lies inside {inside}, where the submissions are.", "Name another with --output.")


def _machine(wanted: Backend | None, image: str, scheduler: str | None) -> Machine:
    """What the class is graded with: this machine, or those of the cluster."""
    if scheduler is None:
        return hosting.choose(wanted, image).machine
    cluster = _dask()
    with cluster.existing(scheduler) as client:
        if not cluster.has_workers(client):
            narrate(Text(f"The cluster at {scheduler} has no worker yet; waiting for the first one."))
        found: Machine = cluster.machine_of(client, wanted, image)
        return found


def _grade_all(backend: Backend, workers: int | None, scheduler: str | None) -> GradeAll:
    """Grades jobs on this machine's workers, or on the cluster's. Starts nothing before there is a job."""

    def grade_all(jobs: Sequence[Job]) -> Iterator[tuple[Job, Outcome]]:
        cluster, gpu = _dask(), backend is Backend.CUDA
        opened = (
            cluster.existing(scheduler) if scheduler else cluster.local(places.environments(backend, workers), gpu=gpu)
        )
        with opened as client:
            yield from cluster.grade_all(client, jobs, gpu=gpu, alone=_say_nobody_works)

    return grade_all


def _say_in_vain(done: Sequence[Done]) -> int:
    """Whom a fault of ours met who has a grade already, and the exit status for it."""
    names = [one_line(one.task.handin.student, progress.NAME_CHARACTERS) for one in done if one.in_vain]
    if not names:
        return PASSED
    say(f"Not graded this time through a fault of ours; the earlier result stays: {', '.join(names)}.")
    say("Run the same command again when the cause is mended.")
    return OUR_FAULT


def _say_nobody_works() -> None:
    narrate(Text("No worker is there any more; waiting for another. Ctrl-C ends this and keeps what is finished."))


def _dask() -> ModuleType:
    if find_spec("distributed") is None or find_spec("cryptography") is None:
        raise UsageError("Grading a class needs Dask, which is not installed here.", INSTALL_EXTRA)
    from grader.batch import cluster  # takes a second, which no other command needs

    return cluster


def _told(arriving: Generator[Done], total: int) -> list[Done]:
    """Show every result as it arrives, and return them all."""
    done: list[Done] = []
    pace = progress.Pace(began := time.monotonic(), began)
    with closing(arriving), _progress(total) as show:
        try:
            for one in arriving:
                done.append(one)
                pace = pace.after(one, time.monotonic())
                show(one, len(done), pace.left(total - len(done)))
        except KeyboardInterrupt:
            sentence = f"Interrupted: {len(done)} of {total} are finished."
            fail(sentence, "Run the same command again, and it goes on from there.", INTERRUPTED)
    return done


@contextmanager
def _progress(total: int) -> Iterator[Callable[[Done, int, str], None]]:
    """On a terminal a bar with an estimate, and above it what was graded; elsewhere a line for each student."""
    if not narration.is_terminal:
        yield lambda done, number, left: narrate(progress.line(done, number, total, left))
        return
    estimate = TextColumn("{task.fields[left]}")  # Rich's own forgets what is older than half a minute
    columns = (TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), estimate)
    with Progress(*columns, console=narration, transient=True) as bar:
        shown = bar.add_task("grading", total=total, left="")

        def show(done: Done, number: int, left: str) -> None:
            if done.task.step is not Step.KEEP:
                narration.print(progress.line(done, number, total))
            bar.update(shown, completed=number, left=left)

        yield show


def _conclude(handins: Sequence[Handin], done: Sequence[Done], output: Path, junit_family: str) -> int:
    """Write the pages of the class, say what became of it, and return the exit status."""
    from grader.batch.class_files import earlier, write_class  # draws with matplotlib, which takes a second to import

    rows = _rows(handins, done)
    for row in rows:
        if row.problem:
            _refuse(row, output)
    kept = earlier(rows, output)
    write_class(sorted([*rows, *kept], key=lambda row: row.handin.student), output, junit_family)
    previews = [one for one in done if one.task.is_preview]
    if previews:
        results.print(progress.differences(previews))
        say("This rubric is new. Nothing was changed: run the same command with --apply to replace the results.")
    elif (output / store.PREVIEW).exists():
        shutil.rmtree(output / store.PREVIEW, ignore_errors=True)
    for line in progress.summary(rows, done):
        say(line)
    if kept:
        say(progress.earlier(len(kept)))
    say(f"Results: {output}")
    return OUR_FAULT if any(is_ours(row.report) for row in rows if row.report) else PASSED


def _refuse(row: Row, output: Path) -> None:
    """Say why there is nothing to grade, and let no earlier result of the student count."""
    narrate(progress.refused(row.handin.student, row.problem))
    if aside := store.set_aside(output / row.handin.student):
        narrate(progress.set_aside(aside))


def _rows(handins: Sequence[Handin], done: Sequence[Done]) -> list[Row]:
    """The class as its results stand: a preview is none of them."""
    reports = {one.task.handin.student: one.counts for one in done}
    return [Row(replace(one, content=b""), reports.get(one.student), one.problem) for one in handins]
