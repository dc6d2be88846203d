from pathlib import Path

import pytest

from grader.errors import UsageError
from tests.batch.intake.zips import KERNEL, students


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "files" / "b").mkdir(parents=True)
    (tmp_path / "files" / "a.cu").write_bytes(KERNEL)
    (tmp_path / "files" / "b" / "matmul.cu").write_bytes(KERNEL)
    return tmp_path


def roster(folder: Path, text: str | bytes) -> Path:
    path = folder / "roster.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_roster_names_students_and_their_files(folder: Path):
    rows = "1001,Ada,ada@x.edu,files/a.cu\n1002,Bob,bob@x.edu,files/b\n1003,Cy,,\n"
    submissions = students(roster(folder, f"student,name,email,file\n{rows}"))
    ada = submissions["1001"]
    assert (ada.name, ada.email, ada.file, ada.content) == ("Ada", "ada@x.edu", "a.cu", KERNEL)
    assert submissions["1002"].content == KERNEL
    assert submissions["1003"].problem == "Nothing was submitted."


@pytest.mark.parametrize(
    "text",
    [
        "Student ID;Full Name;E-Mail;File Path\n1001;Ada Lovelace;ada@x.edu;files/a.cu\n",
        "\ufeffID number,First name,Last name,Email address,File\r\n1001,Ada,Lovelace,ada@x.edu,files/a.cu\r\n",
        "SID\tName\tEmail\tSubmission\n1001\t Ada Lovelace \tada@x.edu\tfiles/a.cu\n",
    ],
)
def test_headers_as_spreadsheets_and_platforms_write_them(folder: Path, text: str):
    ada = students(roster(folder, text))["1001"]
    assert (ada.name, ada.email, ada.content) == ("Ada Lovelace", "ada@x.edu", KERNEL)


@pytest.mark.parametrize(
    ("cell", "late"),
    [
        *((cell, True) for cell in ("yes", "1", "0.5", "01:10:00", "00:00:01", "0 days 00:10:00", "LATE", "10")),
        *((cell, False) for cell in ("", "0", "0.0", "00:00:00", "00:00", "0 days 00:00:00", "0:00:00.000", "PT0S")),
        *(
            (cell, False)
            for cell in ("No", "FALSE", "nan", "N/A", "-", "On time", "not late", "-00:05:00", "1 day early")
        ),
    ],
)
def test_the_text_of_the_late_column_is_kept(folder: Path, cell: str, late: bool):
    text = f"sid,file,Lateness (H:M:S),submitted\n1001,files/a.cu,{cell},2025-03-01 10:00\n"
    ada = students(roster(folder, text))["1001"]
    assert (ada.late, ada.is_late, ada.submitted) == (cell if late or not cell else "no", late, "2025-03-01T10:00:00")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("1,no,a\0.cu\n", "no file can have this name"),
        ("1,no,files/none.cu\n", "“files/none.cu” cannot be opened (No such file or directory), so it was not read."),
        ("1,no,files/a.cu\n1,yes,files/a.cu\n", "are there twice"),
    ],
)
def test_a_file_that_cannot_be_read_or_that_two_rows_name_affects_only_its_student(folder: Path, rows: str, words: str):
    submissions = students(roster(folder, f"student,late,file\n{rows}2,,files/b\n"))
    assert words in submissions["1"].problem
    assert submissions["2"].content == KERNEL


@pytest.mark.parametrize("above", [".", "..", "files/.."])
def test_a_folder_with_the_roster_in_it_is_no_students(folder: Path, above: str):
    with pytest.raises(UsageError, match="contains the roster itself"):
        students(roster(folder, f"student,file\n1001,{above}\n"))


def test_missing_columns_are_named(folder: Path):
    with pytest.raises(UsageError, match="has no column for: student, file") as caught:
        students(roster(folder, "nickname,address\nx,y\n"))
    assert "nickname, address" in caught.value.hint


def test_identifiers_that_differ_in_case_alone_are_refused(folder: Path):
    (submission,) = students(roster(folder, "student,file\nab1,files/a.cu\nAB1,files/b\n")).values()
    assert "“AB1” and “ab1” differ only in case" in submission.problem


@pytest.mark.parametrize(
    "rows",
    ["1,Ada,,files/a.cu\n1,Bob,,files/b\n", "1,,ada@x.edu,files/a.cu\n1,,bob@x.edu,files/b\n"],
)
def test_an_id_of_two_students_gives_neither_the_grade_of_the_other(folder: Path, rows: str):
    (submission,) = students(roster(folder, f"student,name,email,file\n{rows}")).values()
    assert submission.problem.endswith("have the same id, so neither was read.")


def test_two_rows_of_one_student_are_no_mistake(folder: Path):
    (submission,) = students(roster(folder, "student,name,file\n1,Ada  King,files/a.cu\n1,ada king,files/b\n")).values()
    assert submission.content == KERNEL


def test_a_row_that_is_there_twice_counts_once_and_is_noted(folder: Path):
    twice = "1,Ada,files/a.cu,red,12/31/2026\n1 ,Ada,files/a.cu,blue,12/31/2026\n"  # of a section we do not read
    submissions = students(
        roster(folder, f"student,name,file,section,time\n{twice}2,Bob,files/b,red,\n2,Bob,files/b,,\n")
    )
    assert [submissions[student].content for student in ("1", "2")] == [KERNEL, KERNEL]
    assert submissions["1"].note == "the roster has this row more than once; it counts once."


def test_a_path_that_is_not_there_is_noted_where_another_one_is_read(folder: Path):
    found = students(roster(folder, "student,file,time\n1,files/a.cu,2026-11-02\n1,files/none.cu,2026-11-01\n"))["1"]
    assert (found.content, found.note) == (KERNEL, "the roster names files/none.cu, which is not there.")


@pytest.mark.parametrize(
    "path", ["shared/matmul.cu", "files/../shared/matmul.cu", "{folder}/shared/matmul.cu", "shared"]
)
def test_a_link_on_the_way_to_a_file_is_not_followed(folder: Path, path: str):
    (folder / "shared").symlink_to("files/b")
    (submission,) = students(roster(folder, f"student,file\n1,{path.format(folder=folder)}\n")).values()
    assert "link" in submission.problem
    assert submission.content == b""


def test_a_file_beside_the_folder_of_the_roster_is_read(folder: Path):
    (folder / "lists").mkdir()
    (submission,) = students(roster(folder / "lists", "student,file\n1,../files/a.cu\n")).values()
    assert submission.content == KERNEL


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig", "utf-32"])
def test_a_roster_that_says_its_encoding_is_read(folder: Path, encoding: str):
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    text = f"{mark}student\tfile\tname\r\n1\tfiles/a.cu\tZoë\r\n"
    assert students(roster(folder, text.encode(encoding)))["1"].name == "Zoë"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_read(encoding: str, folder: Path) -> None:
    assert students(roster(folder, "student,name,file\n1,Ada,a.cu\n".encode(encoding)))["1"].name == "Ada"


def test_an_id_with_an_accent_is_one_student_however_it_is_written(folder: Path):
    (submission,) = students(
        roster(folder, "student,file,submitted\nzo\u00eb,files/a.cu,2026-11-02\nzoe\u0308,files/b,2026-11-01\n")
    ).values()
    assert submission.file == "a.cu"


def test_a_file_without_a_student_is_not_left_out(folder: Path):
    with pytest.raises(UsageError, match=r"no student for files/a\.cu"):
        students(roster(folder, "student,name,file\n,Ada,files/a.cu\n1,Bob,files/b\n,,\n"))


def test_the_newest_file_is_that_of_the_latest_moment_in_any_time_zone(folder: Path):
    times = "1,files/a.cu,2026-11-01T10:00:00+09:00\n1,files/b,2026-11-01T05:00:00Z\n"
    (submission,) = students(roster(folder, f"student,file,submitted\n{times}")).values()
    assert submission.file == "matmul.cu"


def test_a_time_that_decides_must_be_readable(folder: Path):
    with pytest.raises(UsageError, match="“01/11/2026 10:00” is not a time in ISO 8601"):
        students(roster(folder, "student,file,submitted\n1,files/a.cu,01/11/2026 10:00\n1,files/b,2026-11-01\n"))
    (submission,) = students(roster(folder, "student,file,submitted\n1,files/a.cu,01/11/2026 10:00\n")).values()
    assert submission.content == KERNEL


@pytest.mark.parametrize("text", [b"", b"student,file\n\xff\xfe", b'student,file\n"' + b"x" * 200_000 + b'",y\n'])
def test_a_file_that_is_no_roster_is_wrong_usage(folder: Path, text: bytes):
    with pytest.raises(UsageError, match=r"roster\.csv"):
        students(roster(folder, text))
