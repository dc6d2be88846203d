"""`grade run`, and how any command grades one submission."""

import json
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from grader.batch.intake import own_files
from grader.batch.intake.own_files import Submitted
from grader.cli import console, options, terminal
from grader.cli.console import (
    FAILED,
    GRADER_ERROR,
    INTERRUPTED,
    NOT_HERE,
    PASSED,
    check_writable,
    error_message,
    exit_on_error,
    fail,
    narrate,
    narration,
    show,
)
from grader.errors import UsageError
from grader.host import timeline
from grader.host.atomic_write import sweep
from grader.host.gpu_lock import WAITING
from grader.judge.conditions import GradePlan
from grader.model import Backend, Report, Rubric, State
from grader.pipeline import COMPLETE, COUNTING, OnProgress, grade_content
from grader.report import background, json_document
from grader.report.all_formats import FORMATS, rendered, write_all
from grader.report.background import ReportSaver
from grader.report.junit import Dialect
from grader.rubric import load as rubrics
from grader.rubric.outcome import GradeOutcome, next_step, outcome
from grader.rubric.visible import visible_rubric
from grader.sandbox import box_files, launchers
from grader.sandbox.launchers import WorkerHost
from grader.study.measure import variants

STATUS = {GradeOutcome.CORRECT: PASSED, GradeOutcome.WRONG: FAILED, GradeOutcome.NOT_HERE: NOT_HERE}
PART_SECONDS = 3600  # another command may be writing to the same folder
NOT_SAVED = ReportSaver(lambda _: lambda: None, lambda _: None)  # for commands that write no reports


@click.command()
@options.FILE
@options.RUBRIC
@options.BACKEND
@options.CONTAINER
@options.ALLOW_UNCONFINED
@click.option("--output", type=options.PATH, default=Path("grade-report"), show_default=True,
              help="Folder for report.json, junit.xml and report.html.")  # fmt: skip
@options.DEFINE
@options.DEVICE
@options.SEED
@options.JUNIT_FAMILY
@options.SOURCE
@options.TRACE
@options.PROFILE
@options.PROFILE_SIZE
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON instead of tables.")
def run(
    file: Path, rubric_path: Path, backend: Backend | None, image: str, allow_unconfined: bool, output: Path,
    defines: tuple[str, ...], device: str | None, seed: int | None, junit_family: str, source: str, trace: Path | None,
    profile: bool, profile_size: str, as_json: bool,
) -> None:  # fmt: skip
    """Grade FILE and write the reports.

    Checks the results at every size of the rubric, measures speed if there is a GPU, and computes the points.
    """
    with exit_on_error():
        plan, submitted = planned(file, rubric_path, defines, seed)
        content = submitted.content  # read once: what is graded is what the reports show
        sizes = options.sizes_to_profile(plan.rubric, profile_size, image, wanted=profile)
        plan = replace(plan, device=device or "", profiled_sizes=sizes)
        check_writable(output)
        sweep(output, PART_SECONDS)
        options.confine(image, allow_unconfined=allow_unconfined)
        render = partial(rendered, content=content, dialect=Dialect(junit_family, source))
        write = partial(write_all, folder=output)
        with traced(trace):
            host = launchers.choose(backend, image)
            has_figures = host.machine.backend.capabilities.measures_speed
            with background.report_saver(render, write, draws=has_figures) as saver:
                unfinished = NOT_SAVED.begin if json_document.holds_finished(output) else saver.begin
                with telling_where(output):
                    report = grade_with_progress(plan, content, host, replace(saver, begin=unfinished))
                saved = saver.begin(report)
                if as_json:
                    click.echo(json.dumps(json_document.REPORT.to_dict(report), indent=2, allow_nan=False))
                else:
                    show(terminal.summary(report))
                saved()
        narrate("Reports: " + ", ".join(str(output / name) for name in FORMATS))
    sys.exit(status(report))


@contextmanager
def telling_where(output: Path) -> Iterator[None]:
    """Say where the reports of an interrupted grade are, and exit."""
    try:
        yield
    except KeyboardInterrupt:
        if json_document.holds_finished(output) or not (output / "report.json").is_file():
            raise
        sentence = f"Interrupted, so there is no grade. The reports in {output} show what was checked."
        fail(sentence, "Run the same command again.", INTERRUPTED)


def graded(plan: GradePlan, submitted: Submitted, backend: Backend | None) -> Report:
    """Grade a submission without writing reports."""
    return grade_with_progress(plan, submitted.content, launchers.choose(backend, ""), NOT_SAVED)


@contextmanager
def traced(trace: Path | None) -> Iterator[None]:
    """Record a timeline if the user asks for it. Raises UsageError if the file cannot be written."""
    if trace is None:
        yield
        return
    check_writable(trace.parent)
    with timeline.recorded(trace) as spans:
        yield
    narrate(f"Timeline: {trace}")
    if waits := timeline.longest_waits(spans):
        narrate(f"Waits (number): {waits}.")


def load_lab(rubric_path: Path) -> tuple[Rubric, bytes]:
    """Return the rubric and the source of its naive kernel, empty if it has none. Raises UsageError."""
    rubric = rubrics.load(rubric_path)
    naive = rubrics.find_kernel(rubric.naive, rubric_path.parent) if rubric.naive else None
    return rubric, naive.read_bytes() if naive else b""


def chosen_seed(seed: int | None) -> int:
    """Return the seed of the command line, or else one that students cannot predict."""
    return secrets.randbits(128) if seed is None else seed


def planned(file: Path, rubric_path: Path, defines: tuple[str, ...], seed: int | None) -> tuple[GradePlan, Submitted]:
    """Return the plan of a grade as the command line describes it, and the submission. Raises UsageError."""
    rubric, naive = load_lab(rubric_path)
    rubric = visible_rubric(rubric, datetime.now(UTC))
    submitted = own_files.read(file, rubric)
    rubric = replace(rubric, flags=(*rubric.flags, *_flags(file, submitted, defines)))
    return GradePlan(Path(submitted.name), rubric, naive, chosen_seed(seed), rubric.sizes), submitted


def _flags(file: Path, submitted: Submitted, defines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the compiler flags that set the macros. Raises UsageError."""
    chosen = variants.variants({file: submitted.content}, variants.parse_defines(defines)) if defines else ()
    if len(chosen) > 1:
        raise UsageError("--define takes one value for each macro.", "To try several values, use `grade sweep`.")
    return chosen[0].flags if chosen else ()


def grade_with_progress(plan: GradePlan, content: bytes, host: WorkerHost, saver: ReportSaver) -> Report:
    """Grade and show progress; the report is saved when grading begins, at each new step, and when interrupted."""
    box_files.sweep()
    options.check_backend(host.machine.backend, plan.profiled_sizes)
    plan = replace(plan, start=host.start)
    narrate(terminal.machine_line(host.machine))
    told: dict[str, Report] = {}
    with progress(plan.results(host.machine.backend)) as show:

        def tell(report: Report, step: str) -> None:
            if step == COMPLETE:
                saver.draw(report)  # while the workers end; it is saved when nothing of the submission is left
                return
            if step not in told and step != COUNTING:  # the finished report follows at once
                saver.begin(report)  # what is not written is told when the finished report is not
                if step == WAITING:
                    narrate(WAITING)
            told[step] = report
            show(report, step)

        try:
            report = grade_content(plan, content, host.machine, tell)
        except KeyboardInterrupt:
            if told:
                saver.begin(replace(list(told.values())[-1], state=State.INTERRUPTED))()
            raise
    if report.infrastructure:
        sentence = f"The grader could not finish. {report.infrastructure}"
        narrate(error_message(sentence, f"This costs no points. {next_step(report)}"))
    return report


@contextmanager
def progress(total: int) -> Iterator[OnProgress]:
    """Yield what shows progress: one changing line on a terminal; elsewhere a line for each finished size."""
    if narration.is_terminal:
        with console.running("compiling") as tell:
            yield lambda report, step: tell(description=terminal.progress_line(report, step, total))
        return
    shown = 0

    def show(report: Report, step: str) -> None:
        nonlocal shown
        lines = terminal.finished_sizes(report, step)
        for line in lines[shown:]:
            narrate(line)
        shown = len(lines)

    yield show


def status(report: Report) -> int:
    """Return the exit status for a report."""
    return STATUS.get(outcome(report), GRADER_ERROR)
