"""`grade sweep`: kernels x sizes x macros, with the tables and figures of a write-up."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar
from rich.table import Column
from rich.text import Text

import grader
from grader.cli import terminal
from grader.cli.endings import (
    FELL_SHORT,
    INTERRUPTED,
    PASSED,
    check_writable,
    fail,
    narrate,
    narration,
    results,
    sentences,
)
from grader.cli.options import BACKEND, RUBRIC, SEED
from grader.errors import InfrastructureError
from grader.host import machine, resources
from grader.model import Backend, Machine, Verdict
from grader.rubric import load as rubrics
from grader.study.measure import planning, progress, sizes, survey
from grader.study.measure.journal import Journal, open_journal
from grader.study.measure.plan import Plan
from grader.study.measure.records import Roof, Study
from grader.study.measure.sweep import Point, sweep
from grader.study.present import outputs, summary
from grader.text.clean import one_line
from grader.timing.gpu_lock import WAITING

FIXED_SEED = 1  # so that a study that goes on measures the same inputs
Show = Callable[[Point], None]


@click.command("sweep")
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="FILE…")
@RUBRIC
@click.option("--sizes", "sizes_text", default=sizes.RUBRIC, show_default=True,
              help="256,512 or 255:2049:3 (the end counts) or 256:4096:*2 or 255:2049/22 (so many) or 512x768x1024 "
              "(M x N x K) or the words rubric, curve (more than twenty from 255 to 2049), powers.")  # fmt: skip
@click.option("--define", "defines", multiple=True, metavar="NAME=A,B,…", help="Values of a macro, such as BLOCK=8,16.")
@click.option("--baselines", default=None, help="Of naive, cublas and blas. Default: what the rubric has, and blas.")
@BACKEND
@click.option("--output", type=click.Path(path_type=Path), default=Path("study"), show_default=True,
              help="Folder for the tables, figures and study.html; a run goes on where the last ended.")  # fmt: skip
@click.option("--check/--no-check", default=True, show_default=True,
              help="Check every size ahead, or only the smallest. Timed launches are checked anyhow.")  # fmt: skip
@click.option("--peak-gflops", type=click.FloatRange(0, min_open=True), help="Of the roofline. Default: the device's.")
@click.option("--bandwidth", "bandwidths", metavar="GB/S[,GB/S]", default="",
              help="Of the roofline's memory: in theory, and sustained. Default: the device's.")  # fmt: skip
@SEED
def sweep_command(
    files: tuple[Path, ...],
    rubric_path: Path | None,
    sizes_text: str,
    defines: tuple[str, ...],
    baselines: str | None,
    backend: str,
    output: Path,
    check: bool,
    peak_gflops: float | None,
    bandwidths: str,
    seed: int | None,
) -> None:
    """Measure each FILE at many sizes and with many values of its macros, and draw the figures of a write-up."""
    with sentences():
        path = rubric_path or resources.folder("rubrics") / "square.toml"
        rubric = rubrics.load(path)
        plan = planning.from_words(
            files, rubric, path, sizes_text, defines, baselines, FIXED_SEED if seed is None else seed, check
        )
        given = planning.bandwidths(bandwidths)
        check_writable(output)
        chosen = machine.choose(None if backend == "auto" else Backend(backend))
        narrate(terminal.machine_line(chosen))
        plan, left_out = planning.as_far_as_possible(plan, chosen)
        if left_out:
            narrate(Text(left_out))
        journal = open_journal(output / "sweep.jsonl")
        bound = survey.roof(rubric, chosen, journal, peak_gflops, given)
        found: list[Point] = []

        def study() -> Study:
            return _study(plan, chosen, bound, found)

        try:
            _gather(plan, chosen, journal, found)
        except (KeyboardInterrupt, InfrastructureError) as ended:
            outputs.write_tables(study(), output)
            if isinstance(ended, InfrastructureError):
                raise
            done = f"Interrupted; {len(found)} of {plan.points} points are kept in {output}."
            fail(done, "Run the same command again to go on from there.", INTERRUPTED)
        whole = study()
        outputs.write(whole, output)
        kept = sum(point.kept for point in found)
        if kept:
            narrate(Text(f"{kept} of {plan.points} points were measured by an earlier run."))
        results.print(summary.table(whole))
        narrate(Text(f"Tables, figures and the page: {output / 'study.html'}"))
    sys.exit(PASSED if all(row.verdict is Verdict.OK for row in whole.rows) else FELL_SHORT)


def _gather(plan: Plan, chosen: Machine, journal: Journal, found: list[Point]) -> None:
    with _progress(plan) as (tell, show):
        for point in sweep(plan, chosen, journal, tell):
            found.append(point)
            show(point)


def _say_waiting(doing: str) -> None:
    """Of what is being done, a log says nothing but that nothing is."""
    if doing == WAITING:
        narrate(Text(WAITING))


@contextmanager
def _progress(plan: Plan) -> Iterator[tuple[Callable[[str], None], Show]]:
    """A bar with an estimate on a terminal; elsewhere, as in a CI job's log, a line for each point."""
    so_far, began = progress.begin(plan), time.monotonic()
    if not narration.is_terminal:

        def show_line(point: Point) -> None:
            so_far.take(point, plan.shapes)
            if not point.kept:
                narrate(Text(progress.line(point, so_far, time.monotonic() - began)))

        yield _say_waiting, show_line
        return
    cut = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    columns = (BarColumn(20), MofNCompleteColumn(), TextColumn("{task.fields[left]}"),
               TextColumn("{task.description}", markup=False, table_column=cut))  # fmt: skip
    with Bar(*columns, console=narration, transient=True, expand=True) as bar:
        task = bar.add_task("compiling", total=so_far.points, left="")

        def show_bar(point: Point) -> None:
            so_far.take(point, plan.shapes)
            left = progress.left(so_far, time.monotonic() - began)
            bar.update(task, completed=so_far.done, description=progress.words(point), left=left)

        yield lambda words: bar.update(task, description=words), show_bar


def _study(plan: Plan, chosen: Machine, bound: Roof, found: list[Point]) -> Study:
    """The rows in the order of the plan, whatever was measured first."""
    names = {one.name: number for number, one in enumerate(plan.variants)}
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
        rows=tuple(row for point in sorted(found, key=place) for row in point.rows),
        timed_sizes=rubric.timed_sizes,
    )
