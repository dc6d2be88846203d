"""`grade export`: a grade in the form of the place where a course lives."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
from rich.text import Text

from grader import resources
from grader.cli.endings import narrate, say, sentences
from grader.cli.options import RUBRIC
from grader.errors import InfrastructureError, UsageError
from grader.export import canvas, classroom50, collected, feedback, gradescope, gradescope_zip, moodle
from grader.export import roster as rosters
from grader.export.formats import FORMATS, Format
from grader.report import json_report
from grader.report.files import write_text
from grader.report.text import shorten

REPORT = click.argument("report", type=click.Path(path_type=Path))
RESULTS = click.argument("results", type=click.Path(path_type=Path))
OUTPUT = click.option("--output", type=click.Path(path_type=Path), help="File to write. Default: standard output.")
SOURCE = click.option("--source", help="The submission's path in its repository. Default: its name.")
ROSTER = click.option("--roster", type=click.Path(path_type=Path), required=True,
                      help="The students, as the platform exports them.")  # fmt: skip
MATCH = click.option("--match", help="The roster's column that names the folders of the results.")


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
            _write(one.render(read, source or read.source.name), output)

    return command


for simple in FORMATS:
    export.add_command(_simple(simple))


@export.command("gradescope")
@click.argument("report", type=click.Path(path_type=Path), required=False)
@OUTPUT
@click.option(
    "--zip", "zip_path", type=click.Path(path_type=Path), help="Write the autograder zip to this file instead."
)
@RUBRIC
def gradescope_command(
    report: Path | None, output: Path | None, zip_path: Path | None, rubric_path: Path | None
) -> None:
    """Gradescope: results.json, or with --zip the autograder."""
    with sentences():
        if (report is None) == (zip_path is None):
            hint = "grade export gradescope REPORT, or grade export gradescope --zip FILE --rubric RUBRIC."
            raise UsageError("Name either a report or, with --zip, the autograder to write.", hint)
        if report is not None:
            _write(gradescope.render(json_report.read(report)), output)
        elif zip_path is not None:
            path = zip_path / "autograder.zip" if zip_path.is_dir() else zip_path
            _write_zip(gradescope_zip.build(rubric_path or resources.folder("rubrics") / "square.toml"), path)


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
        _write(classroom50.render(json_report.read(report), identity), output)


@export.command("canvas")
@RESULTS
@ROSTER
@click.option("--assignment", required=True, help="The assignment as the roster calls it, with or without its number.")
@MATCH
@OUTPUT
def canvas_command(results: Path, roster: Path, assignment: str, match: str | None, output: Path | None) -> None:
    """Canvas: gradebook CSV, from its own export."""
    with sentences():
        listed = rosters.read(roster)
        heading = canvas.heading(listed, assignment)
        columns = [rosters.column(listed, match)] if match else canvas.id_columns(listed)
        grades = collected.grades(collected.read(results))
        rows = _rows(listed, columns, grades)
        _tell_absent(rosters.absent(listed, 0, canvas.students(listed), rows.values()))
        points = {rows[student]: earned for student, earned in grades.points.items() if student in rows}
        _write(canvas.render(listed, heading, points, grades.maximum), output)


@export.command("moodle")
@RESULTS
@ROSTER
@click.option("--title", required=True, help="Heading of the column of grades.")
@MATCH
@OUTPUT
def moodle_command(results: Path, roster: Path, title: str, match: str | None, output: Path | None) -> None:
    """Moodle: gradebook CSV, from a list of participants."""
    with sentences():
        listed = rosters.read(roster)
        column = rosters.column(listed, match or listed.header[0])
        reports = collected.read(results)
        grades = collected.grades(reports)
        rows = _rows(listed, [column], grades)
        _tell_absent(rosters.absent(listed, column, range(len(listed.rows)), rows.values()))
        said = {
            student: shorten(feedback.explanation(one), moodle.LONGEST_FEEDBACK) for student, one in reports.items()
        }
        filled = {rows[name]: (earned, said[name]) for name, earned in grades.points.items() if name in rows}
        _write(moodle.render(listed, column, title, dict(sorted(filled.items()))), output)
        if grades.maximum > moodle.LARGEST_GRADE:
            narrate(Text("Moodle takes no grade over 100 unless its administrator allows unlimited grades."))


def _rows(roster: rosters.Roster, columns: list[int], grades: collected.Grades) -> dict[str, int]:
    """Find each student's row, and say who has no grade or no row: nobody is left out in silence."""
    students = [*grades.points, *grades.missing]
    rows = rosters.rows_of(roster, columns, students)
    strangers = [student for student in students if student not in rows]
    if len(strangers) == len(students):
        names = ", ".join(strangers[:3])
        hint = f"The results are called {names}. Name the roster's column that says so with --match."
        raise UsageError("Nobody of the results is in the roster.", hint)
    _tell([*(f"{student}: no grade. {why}" for student, why in grades.missing.items())])
    _tell([*(f"{student}: not in the roster." for student in strangers), grades.left_out])
    narrate(Text(f"The points are out of {grades.maximum:g}."))
    return rows


def _tell_absent(names: Iterable[str]) -> None:
    """Say which students of the roster there is no result of."""
    _tell(f"{name}: no result. The grade stays as it is." for name in names)


def _tell(lines: Iterable[str]) -> None:
    for line in lines:
        if line:
            narrate(Text(line))


def _write(text: str, output: Path | None) -> None:
    if output is None:
        click.echo(text, nl=False)
    else:
        write_text(output, text)


def _write_zip(content: bytes, path: Path) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InfrastructureError(f"{path} could not be written: {error.strerror}.", "Name another file.") from error
    say(f"{path}: upload it to Gradescope, under Configure Autograder.")
