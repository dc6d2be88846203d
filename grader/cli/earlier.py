"""`grade report`, `grade history` and `grade compare`: what earlier grades say, and what changed between them."""

import hashlib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from grader.advice.compare import changes as speed_changes
from grader.advice.compare import why_no_speed
from grader.batch.intake import own_files
from grader.batch.results import attempts, class_folder, student_folder
from grader.batch.results.attempts import KeptAttempt
from grader.batch.results.names import folder_among
from grader.cli.console import check_writable, exit_on_error, say, show
from grader.cli.grading import chosen_seed, graded, planned
from grader.cli.options import BACKEND, PATH, REPORT, RUBRIC, SEED
from grader.errors import UsageError
from grader.host.atomic_write import write_text
from grader.model import Backend, Report
from grader.report.changes import changes, points_words, verdict_changes
from grader.report.html.page import render
from grader.report.json_document import REPORT as REPORT_FILE
from grader.report.json_document import read_for_students
from grader.rubric.outcome import outcome
from grader.rubric.rounding import difference
from grader.text.clean import one_line
from grader.text.numbers import moment
from grader.text.plain_table import numbers, plain_table
from grader.text.remarks import hidden_note

HASH_DIGITS = 8
VERSION = click.Path(path_type=Path)


@click.command("report")
@REPORT
@click.option("--source", type=PATH, help="The graded .cu file, to show its lines in the report.")
@click.option("--output", type=PATH, help="File to write.  [default: report.html beside REPORT]")
def report_command(report: Path, source: Path | None, output: Path | None) -> None:
    """Write report.html from REPORT, a report.json file.

    REPORT may also be the folder of the file. A page that is already there is replaced only if --output names it.
    """
    with exit_on_error():
        record = read_for_students(report)
        page = output or _beside(REPORT_FILE.file_at(report))
        check_writable(page.parent)
        write_text(page, render(record, _graded_content(source, record) if source else None))
        say(str(page))


def _beside(report: Path) -> Path:
    """Return the path of the page. Raises UsageError for an earlier page: a class's pages show more than a report."""
    page = report.with_name("report.html")
    if page.exists():
        sentence = f"{page} is already there. It may show more, such as the submitted file and the student's attempt."
        raise UsageError(sentence, "Name the file to write with --output.")
    return page


def _graded_content(path: Path, report: Report) -> bytes:
    """Return the content of the file. Raises UsageError if it is not the file that was graded."""
    content = own_files.read(path, report.rubric).content
    if hashlib.sha256(content).hexdigest() != report.source.sha256:
        hint = "Name that file, or leave out --source to write the report without its source."
        raise UsageError(f"{path} is not the file that was graded: its SHA-256 differs.", hint)
    return content


@click.command("history")
@click.argument("student")
@click.argument("folder", metavar="[RESULTS]", type=PATH, default=Path("grade-results"))
def history(student: str, folder: Path) -> None:
    """List the attempts of STUDENT in a class, and what changed from each to the next.

    RESULTS is the folder that `grade batch` wrote.  [default: grade-results]
    """
    with exit_on_error():
        every = _attempts(student, folder)
        show(_attempts_table(every))
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


def _attempts_table(every: list[KeptAttempt]) -> Table:
    table = plain_table(*numbers("attempt"), "graded", "file", "SHA-256", "outcome", *numbers("points"))
    for attempt in every:
        report = attempt.report
        cells = (moment(report.started), one_line(report.source.name, 40), report.source.sha256[:HASH_DIGITS])
        ended = outcome(report).replace("-", " ")
        table.add_row(str(attempt.number), *map(Text, (*cells, ended, points_words(report))))
    return table


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
        paths, inputs = (before, after), chosen_seed(seed)
        kernels = [path for path in paths if path.suffix == own_files.SOURCE]
        plans = {path: planned(path, rubric_path, (), inputs) for path in kernels}  # report a wrong name at once
        reports = [graded(*plans[path], backend) if path in plans else read_for_students(path) for path in paths]
        for change in verdict_changes(reports[0], reports[1]):
            say(change)
        if what := difference(reports):
            say(f"The two {what}s differ, so the points do not compare.")
        show(_versions_table(paths, reports))
        if note := hidden_note(reports[1].rubric):
            say(note)
        if why := why_no_speed(reports[0], reports[1]):
            show(Text(why, style="yellow"))


def _versions_table(paths: Sequence[Path], reports: Sequence[Report]) -> Table:
    versions = numbers(*(one_line(str(path), 40) for path in paths))
    table = plain_table("", *versions, "change")
    table.add_row("verdict", *(outcome(report).replace("-", " ") for report in reports), "")
    for change in speed_changes(*reports):
        if change.verdict or change.before != change.after:
            table.add_row(*map(Text, (change.quantity, change.before, change.after, change.verdict)))
    return table
