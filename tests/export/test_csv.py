"""Gradebooks: what Canvas and Moodle read, and what a spreadsheet must not run."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.batch.results.names import Identity
from grader.errors import InfrastructureError, UsageError
from grader.export import canvas, collected, moodle, roster
from grader.text import csv_cells
from tests.export import grades
from tests.report import examples

CANVAS = (
    "\N{ZERO WIDTH NO-BREAK SPACE}Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (301),Lab 2 (302),Current Score\n"
    ",,,,,Manual Posting,,(read only)\n"
    "    Points Possible,,,,,100,20,(read only)\n"
    '"Lovelace, Ada",11,u1,ada,A,12,1,\n'
    "=cmd|x,22,u2,grace,A,13,2,\n"
    '"O""Hara, 行列",33,u3,alan,B,EX,3,\n'
    "Nobody,44,u4,nobody,B,7,4,\n"
)
EAST_ASIAN = "\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{SMALL HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}"
texts = st.text(st.characters(exclude_categories=["Cs"]))


def listed(text: str) -> csv_cells.CsvTable:
    return roster.checked(
        csv_cells.parse(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"), "roster.csv"), "roster.csv"
    )


def read(text: str, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))


def rows_of(students: csv_cells.CsvTable, columns: Sequence[int], *folders: str, **known: Identity) -> dict[str, int]:
    who = {folder: Identity(folder) for folder in folders} | known
    matches = roster.rows_of(replace(canvas.roster(students, "", None), ids=columns), who)
    return {folder: match.row for folder, match in matches.items()}


def exported(text: str = CANVAS, **points: float) -> list[list[str]]:
    students = listed(text)
    rows = rows_of(students, canvas.roster(students, "", None).ids, *points)
    earned = {rows[name]: points[name] for name in rows}
    return read(canvas.render(students, canvas.heading(students, "Lab 1"), earned, 60.0), students.delimiter)


@given(texts)
def test_no_spreadsheet_runs_a_neutral_cell(text: str):
    ((cell,),) = read(csv_cells.document([[csv_cells.neutral(text)]])) or [[""]]
    assert not re.match(r"[=+\-@\t\r]", cell)
    assert cell.removeprefix("'") == text.removeprefix("'")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", *(f"{sign}1" for sign in EAST_ASIAN)])
def test_what_begins_a_formula_is_neutralised(text: str):
    assert csv_cells.neutral(text) == f"'{text}"


@given(st.lists(st.lists(texts, min_size=2, max_size=2), min_size=1), st.sampled_from(",;"))
def test_any_cells_are_read_back_as_they_were(rows: list[list[str]], delimiter: str):
    assert read(csv_cells.document(rows, delimiter), delimiter) == rows


def test_canvas_gets_its_own_student_columns_back_unchanged():
    before, after = read(CANVAS.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")), exported(ada=50.0)
    students = [row[:5] for row in before if row[0] != "    Points Possible"]
    assert [row[:5] for row in after if "Possible" not in row[0]] == students


def test_canvas_keeps_to_its_importers_rules():
    header, possible, *rows = exported(ada=50.0, grace=1234.5)
    assert re.fullmatch(r"(.*)\s\((\d+)\)", header[-1])
    assert header[0] == "Student"
    assert header[1] == "ID"
    assert possible[0].strip() == "Points Possible"
    assert possible[-1] == "60.00"
    assert all(len(row) == len(header) for row in rows)
    assert {row[3]: row[-1] for row in rows} == {
        "": "Manual Posting", "ada": "50.00", "grace": "1234.50", "alan": "EX", "nobody": "7",
    }  # fmt: skip


def test_canvas_students_are_found_by_number_and_by_the_number_of_its_own_files():
    rows = rows_of(listed(CANVAS), [1, 3], "11", "alan", hopper_22=Identity("hopper-22", "canvas", "22"))
    assert rows == {"11": 2, "hopper_22": 3, "alan": 4}


def test_a_number_in_a_name_that_canvas_did_not_write_is_no_number_of_a_student():
    text = "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (7)\nAda,1,,ada,A,\nBob,2,,bob,A,\n"
    assert rows_of(listed(text), [1, 3], "ada", "ada-2") == {"ada": 0}
    assert rows_of(listed(text), [1, 3], x=Identity("ada-2", "moodle", "2")) == {}


def test_a_second_result_of_one_name_is_never_the_student_whose_login_looks_like_its_folder():
    text = "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (7)\nAda,1,,ada,A,\nBob,2,,ada-2,A,\n"
    with pytest.raises(UsageError, match="first and second match the same row"):
        rows_of(listed(text), [1, 3], first=Identity("ada"), second=Identity("ada"))


def test_a_number_counts_in_the_column_of_canvas_numbers_only():
    text = "Student,ID,SIS User ID,Section,Lab 1 (7)\nAda,1,2,A,\n"
    assert rows_of(listed(text), [1, 2], bob=Identity("bob-2", "canvas", "2")) == {}


def test_a_name_that_means_two_students_in_two_columns_is_refused():
    text = "Student,ID,SIS User ID,Section,Lab 1 (7)\nAda,1,2,A,\nBob,2,9,A,\n"
    with pytest.raises(UsageError, match="2 matches 2 rows"):
        rows_of(listed(text), [1, 2], "2")


def test_moodle_students_are_found_by_the_number_of_its_own_files():
    students = listed("Identifier,Full name\nParticipant 12,Ada\nParticipant 13,Bob\n")
    who = {"Ada-L-13": Identity("Ada-L-13", "moodle", "13"), "eve-12": Identity("eve-12")}
    matches = roster.rows_of(moodle.roster(students, None), who)
    assert {name: (match.row, match.by) for name, match in matches.items()} == {"Ada-L-13": (1, "Moodle's number 13")}


USER_NAMES = ["student12", "s.lee-12", "12", "participant_12"]
IDENTIFIERS = ["Teilnehmer/in 12", "Participant\N{NO-BREAK SPACE}12", "参加者12", "参与者 12"]


@pytest.mark.parametrize("cell", [*USER_NAMES, *IDENTIFIERS])
def test_identifiers_of_moodle_are_known_in_every_language_and_are_no_user_names(cell: str):
    students = listed(f"{'Identifier' if cell in IDENTIFIERS else 'Username'},Full name\n{cell},Ada\n")
    found = roster.rows_of(moodle.roster(students, None), {"Ada-L-12": Identity("Ada-L-12", "moodle", "12")})
    assert bool(found) is (cell in IDENTIFIERS)


def test_two_results_of_one_student_are_refused():
    with pytest.raises(UsageError, match="ada and 11 match the same row"):
        rows_of(listed(CANVAS), [1, 3], "ada", "11")


def test_a_result_that_could_be_two_students_is_refused():
    with pytest.raises(UsageError, match="A matches 2 rows"):
        rows_of(listed(CANVAS), [4], "A")


@pytest.mark.parametrize("name", ["Lab 1", "Lab 1 (301)"])
def test_the_assignment_is_called_as_the_export_calls_it(name: str):
    assert canvas.heading(listed(CANVAS), name) == "Lab 1 (301)"


def test_an_assignment_that_canvas_would_make_anew_is_refused_with_what_it_could_mean():
    with pytest.raises(UsageError, match="no assignment named “Lab l”") as refused:
        canvas.heading(listed(CANVAS), "Lab l")
    assert "Lab 1 (301)" in refused.value.hint


def test_a_heading_that_canvas_drops_is_refused():
    text = CANVAS.replace("Lab 1 (301)", "Final Score (301)")
    with pytest.raises(UsageError, match="drops"):
        canvas.heading(listed(text), "Final Score")


def test_a_gradebook_with_last_and_first_names_apart_is_one_too():
    header = "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,Lab 1 (7)"
    text = f"{header}\nLovelace,Ada,11,u1,ada,A,\nHopper,Grace,22,,,A,3\n"
    assert [row[-1] for row in exported(text, ada=2.5)[2:]] == ["2.50", "3"]
    assert roster.absent(canvas.roster(listed(text), "", None), [0]) == ["Hopper, Grace"]


@pytest.mark.parametrize(
    "header", ["Student,Name,ID,Section", "LastName,ID,Section,Lab 1 (7)", "Student,ID,Lab 1 (7)", "A"]
)
def test_a_file_that_canvas_would_not_read_is_refused(header: str):
    with pytest.raises(UsageError, match="not a gradebook of Canvas"):
        canvas.students_end(listed(f"{header}\n"))


def test_a_student_excused_in_small_letters_stays_excused():
    assert exported(CANVAS.replace("EX", "ex"), alan=1.0)[-2][-1] == "ex"


def test_semicolons_and_short_rows_are_read_and_written_alike():
    text = "Student;ID;Section;Lab 1 (7)\nAda;11\n"
    assert exported(text, **{"11": 2.5})[-1] == ["Ada", "11", "", "2.50"]


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "empty"), ('a,b\n"x', "not CSV"), ("a,b\n1,2,3\n", "row 2 has 3 cells"), ("\n\n", "empty")],
)
def test_a_file_that_is_no_table_is_refused_with_a_sentence(text: str, said: str):
    with pytest.raises(UsageError, match=said):
        roster.checked(csv_cells.parse(text, "roster.csv"), "roster.csv")


def test_moodle_gets_numbers_that_it_can_read_and_text_that_no_spreadsheet_runs():
    students = listed("Username,First name,ID number,Email\n-ada,=Ada,-7,ada@x.org\ngrace,Grace,8,@g\n")
    header, only = read(moodle.render(students, 0, "Lab 1", {0: (50.0, "-1 point\nsecond line")}))
    assert header == ["Username", "First name", "ID number", "Email", "Lab 1", "Feedback comments"]
    assert only == ["-ada", "'=Ada", "-7", "ada@x.org", "50.00", "'-1 point\nsecond line"]


def test_the_columns_of_a_grading_worksheet_of_moodle_are_filled_in():
    sheet = "Identifier,Grade,Maximum Grade,Last modified (grade),Feedback comments\nParticipant 7,,60.00,-,\n"
    filled = read(moodle.render(listed(sheet), 0, moodle.GRADE, {0: (50.0, "fast")}))
    assert filled[1] == ["Participant 7", "50.00", "60.00", "-", "fast"]


@pytest.mark.parametrize(("cells", "said"), [
    (["10"], 10.0), ([" 100,00 ", "100.00"], 100.0), ([], None), ([""], None), (["5", "6"], None), (["1,000.00"], None),
])  # fmt: skip
def test_the_maximum_of_a_platform_is_the_number_that_its_cells_agree_on(cells: list[str], said: float | None):
    assert roster.number(cells) == said


def test_canvas_states_the_points_possible_and_moodle_the_maximum_grade():
    assert canvas.roster(listed(CANVAS), "Lab 2 (302)", None).possible == 20.0
    assert canvas.roster(listed(CANVAS), "Lab 9 (309)", None).possible is None
    assert moodle.roster(listed("Username,Maximum Grade\nada,50.00\nbob,50.00\n"), None).possible == 50.0
    assert moodle.roster(listed("Username,Email\nada,ada@x.org\n"), None).possible is None


def test_scaled_points_are_exact_until_they_are_written():
    thirds = collected.Grades(3.3, {"ada": 3.3, "bob": 1.1, "eve": 0.0}, {}, "")
    assert collected.scaled(thirds, 10.0).points == {"ada": 10.0, "bob": 10 / 3, "eve": 0.0}


def test_a_class_on_the_simulator_is_worth_what_can_be_measured_there():
    gradebook = collected.grades({"ada": grades.on_simulator(), "bob": grades.wrong_on_simulator()})
    assert (gradebook.maximum, gradebook.points) == (60.0, {"ada": 60.0, "bob": 35.0})
    assert "Speed-up (20)" in gradebook.left_out


def test_a_student_who_was_not_measured_like_the_others_has_no_grade():
    reports = {"ada": grades.right_and_fast(), "bob": grades.on_simulator(), "eve": examples.broken_machine()}
    gradebook = collected.grades(reports)
    assert (gradebook.maximum, gradebook.points) == (100.0, {"ada": 80.0})
    assert "Speed-up" in gradebook.missing["bob"]
    assert "There is no compiler" in gradebook.missing["eve"]


def test_grades_of_different_rubrics_do_not_compare():
    for other, what in (
        (examples.report(rubric=examples.rubric(criteria=examples.rubric().criteria[:1])), "rubrics"),
        (examples.report(naive_sha256="f" * 64), "naive kernels"),
    ):
        with pytest.raises(UsageError, match=f"different {what}"):
            collected.grades({"ada": grades.right_and_fast(), "bob": other})


def test_a_comment_or_another_date_in_the_rubric_keeps_grades_comparable():
    edited = examples.report(rubric=examples.rubric(sha256="f" * 64, visible_after="2026-12-01T00:00:00+01:00"))
    assert collected.grades({"ada": grades.right_and_fast(), "bob": edited}).points == {"ada": 80.0, "bob": 80.0}


def test_a_class_without_a_grade_is_a_grader_error():
    with pytest.raises(InfrastructureError, match="no grade among"):
        collected.grades({"eve": examples.broken_machine()})
