"""`grade export canvas` and `moodle`: the grades of a class for the gradebook of a learning platform."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
from rich.text import Text

from grader.cli.endings import narrate, sentences
from grader.cli.export_output import OUTPUT, write
from grader.errors import UsageError
from grader.export import canvas, collected, feedback, moodle
from grader.export import roster as rosters
from grader.text.clean import shorten

RESULTS = click.argument("results", type=click.Path(path_type=Path))
ROSTER = click.option("--roster", type=click.Path(path_type=Path), required=True,
                      help="The students, as the platform exports them.")  # fmt: skip
MATCH = click.option("--match", help="The roster's column that names the folders of the results.")


@click.command("canvas")
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
        _tell_absent(rosters.absent(listed, canvas.name_columns(listed), canvas.students(listed), rows.values()))
        points = {rows[student]: earned for student, earned in grades.points.items() if student in rows}
        write(canvas.render(listed, heading, points, grades.maximum), output)


@click.command("moodle")
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
        _tell_absent(rosters.absent(listed, [column], range(len(listed.rows)), rows.values()))
        said = {
            student: shorten(feedback.explanation(one), moodle.LONGEST_FEEDBACK) for student, one in reports.items()
        }
        filled = {rows[name]: (earned, said[name]) for name, earned in grades.points.items() if name in rows}
        write(moodle.render(listed, column, title, dict(sorted(filled.items()))), output)
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
