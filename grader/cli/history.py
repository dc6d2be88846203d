"""`grade history`: the attempts of a student in a class."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from grader.batch.results import attempts, class_folder, student_folder
from grader.batch.results.attempts import KeptAttempt
from grader.batch.results.names import folder_among
from grader.cli.console import exit_on_error, say, show
from grader.cli.options import PATH
from grader.errors import UsageError
from grader.report.changes import changes, points_words
from grader.rubric.outcome import outcome
from grader.text.clean import one_line
from grader.text.numbers import moment
from grader.text.plain_table import numbers, plain_table

HASH_DIGITS = 8


@click.command("history")
@click.argument("student")
@click.argument("folder", metavar="[RESULTS]", type=PATH, default=Path("grade-results"))
def history(student: str, folder: Path) -> None:
    """List the attempts of STUDENT in a class, and what changed from each to the next.

    RESULTS is the folder that `grade batch` wrote.  [default: grade-results]
    """
    with exit_on_error():
        every = _attempts(student, folder)
        show(_table(every))
        for before, after in pairwise(every):
            say(f"From attempt {before.number} to {after.number}:")
            for change in changes(before.report, after.report):
                say(f"  {change}")


def _attempts(student: str, folder: Path) -> list[KeptAttempt]:
    """Return the attempts. Raises UsageError for an unknown student, and for one who has none."""
    known = class_folder.students(folder) if folder.is_dir() else []
    own = class_folder.folder_of(folder_among(known, student, str(folder)), folder)
    current = student_folder.read(own)
    every = attempts.with_current(own, current.report if current else None)
    if not every:
        raise UsageError(f"{student} has no attempt that was graded.", student_folder.read_reason(own))
    return every


def _table(every: list[KeptAttempt]) -> Table:
    table = plain_table(*numbers("attempt"), "graded", "file", "SHA-256", "outcome", *numbers("points"))
    for attempt in every:
        report = attempt.report
        cells = (moment(report.started), one_line(report.source.name, 40), report.source.sha256[:HASH_DIGITS])
        ended = outcome(report).replace("-", " ")
        table.add_row(str(attempt.number), *map(Text, (*cells, ended, points_words(report))))
    return table
