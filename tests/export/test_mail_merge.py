"""Feedback files and the table for a mail merge, read as the programs that send letters read them."""

from __future__ import annotations

import csv
from pathlib import Path

from click.testing import CliRunner

from grader.batch.intake.submission import Submission
from grader.batch.present.class_files import write_class
from grader.batch.present.student_result import StudentResult
from grader.batch.results import student_folder
from grader.batch.results.reuse import Fingerprint, Result
from grader.cli import main
from tests.batch.present.class_rows import FORMULA, row
from tests.export import grades
from tests.report import examples

REASON = "There is no .cu file, only notes.txt."


def exported(folder: Path, *words: str) -> dict[str, dict[str, str]]:
    results = folder / "results"
    rows = [
        row("ada", examples.report(), late=True),
        row("evil", grades.hostile(), name=FORMULA),
        row("gina", examples.broken_machine()),
        StudentResult(Submission("hugo", "Hugo", "hugo@example.edu", problem=REASON), None),
    ]
    for each in rows:
        place = results / each.submission.student
        if each.report:
            student_folder.write(Result(Fingerprint("m", "r"), each.report), b"", place, "xunit2")
        else:
            student_folder.write_reason(REASON, place)
    write_class(rows, results)
    said = CliRunner().invoke(main, ["export", "feedback", str(results), "--output", str(folder / "out"), *words])
    assert said.exit_code == 0, said.output
    with (folder / "out" / "mail-merge.csv").open(encoding="utf-8-sig", newline="") as file:
        return {line["student"]: line for line in csv.DictReader(file, strict=True)}


def test_every_student_has_a_file_and_a_line_with_address_points_and_lateness(tmp_path: Path) -> None:
    lines = exported(tmp_path)
    assert set(lines) == {"ada", "evil", "gina", "hugo"}
    ada = lines["ada"]
    assert (ada["email"], ada["late"], ada["points"], ada["maximum"]) == ("ada@example.edu", "yes", "80", "100")
    for student, line in lines.items():
        text = (tmp_path / "out" / line["file"]).read_text()
        assert "\x1b" not in text
        assert student == "evil" or line["feedback"].split() == text.split()


def test_a_student_without_a_grade_gets_no_zero_and_the_reason(tmp_path: Path) -> None:
    lines = exported(tmp_path)
    assert (lines["gina"]["points"], lines["hugo"]["points"]) == ("", "")
    assert "costs no points" in lines["gina"]["feedback"]
    assert REASON in lines["hugo"]["feedback"]


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    for line in exported(tmp_path).values():
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in line.values())


def test_a_folder_with_files_is_left_alone(tmp_path: Path) -> None:
    exported(tmp_path)
    words = ["export", "feedback", str(tmp_path / "results"), "--output", str(tmp_path / "out")]
    said = CliRunner().invoke(main, words)
    assert (said.exit_code, "not empty" in said.output) == (2, True)
