import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.batch.intake.attribution import ONLY_FOLDER
from grader.batch.intake.collect import collect, only
from grader.batch.intake.source_entry import Submission
from grader.batch.results.names import LONGEST, SAFE, folder_name, identifiers
from grader.errors import UsageError
from tests.batch.intake.zips import KERNEL, students, written

anything = st.text(st.characters(), max_size=100) | st.text("aAbB-. /\\", max_size=4)


def test_a_folder_with_a_folder_or_a_file_for_each_student(tmp_path: Path):
    (tmp_path / "anna" / "src").mkdir(parents=True)
    (tmp_path / "anna" / "src" / "matmul.cu").write_bytes(KERNEL)
    (tmp_path / "bert.cu").write_bytes(KERNEL)
    (tmp_path / "README.md").write_text("nobody's")
    (tmp_path / "cleo").mkdir()
    submissions = students(tmp_path)
    assert {student: (had.file, had.problem) for student, had in submissions.items()} == {
        "anna": ("matmul.cu", ""),
        "bert": ("bert.cu", ""),
        "cleo": ("cleo", "Nothing was submitted."),
    }


def test_one_student_can_be_named_by_the_folder_in_the_results_or_in_the_source(tmp_path: Path):
    for name in ("anna", "bert", "gül"):
        (tmp_path / f"{name}.cu").write_bytes(KERNEL)
    every = collect(tmp_path)
    assert only(every, ["gül"]) == only(every, [folder_name("gül")])
    assert [submission.student for submission in only(every, ["bert", "bert", "BE"])] == ["bert"]
    with pytest.raises(UsageError, match="no student brt") as error:
        only(every, ["brt"])
    assert "bert" in error.value.hint
    with pytest.raises(UsageError) as error:
        only(every, ["x"])
    assert "such as anna" in error.value.hint
    (tmp_path / "anne.cu").write_bytes(KERNEL)
    with pytest.raises(UsageError, match="Several students in the sources begin with Ann") as error:
        only(collect(tmp_path), ["Ann"])
    assert error.value.hint == "Name one: anna, anne."


def test_the_newest_file_in_a_folder_wins(tmp_path: Path):
    (tmp_path / "anna").mkdir()
    for name, when in (("matmul.cu", 1_000_000_000), ("second.cu", 1_700_000_000), ("first.cu", 900_000_000)):
        (tmp_path / "anna" / name).write_text(f"// {name}\n")
        os.utime(tmp_path / "anna" / name, (when, when))
    anna = students(tmp_path)["anna"]
    assert (anna.file, anna.submitted) == ("second.cu", "2023-11-14T22:13:20+00:00")


def test_of_files_of_one_time_the_one_with_the_expected_name_wins(tmp_path: Path):
    (tmp_path / "anna").mkdir()
    for name in ("other.cu", "matmul.cu", "zzz.cu"):
        (tmp_path / "anna" / name).write_text(f"// {name}\n")
        os.utime(tmp_path / "anna" / name, (1_000_000_000, 1_000_000_000))
    assert students(tmp_path)["anna"].file == "matmul.cu"


def test_a_link_into_a_folder_that_nobody_may_read_affects_only_its_student(tmp_path: Path):
    closed = tmp_path / "closed"
    for folder in (closed, tmp_path / "class" / "ada", tmp_path / "class" / "bob"):
        folder.mkdir(parents=True)
    (tmp_path / "class" / "ada" / "matmul.cu").symlink_to(closed / "matmul.cu")
    (tmp_path / "class" / "bob" / "matmul.cu").write_bytes(KERNEL)
    closed.chmod(0)  # root may read it all the same
    try:
        problems = {name: submission.problem for name, submission in students(tmp_path / "class").items()}
    finally:
        closed.chmod(0o700)
    assert "is a link" in problems["ada"]
    assert not problems["bob"]


def test_links_pipes_and_large_files_in_a_folder_affect_only_their_student(tmp_path: Path):
    for student in ("anna", "bert", "cleo", "dora"):
        (tmp_path / student).mkdir()
    (tmp_path / "anna" / "matmul.cu").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "bert" / "matmul.cu")
    (tmp_path / "cleo" / "matmul.cu").write_bytes(b"/" * ((1 << 20) + 1))
    (tmp_path / "dora" / "matmul.cu").write_bytes(KERNEL)
    (tmp_path / "emil").symlink_to("/etc")
    submissions = students(tmp_path)
    assert "is a link" in submissions["anna"].problem
    assert "a pipe" in submissions["bert"].problem
    assert "is larger than 1 MiB" in submissions["cleo"].problem
    assert submissions["dora"].content == KERNEL
    assert "is a link" in submissions["emil"].problem
    assert len(submissions) == 5


@pytest.mark.skipif(os.geteuid() == 0, reason="root may enter every folder")
def test_an_unreadable_folder_affects_only_its_student(tmp_path: Path):
    (tmp_path / "anna").mkdir(mode=0)
    (tmp_path / "bert.cu").write_bytes(KERNEL)
    assert "cannot be opened" in students(tmp_path)["anna"].problem


def test_a_source_without_submissions_is_wrong_usage(tmp_path: Path):
    with pytest.raises(UsageError, match="There are no submissions in"):
        collect(tmp_path)
    for name in ("ada/report.json", "gradebook.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    with pytest.raises(UsageError, match="has the results of a class"):
        collect(tmp_path)


def test_a_missing_source_is_wrong_usage(tmp_path: Path):
    with pytest.raises(UsageError, match="There is nothing at"):
        collect(tmp_path / "none.zip")


def test_a_name_that_is_no_safe_folder_is_replaced_by_one(tmp_path: Path):
    (tmp_path / "Jané Döe").mkdir()
    (submission,) = collect(tmp_path)
    assert submission.name == "Jané Döe"
    assert submission.student.startswith("Jane-Doe-")


@pytest.mark.parametrize(("name", "words"), [("Weiß", "Weiss"), ("Søren Łoś", "Soren-Los"), ("Đặng", "Dang")])
def test_a_folder_name_loses_no_letter_of_a_name(name: str, words: str):
    assert folder_name(name).startswith(f"{words}-")


def test_a_submission_cannot_have_content_and_a_problem():
    with pytest.raises(ValueError, match="both"):
        Submission("anna", content=KERNEL, problem="It is a link.")


@given(st.lists(anything, unique=True, max_size=30))
def test_any_names_give_safe_folders_that_differ_even_without_case(names: list[str]):
    made = identifiers(names)
    plain = {folder_name(name).casefold() for name in names}
    numbered = [folder for folder, name in zip(made, names, strict=True) if folder != folder_name(name)]
    assert not plain & {folder.casefold() for folder in numbered}
    assert len({folder.casefold() for folder in made}) == len(names)
    assert all(SAFE.fullmatch(folder) and len(folder) <= LONGEST + 4 for folder in made)


def test_two_students_never_get_the_same_folder():
    given_to_jane = folder_name("Jané")
    assert identifiers(["Jané", given_to_jane, "anna", "ANNA"]) == [
        given_to_jane,
        f"{given_to_jane}-2",
        "anna",
        "ANNA-2",
    ]


@given(anything, st.lists(anything))
def test_a_student_keeps_the_folder_with_any_other_students(name: str, others: list[str]):
    assert identifiers([name, *others])[0] == folder_name(name)


@pytest.mark.parametrize("name", ["index.html", "gradebook.csv", "JUNIT.xml", "leaderboard.html", "con", "..", ".lock"])
def test_no_student_gets_a_folder_name_of_the_class_or_of_windows(name: str):
    assert folder_name(name) != name


def test_files_that_are_not_graded_are_listed(tmp_path: Path):
    (tmp_path / "anna" / "old").mkdir(parents=True)
    for name, when in (("matmul.cu", 2_000_000_000), ("old/matmul.cu", 1_000_000_000), ("notes.txt", 1_000_000_000)):
        (tmp_path / "anna" / name).write_text("// a kernel\n")
        os.utime(tmp_path / "anna" / name, (when, when))
    (tmp_path / "bert.cu").write_bytes(KERNEL)
    submissions = students(tmp_path)
    assert (submissions["anna"].file, submissions["anna"].others) == ("matmul.cu", ("anna/old/matmul.cu",))
    assert submissions["bert"].others == ()


def test_a_folder_that_may_be_that_of_a_class_is_said_to_count_as_one_student(tmp_path: Path):
    source = written(tmp_path / "hw.zip", ("hw1/ada.cu", KERNEL), ("hw1/bob.cu", KERNEL))
    (only_one,) = collect(source)
    assert (only_one.student, only_one.note) == ("hw1", ONLY_FOLDER)
    assert not collect(source, known=["hw1"])[0].note


METADATA = """submission_1:
  :submitters:
  - :name: Bob
    :sid: bob
"""


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    "files",
    [
        {"ada/bob/matmul.cu": KERNEL, "ada/carl/matmul.cu": KERNEL},
        {"ada/doejane_77_9_matmul.cu": KERNEL},
        {"ada/submission_metadata.yml": METADATA.encode(), "ada/submission_1/matmul.cu": KERNEL},
    ],
)
def test_folders_and_files_of_a_known_student_make_no_other_student(tmp_path: Path, files, packed):
    source = tmp_path / "resubmissions"
    for name, content in files.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(content)
    if packed:
        source = written(tmp_path / "resubmissions.zip", *files.items())
    (ada,) = collect(source, known=["Ada", "bob"])
    assert (ada.student, ada.content) == ("ada", KERNEL)
    first = tmp_path / "class"
    first.mkdir()
    (first / "ada.cu").write_bytes(b"// older\n")
    assert {submission.student for submission in collect(first, source)} == {"ada"}


@pytest.mark.parametrize(("content", "words"), [
    (b"", "The file is empty. Was it saved"),
    (b" \n", "The file is empty."),
    (KERNEL.decode().encode("utf-16"), "The file is text in UTF-16. Save it as UTF-8"),
    (b"%PDF-1.7", "not a printed one."),
])  # fmt: skip
def test_a_file_that_is_empty_or_no_text_is_nothing_to_grade(tmp_path: Path, content: bytes, words: str):
    (tmp_path / "jo.cu").write_bytes(content)
    (jo,) = collect(tmp_path)
    assert words in jo.problem
    assert not jo.content
