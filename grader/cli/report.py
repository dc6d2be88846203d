"""`grade report`: report.html of an earlier grade."""

from __future__ import annotations

import hashlib
from pathlib import Path

import click

from grader.batch.intake import own_files
from grader.cli.console import check_writable, exit_on_error, say
from grader.cli.options import PATH, REPORT
from grader.errors import UsageError
from grader.host.atomic_write import write_text
from grader.model import Report
from grader.report.html.page import render
from grader.report.json_document import REPORT as REPORT_FILE
from grader.report.json_document import read_for_students


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
        write_text(page, render(record, _graded(source, record) if source else None))
        say(str(page))


def _beside(report: Path) -> Path:
    """Return the path of the page. Raises UsageError for an earlier page: a class's pages show more than a report."""
    page = report.with_name("report.html")
    if page.exists():
        sentence = f"{page} is already there. It may show more, such as the submitted file and the student's attempt."
        raise UsageError(sentence, "Name the file to write with --output.")
    return page


def _graded(path: Path, report: Report) -> bytes:
    """Return the content of the file. Raises UsageError if it is not the file that was graded."""
    content = own_files.read(path, report.rubric).content
    if hashlib.sha256(content).hexdigest() != report.source.sha256:
        hint = "Name that file, or leave out --source to write the report without its source."
        raise UsageError(f"{path} is not the file that was graded: its SHA-256 differs.", hint)
    return content
