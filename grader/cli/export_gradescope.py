"""`grade export gradescope`: a grade for Gradescope, or the autograder that makes them there."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.endings import say, sentences
from grader.cli.export_output import OUTPUT, write
from grader.cli.options import RUBRIC
from grader.errors import UsageError
from grader.export import gradescope, gradescope_zip
from grader.export.gradescope import DEFAULT, Shown, Visibility
from grader.host import resources
from grader.host.atomic_write import write_bytes
from grader.report import json_report

HOW = "grade export gradescope REPORT, or grade export gradescope --zip FILE --rubric RUBRIC."
WHEN = click.Choice([one.value for one in Visibility])


@click.command("gradescope")
@click.argument("report", type=click.Path(path_type=Path), required=False)
@OUTPUT
@click.option(
    "--zip", "zip_path", type=click.Path(path_type=Path), help="Write the autograder zip to this file instead."
)
@RUBRIC
@click.option("--visibility", type=WHEN, default=DEFAULT.visibility.value, show_default=True,
              help="When students see the tests and the explanation.")  # fmt: skip
@click.option("--stdout-visibility", type=WHEN, default=DEFAULT.stdout_visibility.value, show_default=True,
              help="When students see what the autograder printed.")  # fmt: skip
@click.option("--leaderboard/--no-leaderboard", default=None,
              help="Whether right kernels that were timed are ranked. Default: where tests are visible.")  # fmt: skip
def gradescope_command(
    report: Path | None, output: Path | None, zip_path: Path | None, rubric_path: Path | None,
    visibility: str, stdout_visibility: str, leaderboard: bool | None,
) -> None:  # fmt: skip
    """Gradescope: results.json, or with --zip the autograder."""
    with sentences():
        if (report is None) == (zip_path is None):
            raise UsageError("Name either a report or, with --zip, the autograder to write.", HOW)
        shown = Shown(Visibility(visibility), Visibility(stdout_visibility), leaderboard)
        if report is not None:
            write(gradescope.render(json_report.read(report), shown), output)
        elif zip_path is not None:
            path = zip_path / "autograder.zip" if zip_path.is_dir() else zip_path
            lab = rubric_path or resources.folder("rubrics") / "square.toml"
            write_bytes(path, gradescope_zip.build(lab, shown))
            say(f"{path}: upload it to Gradescope, under Configure Autograder.")
