"""`grade export` as people use it."""

import csv
import json
import os
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from grader.batch.intake.collect import collect
from grader.batch.present import class_files
from grader.export.formats import FORMATS
from grader.report import json_document
from tests import lab
from tests.desk import Desk
from tests.export import grades
from tests.report import examples

OTHERS = ("gradescope", "classroom50", "canvas", "moodle", "similarity", "feedback")
EVERY = sorted([*(format_.name for format_ in FORMATS), *OTHERS])
RUNNER = {
    "CLASSROOM": "cuda", "ASSIGNMENT": "matmul", "SUBMISSION_TAG": "submit/1", "COMMIT_URL": "https://x/commit",
    "RELEASE_URL": "https://x/release", "OWNER": "ada",
}  # fmt: skip


@pytest.fixture
def report(desk: Desk) -> Path:
    path = desk.folder / "report.json"
    json_document.REPORT.write(grades.on_simulator(), path)
    return path


@pytest.fixture
def results(desk: Desk) -> Path:
    reports = {
        "ada": grades.on_simulator(), "alan": grades.wrong_on_simulator(),
        "eve": examples.broken_machine(), "mallory": grades.on_simulator(),
    }  # fmt: skip
    for name, report in reports.items():
        (desk.folder / "results" / name).mkdir(parents=True)
        json_document.REPORT.write(report, desk.folder / "results" / name / "report.json")
    (desk.folder / "results" / ".preview").mkdir()
    shutil.copy(desk.folder / "results" / "eve" / "report.json", desk.folder / "results" / ".preview")
    return desk.folder / "results"


def test_list_shows_every_format_with_one_line(desk: Desk):
    listed = desk.grade("export", "--list")
    assert listed.status == 0
    assert [line.split()[0] for line in listed.stdout.splitlines()] == EVERY
    assert all(len(line.split()) > 2 and len(line) <= 80 for line in listed.stdout.splitlines())


@pytest.mark.parametrize("name", [*(format_.name for format_ in FORMATS), "gradescope"])
def test_a_format_goes_to_standard_output_or_to_a_file(name: str, desk: Desk, report: Path):
    shown = desk.grade("export", name, report)
    written = desk.grade("export", name, report, "--output", "made")
    assert (shown.status, written.status, written.stdout) == (0, 0, "")
    if name != "github-annotations":  # each of them has a mark of its own
        assert (desk.folder / "made").read_text() == shown.stdout


def test_every_log_for_github_has_a_mark_of_its_own(desk: Desk, report: Path):
    first, second = (desk.grade("export", "github-annotations", report).stdout for _ in range(2))
    assert first.splitlines()[0] != second.splitlines()[0]


def test_classroom50_gets_the_student_from_its_runner(desk: Desk, report: Path):
    ended = desk.grade("export", "classroom50", report, "--datetime", "2025-03-01T08:00:00Z", **RUNNER)
    result = json.loads(ended.stdout)
    assert (result["classroom"], result["review"], result["owner"]) == ("cuda", "https://x/commit", "ada")
    assert desk.grade("export", "classroom50", report, "--datetime", "now").status == 2


@pytest.mark.parametrize("name", ["gradescope", "classroom50"])
def test_a_grader_error_writes_nothing_and_says_so(name: str, desk: Desk, report: Path):
    json_document.REPORT.write(examples.broken_machine(), report)
    more = ("--datetime", "now") if name == "classroom50" else ()
    ended = desk.grade("export", name, report, "--output", "made", *more, **RUNNER)
    assert ended.status == 3
    assert "There is no compiler on this machine" in ended.words
    assert not (desk.folder / "made").exists()


def test_gradescope_needs_a_report_or_a_zip(desk: Desk, report: Path):
    both = desk.grade("export", "gradescope", report, "--zip", "a.zip")
    neither = desk.grade("export", "gradescope")
    assert (both.status, neither.status) == (2, 2)
    assert "--zip FILE --rubric RUBRIC" in neither.words


def test_gradescope_builds_its_autograder(desk: Desk):
    rubric = lab.write_rubric(desk.folder)
    ended = desk.grade("export", "gradescope", "--zip", desk.folder, "--rubric", rubric)
    assert ended.status == 0
    with ZipFile(desk.folder / "autograder.zip") as archive:
        assert {"setup.sh", "run_autograder", "rubric.toml"} <= set(archive.namelist())


def test_the_autograder_keeps_what_the_instructor_chose(desk: Desk):
    words = ("--visibility", "hidden", "--stdout-visibility", "visible", "--no-leaderboard")
    assert desk.grade("export", "gradescope", "--zip", "a.zip", *words).status == 0
    with ZipFile(desk.folder / "a.zip") as archive:
        kept = archive.read("shown.txt").decode().splitlines()
    assert kept == ["--visibility=hidden", "--stdout-visibility=visible", "--no-leaderboard"]


@pytest.mark.parametrize("value", ["visible", "hidden", "after_due_date", "after_published"])
def test_gradescope_takes_each_visibility_that_it_knows(value: str, desk: Desk, report: Path):
    words = ("--visibility", value, "--stdout-visibility", value, "--no-leaderboard")
    results = json.loads(desk.grade("export", "gradescope", report, *words).stdout)
    assert results["visibility"] == results["stdout_visibility"] == value
    assert "leaderboard" not in results


def test_a_visibility_that_gradescope_does_not_know_is_refused(desk: Desk, report: Path):
    ended = desk.grade("export", "gradescope", report, "--visibility", "never")
    assert ended.status == 2
    assert "after_published" in ended.words


def test_canvas_gets_grades_and_the_instructor_a_list_of_students_without_one(desk: Desk, results: Path):
    roster = desk.write("Student,ID,SIS User ID,SIS Login ID,Section,Lab (7)\nAda,1,u1,ada,A,\nAlan,2,u2,alan,A,\nEve,3,u3,eve,A,9\n", "roster.csv")  # fmt: skip  # noqa: E501
    ended = desk.grade("export", "canvas", results, "--roster", roster, "--assignment", "Lab", "--output", "out.csv")
    assert ended.status == 0, ended.words
    with (desk.folder / "out.csv").open(encoding="utf-8", newline="") as file:
        cells = {row["SIS Login ID"]: row["Lab (7)"] for row in csv.DictReader(file)}
    assert cells == {"": "60.00", "ada": "60.00", "alan": "35.00", "eve": "9"}
    assert "eve: no grade. The grader could not finish." in ended.words
    assert "mallory: not in the roster." in ended.words
    assert "Speed-up (20)" in ended.words


@pytest.mark.parametrize(("platform", "roster", "scaled"), [
    (("canvas", "--assignment", "Lab"),
     "Student,ID,SIS User ID,SIS Login ID,Section,Lab (7)\nPoints Possible,,,,,10\nAda,1,,ada,A,\nAlan,2,,alan,A,\n",
     ["10.00", "10.00", "5.83"]),
    (("moodle", "--title", "Lab"), "Username,Maximum Grade\nada,\"50,00\"\nalan,\"50,00\"\n", ["50.00", "29.17"]),
])  # fmt: skip
def test_another_maximum_of_the_platform_is_warned_of_and_scale_converts_to_it(
    platform: tuple[str, ...], roster: str, scaled: list[str], desk: Desk, results: Path
):
    name, *heading = platform
    words: tuple[str | Path, ...] = ("export", name, results, "--roster", desk.write(roster, "roster.csv"), *heading)
    plain, converted = desk.grade(*words), desk.grade(*words, "--scale")
    assert "points are possible on the platform, but these are out of 60." in " ".join(plain.stderr.split())
    assert "Warning" not in converted.stderr
    rows = list(csv.reader(converted.stdout.splitlines()))
    assert [row[rows[0].index(next(title for title in rows[0] if "Lab" in title))] for row in rows[1:]] == scaled


def test_points_are_not_converted_to_a_maximum_that_nobody_states(desk: Desk, results: Path):
    roster = desk.write("Username\nada\n", "roster.csv")
    ended = desk.grade("export", "moodle", results, "--roster", roster, "--title", "Lab", "--scale")
    assert ended.status == 2
    assert "The roster does not state a maximum" in ended.words


def test_students_of_the_roster_without_a_result_are_named(desk: Desk, results: Path):
    gradebook = "Student,ID,SIS User ID,SIS Login ID,Section,Lab (7)\n,,,,,Manual Posting\n    Points Possible,,,,,60\n"
    canvas = desk.write(f'{gradebook}Ada,1,u1,ada,A,\n"Hopper, Grace",2,u2,grace,A,7\n', "canvas.csv")
    moodle = desk.write("Full name,Username\nAda L,ada\nGrace H,grace\nBob,\n", "moodle.csv")
    first = desk.grade("export", "canvas", results, "--roster", canvas, "--assignment", "Lab")
    second = desk.grade("export", "moodle", results, "--roster", moodle, "--title", "x", "--match", "Username")
    assert [line for line in first.stderr.splitlines() if "no result" in line] == [
        "Hopper, Grace: no result. The grade stays as it is."
    ]
    assert second.stderr.count("no result") == 2
    assert "Grace H, grace: no result." in second.stderr
    assert "Bob: no result." in second.stderr


@pytest.mark.parametrize("name", [format_.name for format_ in FORMATS])
def test_a_path_that_is_not_utf8_is_accepted(name: str, desk: Desk, report: Path):
    json_document.REPORT.write(grades.wrong_on_simulator(), report)
    ended = desk.grade("export", name, report, "--source", os.fsdecode(b"labs/\xff/m.cu"))
    assert ended.status == 0
    assert "bug in the grader" not in ended.words


CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section,Lab (7)\nAda,1,u1,ada,A,\nBob,2,u2,bob,A,\n"


def graded(desk: Desk, *sources: Path) -> list[str]:
    """The folders of a class whose intake read the sources, each with a grade."""
    results = desk.folder / "results"
    results.mkdir()
    submissions = collect(*sources)
    class_files.open_class(submissions, [], results)
    for submission in submissions:
        (results / submission.student).mkdir()
        json_document.REPORT.write(grades.on_simulator(), results / submission.student / "report.json")
    return [submission.student for submission in submissions]


def test_a_second_result_of_one_student_is_not_given_to_another(desk: Desk):
    (desk.folder / "class" / "ada").mkdir(parents=True)
    for name in ("class/ada/matmul.cu", "ada.cu"):
        desk.write(lab.NAIVE, name)
    more = desk.write("student,file\nada,ada.cu\n", "more.csv")
    assert graded(desk, desk.folder / "class", more) == ["ada", "ada-2"]
    canvas = ("export", "canvas", "results", "--roster", desk.write(CANVAS, "canvas.csv"), "--assignment", "Lab")
    ended = desk.grade(*canvas)
    assert ended.status == 2
    assert "ada and ada-2 match the same row of the roster." in ended.words
    assert not ended.stdout


def test_a_match_by_the_number_in_the_name_of_canvas_is_printed(desk: Desk):
    (desk.folder / "class").mkdir()
    for name in ("bobbrown_2_301_matmul.cu", "ada.cu"):
        desk.write(lab.NAIVE, f"class/{name}")
    assert graded(desk, desk.folder / "class") == ["ada", "bobbrown-2"]
    canvas = ("export", "canvas", "results", "--roster", desk.write(CANVAS, "canvas.csv"), "--assignment", "Lab")
    ended = desk.grade(*canvas)
    assert [line.split(",")[-1] for line in ended.stdout.splitlines()[2:]] == ["60.00", "60.00"]
    assert ended.stderr.count("matched by") == 1
    assert "bobbrown-2: matched by Canvas's number 2 to Bob, 2, u2." in ended.words


def test_moodle_gets_grades_and_feedback_of_those_who_have_one(desk: Desk, results: Path):
    roster = desk.write("Full name,Username\nAda L,ada\nAlan T,alan\nEve,eve\n", "roster.csv")
    words = ("export", "moodle", results, "--roster", roster, "--title", "Lab 1")
    ended = desk.grade(*words, "--match", "Username", "--output", "out.csv")
    assert ended.status == 0, ended.words
    with (desk.folder / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["Username"], row["Lab 1"]) for row in rows] == [("ada", "60.00"), ("alan", "35.00")]
    assert "The last row of C is wrong." in rows[1]["Feedback comments"]
    wrong = desk.grade(*words)
    assert "ada: not in the roster." in wrong.words


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("gitlab", "nowhere.json"), "cannot be read"),
        (("moodle", "nowhere", "--roster", "roster.csv", "--title", "x"), "cannot be read"),
        (("canvas", "nowhere", "--roster", "names.csv", "--assignment", "x"), "not a gradebook of Canvas"),
        (("moodle", "results", "--roster", "names.csv", "--title", "x"), "No student in the results is in the roster."),
        (("gradescope", "--zip", "a.zip", "--rubric", "report.json"), "report.json"),
        (("gradescope", "--zip", "no/where/a.zip"), "could not be written"),
    ],
)
@pytest.mark.usefixtures("report", "results")
def test_what_cannot_be_exported_is_reported_in_a_sentence(words: tuple[str, ...], said: str, desk: Desk):
    desk.write("Full name,Username\nA,b\n", "names.csv")
    ended = desk.grade("export", *words)
    assert ended.status in {2, 3}
    assert said in ended.words
    assert "bug in the grader" not in ended.words
