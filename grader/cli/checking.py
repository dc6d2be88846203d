"""`grade check`: whether submissions are correct, quickly and without reports."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from grader.batch.intake.own_files import Submitted
from grader.cli import remembered, terminal
from grader.cli.console import PASSED, WRONG_USAGE, error_message, exit_on_error, narrate, results, say, show
from grader.cli.grading import NOT_SAVED, grade_with_progress, planned, status, traced
from grader.cli.options import ALLOW_UNCONFINED, BACKEND, CONTAINER, DEFINE, FILES, RUBRIC, SEED, TRACE, confine
from grader.cli.remembered import AskedCheck
from grader.errors import UsageError
from grader.judge.conditions import GradePlan
from grader.model import Backend, Report, State, Verdict
from grader.rubric import labs
from grader.sandbox import launchers

LOOK_SECONDS = 0.3


@click.command()
@FILES
@RUBRIC
@BACKEND
@CONTAINER
@ALLOW_UNCONFINED
@DEFINE
@SEED
@TRACE
@click.option("--watch", is_flag=True, help="Check again whenever a file is saved, until Ctrl-C. "
              "The exit status is that of the last check.")  # fmt: skip
@click.option(remembered.AGAIN, is_flag=True, help="Check again even if nothing has changed since the last check.")
@click.pass_obj
def check(
    asked: AskedCheck | None, files: tuple[Path, ...], rubric_path: Path, backend: Backend | None, image: str,
    allow_unconfined: bool, defines: tuple[str, ...], seed: int | None, trace: Path | None, watch: bool,
    again: bool,  # noqa: ARG001 - heeded before this module is loaded
) -> None:  # fmt: skip
    """Check each FILE quickly at a few small sizes.

    FILE may include headers beside it, or be a folder or a zip file with a .cu file.

    Compiles FILE and checks its results. Writes no files and computes no points. With several files, the exit status is
    that of the worst. The result of one file on the simulator is remembered, and shown again while nothing has changed.
    """

    def check_all(read: _Plans) -> int:
        worst = PASSED
        for file, (whole, submitted) in read.of_files.items():
            plan = replace(whole, sizes=whole.rubric.quick_sizes, timed=False)
            if len(files) > 1:
                say(f"{file}:")
            headers = (rubric_path.parent / header.name for header in plan.rubric.headers)
            asked_now = _reading(reads, (*headers, *submitted.files))
            report = grade_with_progress(plan, submitted.content, launchers.choose(backend, image), NOT_SAVED)
            printed = show(terminal.verdict_only(report))
            if asked_now and _would_repeat(report):
                remembered.keep(asked_now, status(report), printed)
            worst = max(worst, status(report))
        for refusal in read.refused:
            narrate(error_message(refusal.sentence, ""))
        return max(worst, WRONG_USAGE) if read.refused else worst

    read = partial(_read, files, partial(planned, rubric_path=rubric_path, defines=defines, seed=seed))
    with exit_on_error():
        first = read()  # report a wrong name at once
        is_plain = not (watch or trace or image or len(files) > 1 or files[0].is_dir())
        rubrics = (rubric_path, files[0].parent / labs.OWN_RUBRIC)  # the second one is taken as soon as it is there
        reads = _reading(asked if is_plain else None, rubrics)
        confine(image, allow_unconfined=allow_unconfined)
        with traced(trace):
            worst = check_after_saves(first.saved, lambda: check_all(read())) if watch else check_all(first)
    sys.exit(worst)


@dataclass(frozen=True, slots=True)
class _Plans:
    """The plan and the submission of each file, and why some folders have none."""

    of_files: Mapping[Path, tuple[GradePlan, Submitted]]
    refused: Sequence[UsageError]

    @property
    def saved(self) -> list[Path]:
        """All files that are graded or included, if they are there."""
        return [path for _, submitted in self.of_files.values() for path in submitted.files if path.is_file()]


def _read(files: Sequence[Path], plan: Callable[[Path], tuple[GradePlan, Submitted]]) -> _Plans:
    """Read the files. Raises UsageError for one that cannot be read, and if there are only such folders."""
    plans, refused = {}, []
    for file in files:
        try:
            plans[file] = plan(file)
        except UsageError as error:  # a folder may be among the files that a pattern names
            if not file.is_dir():
                raise
            refused.append(error)
    if not plans:
        raise refused[0]
    return _Plans(plans, refused)


def _reading(reads: AskedCheck | None, paths: Iterable[Path]) -> AskedCheck | None:
    """Return the check, which reads these files too."""
    for path in paths:
        reads = reads.reading(path) if reads else None
    return reads


def _would_repeat(report: Report) -> bool:
    """Whether the same check would end in the same way: no GPU, limit, grader error or date has decided it."""
    uses_gpu = report.machine.backend.capabilities.uses_gpu
    if report.state is not State.FINISHED or uses_gpu or report.rubric.visible_after:
        return False
    limits = [verdict for verdict in report.verdicts if verdict.stopped_at_a_limit]
    return not limits and Verdict.NOT_SUPPORTED not in report.verdicts


def check_after_saves(files: Sequence[Path], check: Callable[[], int]) -> int:
    """Check now and after each save until Ctrl-C, and return the exit status of the last check."""
    status = PASSED
    try:
        for _ in saves(files):
            results.clear()  # of a terminal only
            try:
                status = check()
            except UsageError as error:  # half a file was saved, or an empty one
                narrate(error_message(error.sentence, error.hint))
            narrate("Waiting for the next save. Press Ctrl-C to stop.")
    except KeyboardInterrupt:
        return status
    return status


def saves(files: Sequence[Path]) -> Iterator[None]:
    """Yield at once, and whenever one of the files has changed or is still missing: editors replace files."""
    seen = before = None
    while True:
        states = [_state(file) for file in files]
        if states != seen and (None not in states or states == before):
            seen = states
            yield
        before = states
        time.sleep(LOOK_SECONDS)


def _state(file: Path) -> tuple[int, int, int] | None:
    try:
        status = file.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size
