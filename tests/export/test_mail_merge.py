"""Feedback files and the table for a mail merge, read as the programs that send letters read them."""

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.batch.intake.source_entry import Submission
from grader.batch.present.class_files import write_class
from grader.batch.present.student_summary import StudentResult
from grader.batch.results import reuse, student_folder
from grader.cli import main
from tests.batch.present.class_rows import FORMULA, row
from tests.export import grades
from tests.report import examples

REASON = "There is no .cu file, only notes.txt."


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the command writes for a class."""
    folder = tmp_path_factory.mktemp("class")
    results = folder / "results"
    rows = [
        row("ada", examples.report(), late="2 days"),
        row("evil", grades.hostile(), name=FORMULA),
        row("gina", examples.broken_machine()),
        StudentResult(Submission("hugo", "Hugo", "hugo@example.edu", problem=REASON), None),
    ]
    for each in rows:
        place = results / each.submission.student
        if each.report:
            student_folder.write(reuse.Result(reuse.Fingerprint("m", "r"), each.report), b"", place)
        else:
            student_folder.write_reason(REASON, place)
    write_class(rows, results)
    said = export(folder / "out")
    assert said.exit_code == 0, said.output
    return folder / "out"


def export(out: Path) -> Result:
    words = ["export", "feedback", str(out.with_name("results")), "--output", str(out)]
    return CliRunner().invoke(main, words)


@pytest.fixture
def lines(out: Path) -> dict[str, dict[str, str]]:
    with (out / "mail-merge.csv").open(encoding="utf-8-sig", newline="") as file:
        return {line["student"]: line for line in csv.DictReader(file, strict=True)}


def test_every_student_has_a_file_and_a_line_with_address_points_and_lateness(
    out: Path, lines: dict[str, dict[str, str]]
) -> None:
    assert set(lines) == {"ada", "evil", "gina", "hugo"}
    ada = lines["ada"]
    assert (ada["email"], ada["late"], ada["points"], ada["maximum"]) == ("ada@example.edu", "2 days", "80", "100")
    for student, line in lines.items():
        text = (out / line["file"]).read_text()
        assert "\x1b" not in text
        assert student == "evil" or line["feedback"].split() == text.split()


def test_a_student_without_a_grade_gets_no_zero_and_the_reason(lines: dict[str, dict[str, str]]) -> None:
    assert (lines["gina"]["points"], lines["hugo"]["points"]) == ("", "")
    assert "costs no points" in lines["gina"]["feedback"]
    assert REASON in lines["hugo"]["feedback"]


def test_no_cell_is_a_formula(lines: dict[str, dict[str, str]]) -> None:
    for line in lines.values():
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in line.values())


def test_a_folder_with_files_is_left_alone(out: Path) -> None:
    said = export(out)
    assert (said.exit_code, "not empty" in said.output) == (2, True)
