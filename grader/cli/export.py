"""`grade export`: a grade in the form of the place where a course lives."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.endings import say, sentences
from grader.cli.export_gradebook import canvas_command, moodle_command
from grader.cli.export_gradescope import gradescope_command
from grader.cli.export_output import OUTPUT, REPORT, write
from grader.export import classroom50
from grader.export.formats import FORMATS, Format
from grader.report import json_report

SOURCE = click.option("--source", help="The submission's path in its repository. Default: its name.")


@click.group(invoke_without_command=True)
@click.option("--list", "list_them", is_flag=True, help="Show every format with one line.")
@click.pass_context
def export(context: click.Context, list_them: bool) -> None:
    """Write a grade for the place where a course lives."""
    if list_them or context.invoked_subcommand is None:
        for name, command in sorted(export.commands.items()):
            say(f"{name:<20}{(command.help or '').rstrip('.')}")
        context.exit()


def _simple(one: Format) -> click.Command:
    """Make the command of a format that needs a report and nothing else."""

    @click.command(one.name, help=f"{one.says}.")
    @REPORT
    @SOURCE
    @OUTPUT
    def command(report: Path, source: str | None, output: Path | None) -> None:
        with sentences():
            read = json_report.read(report)
            write(one.render(read, source or read.source.name), output)

    return command


for command in (*map(_simple, FORMATS), gradescope_command, canvas_command, moodle_command):
    export.add_command(command)


@export.command("classroom50")
@REPORT
@OUTPUT
@click.option("--classroom", envvar="CLASSROOM", required=True, help="Short name of the classroom.")
@click.option("--assignment", envvar="ASSIGNMENT", required=True, help="Slug of the assignment.")
@click.option("--submission", envvar="SUBMISSION_TAG", required=True, help="Tag of the submission.")
@click.option("--commit", envvar="COMMIT_URL", required=True, help="Address of the commit.")
@click.option("--release", envvar="RELEASE_URL", required=True, help="Address of the release.")
@click.option("--review", envvar="REVIEW_URL", help="Address of the differences. Default: that of the commit.")
@click.option("--datetime", required=True, help="When it was handed in: git log -1 --format=%cI.")
@click.option("--owner", envvar="OWNER", default="", help="Owner of the repository.")
@click.option("--assignment-type", envvar="ASSIGNMENT_TYPE", default="", help="individual, group or team.")
def classroom50_command(report: Path, output: Path | None, review: str | None, **said: str) -> None:
    """Classroom 50: result.json."""
    with sentences():
        identity = classroom50.Identity(review=review or said["commit"], **said)
        write(classroom50.render(json_report.read(report), identity), output)
