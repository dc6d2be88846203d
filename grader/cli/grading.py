"""`grade run` and `grade check`: one submission."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click
from rich.text import Text

from grader.cli import terminal
from grader.cli.endings import check_writable, narrate, narration, results, sentences, status
from grader.cli.options import BACKEND, CONTAINER, DEFINE, FILE, RUBRIC, SEED
from grader.errors import UsageError
from grader.host import resources
from grader.judge import submission
from grader.judge.plan import Plan
from grader.model import Backend, Report, Rubric, State
from grader.pipeline import Tell, grade
from grader.report import json_report, junit
from grader.report.all_formats import FORMATS, write_all
from grader.rubric import load as rubrics
from grader.sandbox import launchers
from grader.study.measure import variants
from grader.timing.gpu_lock import WAITING


@click.command()
@FILE
@RUBRIC
@BACKEND
@CONTAINER
@click.option("--output", type=click.Path(path_type=Path), default=Path("grade-report"), show_default=True,
              help="Folder for report.json, junit.xml and report.html.")  # fmt: skip
@DEFINE
@SEED
@click.option("--full", is_flag=True, help="Run every block on the simulator, at the large sizes too.")
@click.option("--junit-family", type=click.Choice(junit.FAMILIES), default="xunit2", show_default=True,
              help="xunit2 is the strict dialect; ci adds file and line of each fault.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON instead of tables.")
def run(
    file: Path,
    rubric_path: Path | None,
    backend: str,
    image: str,
    output: Path,
    defines: tuple[str, ...],
    seed: int | None,
    full: bool,
    junit_family: str,
    as_json: bool,
) -> None:
    """Grade FILE: correctness at every size, speed where there is a GPU, points, reports."""
    with sentences():
        plan = _plan(file, rubric_path, defines, seed, full=full)
        check_writable(output)
        content = submission.read(file)
        report = _grade(plan, backend, image, lambda one: write_all(one, content, output, junit_family))
        if as_json:
            click.echo(json.dumps(json_report.to_dict(report), indent=2, allow_nan=False))
        else:
            results.print(terminal.summary(report))
        narrate(Text("Reports: " + ", ".join(str(output / name) for name in FORMATS)))
    sys.exit(status(report))


@click.command()
@FILE
@RUBRIC
@BACKEND
@CONTAINER
@DEFINE
@SEED
def check(
    file: Path, rubric_path: Path | None, backend: str, image: str, defines: tuple[str, ...], seed: int | None
) -> None:
    """Compile FILE and check that it is right at a few small sizes. Quick, for while you work; writes nothing."""
    with sentences():
        plan = _plan(file, rubric_path, defines, seed, full=False)
        plan = replace(plan, sizes=plan.rubric.quick_sizes, timed=False)
        report = _grade(plan, backend, image, lambda _: None)
        results.print(terminal.verdict_only(report))
    sys.exit(status(report))


def load_lab(rubric_path: Path | None) -> tuple[Rubric, bytes]:
    """The rubric, square.toml where none is named, and the source of its naive kernel. Raises UsageError."""
    path = rubric_path or resources.folder("rubrics") / "square.toml"
    rubric = rubrics.load(path)
    naive = rubrics.find_kernel(rubric.naive, path.parent) if rubric.naive else None
    return rubric, naive.read_bytes() if naive else b""


def fresh_unless(seed: int | None) -> int:
    """The seed that was asked for, or else one that nobody could know before."""
    return secrets.randbits(32) if seed is None else seed


def _plan(file: Path, rubric_path: Path | None, defines: tuple[str, ...], seed: int | None, *, full: bool) -> Plan:
    submission.read(file)  # what cannot be read is found before anything is written
    rubric, naive = load_lab(rubric_path)
    rubric = replace(rubric, flags=(*rubric.flags, *_flags(file, defines)))
    return Plan(file, rubric, naive, fresh_unless(seed), rubric.sizes, full)


def _flags(file: Path, defines: tuple[str, ...]) -> tuple[str, ...]:
    """Those that give the macros of the file their values. Raises UsageError."""
    found = variants.variants((file,), variants.parse_defines(defines)) if defines else ()
    if len(found) > 1:
        raise UsageError("--define: a grade takes one value of a macro.", "`grade sweep` takes several.")
    return found[0].flags if found else ()


def _grade(plan: Plan, backend: str, image: str, save: Callable[[Report], None]) -> Report:
    """Grade with live progress; `save` gets the report when it begins, when a step begins, and at the end."""
    chosen = launchers.choose(None if backend == "auto" else Backend(backend), image)
    plan = replace(plan, start=chosen.start)
    narrate(terminal.machine_line(chosen.machine))
    told: dict[str, Report] = {}
    with _progress() as show:

        def tell(report: Report, step: str) -> None:
            if step not in told:
                save(report)
                if step == WAITING:
                    narrate(Text(WAITING))
            told[step] = report
            show(report, step)

        try:
            report = grade(plan, chosen.machine, tell)
        except KeyboardInterrupt:
            if told:
                save(replace(list(told.values())[-1], state=State.INTERRUPTED))
            raise
    save(report)
    if report.infrastructure:
        narrate(terminal.mistakes(f"The grader could not finish. {report.infrastructure}", "This costs no points."))
    return report


@contextmanager
def _progress() -> Iterator[Tell]:
    """A line that changes on a terminal; elsewhere, as in a CI job's log, a line for each size that is done."""
    if narration.is_terminal:
        with narration.status("compiling") as status:
            yield lambda report, step: status.update(Text(terminal.progress_line(report, step)))
        return
    shown = 0

    def show(report: Report, step: str) -> None:
        nonlocal shown
        lines = terminal.finished_sizes(report, step)
        for line in lines[shown:]:
            narrate(Text(line))
        shown = len(lines)

    yield show
