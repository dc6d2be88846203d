"""`grade export gradescope`: a grade for Gradescope, or the zip of an autograder for it."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.console import exit_on_error, say, write
from grader.cli.options import ALLOW_UNCONFINED, OUTPUT_FILE, PATH, RUBRIC
from grader.cli.student_report import student_report
from grader.errors import UsageError
from grader.export import gradescope, gradescope_zip
from grader.export.gradescope import DEFAULT, DisplayOptions, Visibility
from grader.host.atomic_write import write_bytes

USAGE = "grade export gradescope REPORT, or grade export gradescope --zip FILE --rubric RUBRIC."
WHEN = click.Choice([when.value for when in Visibility])


@click.command("gradescope")
@click.argument("report", type=PATH, required=False)
@OUTPUT_FILE
@click.option("--zip", "zip_path", type=PATH, help="Write the zip of an autograder to this file, and no results.json.")
@RUBRIC
@click.option("--visibility", type=WHEN, default=DEFAULT.visibility.value, show_default=True,
              help="When students see the tests and the explanation.")  # fmt: skip
@click.option("--stdout-visibility", type=WHEN, default=DEFAULT.stdout_visibility.value, show_default=True,
              help="When students see what the autograder printed.")  # fmt: skip
@ALLOW_UNCONFINED
@click.option("--leaderboard/--no-leaderboard", default=None,
              help="Show a leaderboard of correct, timed kernels.  [default: only if tests are visible]")  # fmt: skip
def gradescope_command(
    report: Path | None, output: Path | None, zip_path: Path | None, rubric_path: Path,
    allow_unconfined: bool, visibility: str, stdout_visibility: str, leaderboard: bool | None,
) -> None:  # fmt: skip
    """Gradescope: results.json, or an autograder (--zip).

    With --zip, the rubric given by --rubric becomes part of the autograder.
    """
    with exit_on_error():
        if (report is None) == (zip_path is None):
            raise UsageError("Give either REPORT or --zip FILE.", USAGE)
        display = DisplayOptions(Visibility(visibility), Visibility(stdout_visibility), leaderboard)
        if report is not None:
            write(gradescope.render(student_report(report), display), output)
        elif zip_path is not None:
            path = zip_path / "autograder.zip" if zip_path.is_dir() else zip_path
            write_bytes(path, gradescope_zip.build(rubric_path, display, allow_unconfined=allow_unconfined))
            say(f"{path}: upload it to Gradescope, under Configure Autograder.")
