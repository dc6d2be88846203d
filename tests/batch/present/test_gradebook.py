import csv
import io
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from grader.batch.present.class_page import class_page
from grader.batch.present.gradebook import gradebook
from grader.batch.present.student_summary import StudentResult
from grader.model import Criterion
from tests.batch.present import class_rows
from tests.report import examples


def table(rows: Sequence[StudentResult]) -> dict[str, dict[str, str]]:
    lines = list(csv.DictReader(io.StringIO(gradebook(rows), newline=""), strict=True))
    return {line["student"]: line for line in lines}


def test_a_line_for_each_student_with_points_for_each_criterion():
    bert = table(class_rows.rows())["bert"]
    assert bert == {
        "student": "bert",
        "name": "Bert",
        "email": "bert@example.edu",
        "late": "2 days",
        "state": "correct",
        "verdict": "ok",
        "earned": "61.80",
        "points": "100.00",
        "not measured": "0.00",
        "Compiles": "10.00",
        "Correct answers": "50.00",
        "Speed-up": "0.00",
        "Fraction of cuBLAS": "1.35",
        "GFLOPS": "0.45",
        "GFLOPS at the largest size": "90.00",
        "x naive": "0.90",
        "% of cuBLAS": "9.00",
        "problem": "",
        "next step": "",
    }


def test_the_verdict_to_correct_first_and_its_sentence_are_shown():
    lines = table(class_rows.rows())
    assert (lines["dora"]["verdict"], lines["dora"]["problem"]) == ("wrong-answer", "The last row of C is wrong.")
    assert lines["fred"]["verdict"] == "compile-error"


def test_what_costs_no_points_has_none_and_never_zero():
    lines = table(class_rows.rows())
    for student, state in (("gina", "grader error"), ("hugo", "nothing to grade"), ("ines", "grader error")):
        assert lines[student]["state"] == state
        assert lines[student]["problem"]
        numbers = set(lines[student]) - {"student", "name", "email", "late", "state", "problem", "next step"}
        assert {lines[student][column] for column in numbers} == {""}


def test_a_student_not_graded_yet_is_marked_and_has_empty_cells():
    line = table([*class_rows.rows(), class_rows.row("zoe", None)])["zoe"]
    said = {"student": "zoe", "name": "Zoe", "email": "zoe@example.edu", "state": "not graded yet"}
    assert {name: cell for name, cell in line.items() if cell} == said


def test_what_was_not_measured_is_empty():
    line = table([class_rows.row("anna", examples.simulated())])["anna"]
    assert (line["Speed-up"], line["not measured"], line["GFLOPS at the largest size"]) == ("", "40.00", "")


def test_points_are_out_of_those_that_were_measured_as_on_the_pages():
    line = table([class_rows.row("anna", examples.simulated())])["anna"]
    assert (line["earned"], line["points"]) == ("60.00", "60.00")


def test_a_speed_at_a_smaller_size_is_not_shown_for_another_size():
    report = examples.report(measurements=(examples.measurement(examples.SMALL),))
    assert table([class_rows.row("anna", report)])["anna"]["GFLOPS at the largest size"] == ""


def test_a_formula_is_text_for_a_spreadsheet():
    assert table(class_rows.rows())["fred"]["name"] == "'" + class_rows.FORMULA


def test_criteria_of_one_title_have_two_columns():
    twice = tuple(Criterion(id_, "Speed", "gflops", 5.0, (examples.LARGE,), ((0.0, 0.0), (1.0, 1.0))) for id_ in "ab")
    report = examples.report(rubric=examples.rubric(criteria=twice))
    assert {"Speed (a)", "Speed (b)"} <= set(table([class_rows.row("anna", report)])["anna"])


texts = st.text(st.characters(), max_size=30)


@given(texts, texts, texts)
def test_any_text_stays_one_cell_that_no_spreadsheet_runs(name: str, email: str, problem: str):
    row = class_rows.row("anna", examples.report(), problem=problem, name=name, email=email)
    (line,) = table([row]).values()
    assert line["student"] == "anna"
    assert not any(line[field].startswith(("=", "+", "-", "@", "\t", "\r")) for field in ("name", "email", "problem"))


def test_a_late_file_that_could_not_be_read_is_still_late():
    late = replace(class_rows.rows()[7], submission=replace(class_rows.rows()[7].submission, late="yes"))
    assert table([late])["hugo"]["late"] == "yes"


def test_a_cell_is_empty_where_the_source_says_nothing_of_lateness():
    rows = [class_rows.row(student, None, late=late) for student, late in (("ada", ""), ("ben", "no"))]
    assert [line["late"] for line in table(rows).values()] == ["", "no"]
    assert 'class="late"' not in class_page(rows)
