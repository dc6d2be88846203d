"""`grade report`: the page of a grade that was made earlier."""

from __future__ import annotations

import hashlib
from pathlib import Path

import click

from grader.cli.endings import check_writable, say, sentences
from grader.errors import UsageError
from grader.host.atomic_write import write_text
from grader.judge import submission
from grader.model import Report
from grader.report import json_report
from grader.report.html.page import render


@click.command("report")
@click.argument("report_path", metavar="REPORT", type=click.Path(path_type=Path))
@click.option("--source", type=click.Path(path_type=Path), help="The file that was graded, to show it on the page.")
@click.option("--output", type=click.Path(path_type=Path), help="Default: report.html beside REPORT.")
def report_command(report_path: Path, source: Path | None, output: Path | None) -> None:
    """Make report.html of REPORT, a report.json."""
    with sentences():
        report = json_report.read(report_path)
        page = output or report_path.with_name("report.html")
        check_writable(page.parent)
        write_text(page, render(report, _graded(source, report) if source else None))
        say(str(page))


def _graded(path: Path, report: Report) -> bytes:
    """The file's content. Raises UsageError when the report is of another."""
    content = submission.read(path)
    if hashlib.sha256(content).hexdigest() != report.source.sha256:
        raise UsageError(
            f"{path} is not the file that was graded: its SHA-256 is another.",
            "Name that file, or leave out --source for a page without it.",
        )
    return content
