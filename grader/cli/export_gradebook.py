"""`grade export canvas` and `moodle`: the grades of a class for the gradebook of a learning platform."""

from datetime import UTC, datetime
from pathlib import Path

import click

from grader.batch.results import class_folder, names
from grader.batch.results.names import Identity
from grader.cli.console import exit_on_error, narrate, write
from grader.cli.options import OUTPUT_FILE, PATH
from grader.errors import UsageError
from grader.export import canvas, collected, feedback, moodle
from grader.export import roster as rosters
from grader.export.roster import Roster
from grader.model import Report
from grader.rubric.rounding import rounded, shown
from grader.rubric.visible import for_students, hidden
from grader.text.clean import shorten
from grader.text.remarks import hidden_until

RESULTS = click.argument("results", type=PATH)
MAXIMA = "Canvas states it in the row “Points Possible”, a grading worksheet of Moodle in “Maximum Grade”."
MATCH = "Column of the roster that contains the names of the students' folders in RESULTS."
READ = {"last": class_folder.read_reports, "best": class_folder.best_reports}
ATTEMPT = click.option("--attempt", type=click.Choice(list(READ)), default="last", show_default=True,
                       help="Which attempt counts: a student's last, or the one with the most points.")  # fmt: skip
SCALE = click.option("--scale", is_flag=True, help="Convert the points to the maximum that the roster states.")
ROSTER = click.option("--roster", type=PATH, required=True, help="CSV file of the students, exported by the platform.")


@click.command("canvas")
@RESULTS
@ROSTER
@click.option("--assignment", required=True, help="Title of the assignment in the roster, with or without its number.")
@click.option("--match", help=f"{MATCH}  [default: the columns with IDs]")
@ATTEMPT
@SCALE
@OUTPUT_FILE
def canvas_command(
    results: Path, roster: Path, assignment: str, match: str | None, attempt: str, scale: bool, output: Path | None
) -> None:  # fmt: skip
    """Canvas: CSV for importing grades.

    RESULTS is the results folder of `grade batch`. --roster is the gradebook as Canvas exports it.
    """
    with exit_on_error():
        table = rosters.read(roster)
        heading = canvas.heading(table, assignment)
        listed = canvas.roster(table, heading, match)
        grades = _fitting(collected.grades(_reports(results, attempt)), listed.possible, scale=scale)
        points = {row: grades.points[student] for student, row in _graded_rows(listed, grades, results).items()}
        write(canvas.render(table, heading, points, grades.maximum), output)


@click.command("moodle")
@RESULTS
@ROSTER
@click.option("--title", default=moodle.GRADE, show_default=True, help="Heading of the column of grades.")
@click.option("--match", help=f"{MATCH}  [default: the first column]")
@ATTEMPT
@SCALE
@OUTPUT_FILE
def moodle_command(
    results: Path, roster: Path, title: str, match: str | None, attempt: str, scale: bool, output: Path | None
) -> None:  # fmt: skip
    """Moodle: CSV for importing grades and feedback.

    RESULTS is the results folder of `grade batch`. --roster is a grading worksheet or a list of participants, as
    Moodle exports it.
    """
    with exit_on_error():
        table = rosters.read(roster)
        listed = moodle.roster(table, match)
        reports = _reports(results, attempt)
        grades = _fitting(collected.grades(reports), listed.possible, scale=scale)
        now, filled = datetime.now(UTC), {}
        for student, row in sorted(_graded_rows(listed, grades, results).items(), key=lambda match: match[1]):
            text = feedback.beside_points(for_students(reports[student], now))
            filled[row] = grades.points[student], shorten(text, moodle.LONGEST_FEEDBACK)
        write(moodle.render(table, listed.ids[0], title, filled), output)
        if grades.maximum > moodle.LARGEST_GRADE:
            narrate("Moodle accepts grades over 100 only if its administrator has enabled unlimited grades.")


def _reports(results: Path, attempt: str) -> dict[str, Report]:
    """Return the report of each student that counts. Warn if its points would tell what happened at hidden sizes."""
    reports, now = READ[attempt](results), datetime.now(UTC)
    if rubric := next((report.rubric for report in reports.values() if hidden(report.rubric, now)), None):
        sizes = ", ".join(map(str, rubric.hidden_sizes))
        told = "Import them after that: compared with those of a student's page, they tell what happened there."
        narrate(f"Warning: these points count {sizes}, hidden until {hidden_until(rubric)}. {told}")
    return reports


def _fitting(grades: collected.Grades, possible: float | None, *, scale: bool) -> collected.Grades:
    """Return the grades, converted to the maximum of the platform if wanted. Warn if it is another one."""
    if scale and not possible:
        raise UsageError("The roster does not state a maximum to convert the points to.", MAXIMA)
    if possible is None or rounded(possible) == rounded(grades.maximum):
        return grades
    if scale:
        return collected.scaled(grades, possible)
    maxima = f"{shown(possible)} points are possible on the platform, but these are out of {shown(grades.maximum)}"
    narrate(f"Warning: {maxima}. Convert them with --scale, or change the maximum there.")
    return grades


def _graded_rows(roster: Roster, grades: collected.Grades, results: Path) -> dict[str, int]:
    """Return the row of each student with a grade.

    Report matches by number, and students without a grade, a row or a result.
    """
    known = names.read(results)
    students = {student: known.get(student, Identity(student)) for student in (*grades.points, *grades.missing)}
    rows = rosters.rows_of(roster, students)
    for student, match in rows.items():
        if match.by:
            narrate(f"{student}: matched by {match.by} to {rosters.words(roster.table, match.row)}.")
    unknown = [student for student in students if student not in rows]
    if len(unknown) == len(students):
        some = ", ".join(unknown[:3])
        hint = f"Their folders are named {some}. Give the column of the roster that contains these names with --match."
        raise UsageError("No student in the results is in the roster.", hint)
    for student, why in grades.missing.items():
        narrate(f"{student}: no grade. {why}")
    for student in unknown:
        narrate(f"{student}: not in the roster.")
    if grades.left_out:
        narrate(grades.left_out)
    narrate(f"The points are out of {shown(grades.maximum)}.")
    for name in rosters.absent(roster, [match.row for match in rows.values()]):
        narrate(f"{name}: no result. The grade stays as it is.")
    return {student: match.row for student, match in rows.items() if student in grades.points}
