"""`grade sweep`: kernels x sizes x macros, with the tables and figures of a write-up."""

import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click

import grader
from grader.batch.intake import own_files
from grader.cli import terminal
from grader.cli.console import (
    FAILED,
    INTERRUPTED,
    PASSED,
    check_writable,
    exit_on_error,
    fail,
    narrate,
    narration,
    running,
    show,
)
from grader.cli.options import BACKEND, PATH, RUBRIC, seed_in_range
from grader.errors import InfrastructureError
from grader.host import machine
from grader.host.gpu_lock import WAITING
from grader.model import Backend, Machine, Verdict
from grader.rubric import load as rubrics
from grader.rubric.visible import visible_rubric
from grader.study.measure import planning, progress, roofline, sizes
from grader.study.measure.journal import Journal, open_journal
from grader.study.measure.planning import StudyPlan
from grader.study.measure.records import Roof, Study
from grader.study.measure.sweep import Point, sweep
from grader.study.present import outputs, tables
from grader.text.clean import one_line

Show = Callable[[Point], None]


@click.command("sweep")
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE…")
@RUBRIC
@click.option("--sizes", "sizes_text", default=sizes.RUBRIC, show_default=True,
              help="A list, such as 256,512 or 512x768x1024 (M x N x K); a range with a step, such as 255:2049:3 or "
              "256:4096:*2 (both ends included); a range with a number of sizes, such as 255:2049/22; or one word: "
              "rubric (its sizes), curve (more than twenty sizes from 255 to 2049), powers (of two).")  # fmt: skip
@click.option("--define", "defines", multiple=True, metavar="NAME=A,B,…",
              help="Values of a macro, such as BLOCK=8,16. Repeat the option for several macros.")  # fmt: skip
@click.option("--baselines", default=None,
              help="Baselines to measure, such as naive,cublas,blas.  [default: the rubric's, and blas]")  # fmt: skip
@BACKEND
@click.option("--output", type=PATH, default=Path("study"), show_default=True,
              help="Folder for tables, figures and study.html. If it contains an interrupted study, that study is "
              "continued.")  # fmt: skip
@click.option("--check/--no-check", default=True, show_default=True,
              help="Check the results at every size before measuring; with --no-check, at the smallest size only. "
              "The results of timed launches are always checked.")  # fmt: skip
@click.option("--peak-gflops", type=click.FloatRange(0, min_open=True),
              help="Peak GFLOPS for the roofline.  [default: from the device's clock and cores]")  # fmt: skip
@click.option("--bandwidth", "bandwidths", metavar="GB/S[,GB/S]", default="",
              help="Peak and sustained memory bandwidth for the roofline.  [default: the device's]")  # fmt: skip
@click.option("--seed", type=int, metavar="NUMBER", callback=seed_in_range, default=1, show_default=True,
              help="Seed of the input matrices. A continued study needs the same seed.")  # fmt: skip
def sweep_command(
    files: tuple[Path, ...], rubric_path: Path, sizes_text: str, defines: tuple[str, ...], baselines: str | None,
    backend: Backend | None, output: Path, check: bool, peak_gflops: float | None, bandwidths: str, seed: int,
) -> None:  # fmt: skip
    """Measure kernels at many sizes and with many macro values.

    Writes tables, figures and study.html for the kernels in each FILE. To continue an interrupted study, run the same
    command again.
    """
    with exit_on_error():
        rubric = visible_rubric(rubrics.load(rubric_path), datetime.now(UTC))
        contents = {file: own_files.read(file, rubric).content for file in files}
        plan = planning.from_options(contents, rubric, rubric_path, sizes_text, defines, baselines, seed, check)
        given = planning.bandwidths(bandwidths)
        check_writable(output)
        chosen = machine.choose(backend)
        narrate(terminal.machine_line(chosen))
        plan, left_out = planning.as_far_as_possible(plan, chosen)
        if left_out:
            narrate(left_out)
        journal = open_journal(output / "sweep.jsonl")
        bound = roofline.roof(rubric, chosen, journal, peak_gflops, given)
        points: list[Point] = []
        try:
            _gather(plan, chosen, journal, points)
        except (KeyboardInterrupt, InfrastructureError) as ended:
            outputs.write_tables(_study(plan, chosen, bound, points), output)
            if isinstance(ended, InfrastructureError):
                raise
            done = f"Interrupted: {len(points)} of {plan.points} measurements are finished and kept in {output}."
            fail(done, "Run the same command again to continue.", INTERRUPTED)
        whole = _study(plan, chosen, bound, points)
        outputs.write(whole, output)
        kept = sum(point.kept for point in points)
        if kept:
            narrate(f"{kept} of {plan.points} measurements are from an earlier run.")
        show(tables.table(whole))
        narrate(f"Tables, figures and page: {output / 'study.html'}")
    sys.exit(PASSED if all(row.verdict is Verdict.OK for row in whole.rows) else FAILED)


def _gather(plan: StudyPlan, chosen: Machine, journal: Journal, points: list[Point]) -> None:
    with _progress(plan) as (tell, show):
        for point in sweep(plan, chosen, journal, tell):
            points.append(point)
            show(point)


def _say_waiting(doing: str) -> None:
    """Report in a log only that the GPU is in use; every other step is followed by its result."""
    if doing == WAITING:
        narrate(WAITING)


@contextmanager
def _progress(plan: StudyPlan) -> Iterator[tuple[Callable[[str], None], Show]]:
    """A bar with an estimate on a terminal; elsewhere, as in a CI job's log, a line for each point."""
    so_far, began = progress.begin(plan), time.monotonic()
    if not narration.is_terminal:

        def show_line(point: Point) -> None:
            so_far.take(point, plan.shapes)
            if not point.kept:
                narrate(progress.line(point, so_far, time.monotonic() - began))

        yield _say_waiting, show_line
        return
    with running("compiling", so_far.points) as update:

        def show_bar(point: Point) -> None:
            so_far.take(point, plan.shapes)
            left = so_far.left(time.monotonic() - began)
            update(completed=so_far.done, description=progress.words(point), left=left)

        yield lambda words: update(description=words), show_bar


def _study(plan: StudyPlan, chosen: Machine, bound: Roof, points: list[Point]) -> Study:
    """Return the study, its rows in the order of the plan."""
    names = {variant.name: number for number, variant in enumerate(plan.variants)}
    places = {shape: number for number, shape in enumerate(plan.shapes)}

    def place(point: Point) -> tuple[int, int]:
        return names.get(point.name, len(names)), places.get(point.shape, 0) if point.shape else 0

    rubric = plan.rubric
    return Study(
        grader_version=grader.__version__,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        command=one_line(shlex.join(["grade", *sys.argv[1:]]), 1000),
        rubric=rubric.title,
        rubric_sha256=rubric.sha256,
        types=(rubric.interface.type_a, rubric.interface.type_b, rubric.interface.type_c),
        machine=chosen,
        roof=bound,
        rows=tuple(row for point in sorted(points, key=place) for row in point.rows),
        timed_sizes=rubric.timed_sizes,
    )
