import stat
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_LZMA, ZipFile, ZipInfo

import pytest

from grader.errors import UsageError
from grader.judge.submission import MOST_BYTES
from tests.batch.intake.zips import APRIL, KERNEL, entry, students, with_flag, written

GOOD = ("good/matmul.cu", KERNEL)
NOISE = bytes(range(256)) * 8


def with_method(name: str, method: int) -> ZipInfo:
    made = entry(name)
    made.compress_type = method
    return made


HOSTILE: dict[str, tuple[ZipInfo | str, bytes]] = {
    "leads out of its folder": ("evil/../../x.cu", KERNEL),
    "leads out of its folder ": ("..\\evil\\x.cu", KERNEL),
    "has an absolute path": ("/evil/x.cu", KERNEL),
    "has an absolute path ": ("C:\\evil\\x.cu", KERNEL),
    "is a link and not a file": (entry("evil/x.cu", mode=stat.S_IFLNK | 0o777), b"/etc/passwd"),
    "is a device or a pipe": (entry("evil/x.cu", mode=stat.S_IFCHR | 0o666), b""),
    "is a device or a pipe ": (entry("evil/x.cu", mode=stat.S_IFIFO | 0o666), b""),
    "unpacks to more than 100 times its size": ("evil/x.cu", b" " * (MOST_BYTES - 1)),
    "is larger than 1 MiB": (with_method("evil/x.cu", 0), b"/" * (MOST_BYTES + 1)),
    "is compressed in a way": (with_method("evil/x.cu", ZIP_BZIP2), b" " * 9_000_000),
    "is compressed in a way ": (with_method("evil/x.cu", ZIP_LZMA), b" " * 9_000_000),
}


@pytest.mark.parametrize("why", HOSTILE)
def test_a_hostile_entry_is_refused_by_name_and_affects_only_its_student(tmp_path: Path, why: str):
    submissions = students(written(tmp_path / "class.zip", HOSTILE[why], GOOD))
    assert set(submissions) == {"evil", "good"}
    assert why.strip() in submissions["evil"].problem
    assert "x.cu” " in submissions["evil"].problem
    assert submissions["evil"].content == b""
    assert (submissions["good"].content, submissions["good"].problem) == (KERNEL, "")


def test_an_encrypted_entry_is_refused(tmp_path: Path):
    path = with_flag(written(tmp_path / "class.zip", ("evil/x.cu", KERNEL), GOOD), "evil/x.cu", 1)
    submissions = students(path)
    assert "is encrypted" in submissions["evil"].problem
    assert submissions["good"].content == KERNEL


def test_a_false_size_is_detected_while_reading(tmp_path: Path):
    path = written(tmp_path / "class.zip", ("evil/x.cu", b" " * 50_000_000), GOOD)
    with ZipFile(path) as archive:
        archive.infolist()[0].file_size = 10
        true, lie = (50_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(true, lie))
    submissions = students(path)
    assert "is damaged" in submissions["evil"].problem
    assert submissions["good"].content == KERNEL


def test_a_damaged_entry_affects_only_its_student(tmp_path: Path):
    path = written(tmp_path / "class.zip", (with_method("evil/x.cu", 0), NOISE), GOOD)
    path.write_bytes(path.read_bytes().replace(NOISE, NOISE[::-1]))
    submissions = students(path)
    assert "is damaged" in submissions["evil"].problem
    assert submissions["good"].content == KERNEL


def test_files_that_differ_in_case_alone_are_refused(tmp_path: Path):
    submissions = students(written(tmp_path / "class.zip", ("evil/x.cu", b"// 1\n"), ("evil/X.cu", b"// 2\n"), GOOD))
    assert submissions["evil"].problem == "“evil/x.cu” and “evil/X.cu” differ only in case, so neither was read."


def test_students_who_differ_in_case_alone_are_refused(tmp_path: Path):
    submissions = students(written(tmp_path / "class.zip", ("evil/x.cu", b"// 1\n"), ("EVIL/y.cu", b"// 2\n"), GOOD))
    assert len(submissions) == 2
    assert "“EVIL” and “evil” differ only in case" in submissions["evil"].problem


def test_a_file_that_is_there_twice_is_refused(tmp_path: Path):
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = written(tmp_path / "class.zip", ("evil/x.cu", b"// 1\n"), ("evil/x.cu", b"// 2\n"), GOOD)
    assert "are there twice" in students(path)["evil"].problem


def test_a_student_cannot_reach_into_the_folder_of_another(tmp_path: Path):
    stolen = (entry("evil/../good/matmul.cu", APRIL), b"// stolen\n")
    assert students(written(tmp_path / "class.zip", GOOD, stolen))["good"].content == KERNEL


def test_nothing_is_written(tmp_path: Path):
    students(written(tmp_path / "class.zip", ("../../evil.cu", KERNEL), ("/evil.cu", KERNEL), GOOD))
    assert [path.name for path in tmp_path.rglob("*")] == ["class.zip"]


@pytest.mark.parametrize("content", [b"", b"not a zip file", b"PK\x05\x06" + b"\xff" * 18])
def test_a_file_that_is_no_zip_file_is_wrong_usage(tmp_path: Path, content: bytes):
    path = tmp_path / "class.zip"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="cannot be read as a zip file"):
        students(path)


@pytest.mark.parametrize("when", [(1980, 0, 0, 0, 0, 0), (2107, 15, 31, 31, 63, 62)])
def test_a_date_that_no_calendar_has_is_no_date(tmp_path: Path, when: tuple[int, int, int, int, int, int]):
    submissions = students(written(tmp_path / "class.zip", (entry("evil/x.cu", when), KERNEL), GOOD))
    assert (submissions["evil"].content, submissions["evil"].submitted) == (KERNEL, "")
