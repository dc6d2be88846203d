"""`grade compare`: what changed from one version of a kernel to the next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from grader.advice.compare import changes, why_no_speed
from grader.batch.intake import own_files
from grader.cli.console import exit_on_error, say, show
from grader.cli.grading import chosen_seed, graded
from grader.cli.options import BACKEND, RUBRIC, SEED
from grader.model import Backend, Report
from grader.report.changes import verdict_changes
from grader.report.json_document import read_for_students
from grader.rubric.outcome import outcome
from grader.rubric.rounding import difference
from grader.text.clean import one_line
from grader.text.plain_table import numbers, plain_table
from grader.text.remarks import hidden_note

VERSION = click.Path(path_type=Path)


@click.command()
@click.argument("before", type=VERSION)
@click.argument("after", type=VERSION)
@RUBRIC
@BACKEND
@SEED
def compare(before: Path, after: Path, rubric_path: Path, backend: Backend | None, seed: int | None) -> None:
    """Compare two kernels or reports: verdicts, points, speed and counters.

    BEFORE and AFTER are report.json files or their folders, or .cu files, which are graded now with the same inputs.
    """
    with exit_on_error():
        for path in (before, after):  # report a wrong name at once
            if path.suffix == own_files.SOURCE:
                own_files.read(path)
        inputs = chosen_seed(seed)
        reports = [
            graded(path, rubric_path, backend, inputs) if path.suffix == own_files.SOURCE else read_for_students(path)
            for path in (before, after)
        ]
        for change in verdict_changes(reports[0], reports[1]):
            say(change)
        if what := difference(reports):
            say(f"The two {what}s differ, so the points do not compare.")
        show(_table((before, after), reports))
        if note := hidden_note(reports[1].rubric):
            say(note)
        if why := why_no_speed(reports[0], reports[1]):
            show(Text(why, style="yellow"))


def _table(paths: Sequence[Path], reports: Sequence[Report]) -> Table:
    versions = numbers(*(one_line(str(path), 40) for path in paths))
    table = plain_table("", *versions, "change")
    table.add_row("verdict", *(outcome(report).replace("-", " ") for report in reports), "")
    for change in changes(*reports):
        if change.verdict or change.before != change.after:
            table.add_row(*map(Text, (change.quantity, change.before, change.after, change.verdict)))
    return table
