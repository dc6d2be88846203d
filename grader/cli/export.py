"""`grade export`: a grade in the format of a learning platform or CI service."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.console import exit_on_error, say, write
from grader.cli.export_feedback import feedback_command
from grader.cli.export_gradebook import canvas_command, moodle_command
from grader.cli.export_gradescope import gradescope_command
from grader.cli.export_similarity import similarity_command
from grader.cli.options import OUTPUT_FILE, REPORT
from grader.cli.student_report import student_report
from grader.export import classroom50
from grader.export.formats import FORMATS, Format
from grader.text.clean import one_line

LONGEST_PATH = 1000


@click.group(invoke_without_command=True)
@click.option("--list", "list_them", is_flag=True, help="List every format.")
@click.pass_context
def export(context: click.Context, list_them: bool) -> None:
    """Convert a grade for a learning platform or CI service.

    Nothing is sent anywhere.
    """
    if list_them or context.invoked_subcommand is None:
        for name, command in sorted(export.commands.items()):
            say(f"{name:<20}{(command.help or '').splitlines()[0].rstrip('.')}")
        context.exit()


def _command(format: Format) -> click.Command:  # noqa: A002 - a format it is
    """Return the command of a format that needs nothing but a report."""

    @click.command(format.name, help=f"{format.summary}.")
    @REPORT
    @click.option("--source", help="Path of the submission in its repository.  [default: its file name]")
    @OUTPUT_FILE
    def command(report: Path, source: str | None, output: Path | None) -> None:
        with exit_on_error():
            record = student_report(report)
            write(format.render(record, _path(source or record.source.name)), output)

    return command


def _path(source: str) -> str:
    """Return the path in text that every format can hold: file names may contain any bytes."""
    return one_line(source, LONGEST_PATH)


FOR_CLASSES = (canvas_command, moodle_command, feedback_command, similarity_command)
for command in (*map(_command, FORMATS), gradescope_command, *FOR_CLASSES):
    export.add_command(command)


@export.command("classroom50")
@REPORT
@OUTPUT_FILE
@click.option("--classroom", envvar="CLASSROOM", required=True, help="Short name of the classroom.")
@click.option("--assignment", envvar="ASSIGNMENT", required=True, help="Short name of the assignment.")
@click.option("--submission", envvar="SUBMISSION_TAG", required=True, help="Git tag of the submission.")
@click.option("--commit", envvar="COMMIT_URL", required=True, help="URL of the commit.")
@click.option("--release", envvar="RELEASE_URL", required=True, help="URL of the release.")
@click.option("--review", envvar="REVIEW_URL", help="URL of the diff to review.  [default: URL of the commit]")
@click.option("--datetime", required=True, help="Time of submission, as `git log -1 --format=%cI` prints it.")
@click.option("--owner", envvar="OWNER", default="", help="Owner of the repository.")
@click.option("--assignment-type", envvar="ASSIGNMENT_TYPE", default="", help="individual, group or team.")
def classroom50_command(report: Path, output: Path | None, review: str | None, **fields: str) -> None:
    """Classroom 50: result.json.

    The autograding workflow sets most options as environment variables.
    """
    with exit_on_error():
        repository = classroom50.Repository(review=review or fields["commit"], **fields)
        write(classroom50.render(student_report(report), repository), output)
