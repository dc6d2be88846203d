"""What one student does to files and folders of a class is that student's problem, and nobody else's."""

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import pytest

from grader.batch.intake import folders
from grader.batch.intake.source_entry import MOST_DEPTH
from grader.errors import SubmissionError
from tests.batch.intake.zips import KERNEL, students

MEMORY = Path("/dev", "shm")
LAST_MOMENT = 253402300799  # of the year 9999


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A class of two; eve is hostile."""
    for student in ("ada", "eve"):
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "matmul.cu").write_bytes(KERNEL)
    return tmp_path / "class"


def problem_of_eve(source: Path) -> str:
    submissions = students(source)
    assert set(submissions) == {"ada", "eve"}
    assert (submissions["ada"].content, submissions["ada"].problem) == (KERNEL, "")
    return submissions["eve"].problem


def zipped(course: Path) -> Path:
    path = course.with_suffix(".zip")
    with ZipFile(path, "w") as archive:
        for entry in course.rglob("*"):
            archive.write(entry, entry.relative_to(course))
    return path


sources = pytest.mark.parametrize("source", [lambda course: course, zipped], ids=["folder", "zip"])


@sources
@pytest.mark.parametrize("name", ["x.cu", "notes.txt"])
def test_a_file_in_too_many_folders(course: Path, source: Callable[[Path], Path], name: str):
    deep = course / "eve" / "/".join("d" * MOST_DEPTH)
    deep.mkdir(parents=True)
    (deep / name).touch()
    sentence = f"“eve/d/d/…” is more than {MOST_DEPTH} folders deep, so it was not read."
    assert problem_of_eve(source(course)) == sentence


def test_more_folders_in_each_other_than_a_path_can_name(course: Path):
    above = os.open(course / "eve", os.O_RDONLY)
    for _ in range(600):  # few enough to be removed again
        os.mkdir("folder", dir_fd=above)
        below = os.open("folder", os.O_RDONLY, dir_fd=above)
        os.close(above)
        above = below
    os.close(above)
    assert "folders deep" in problem_of_eve(course)


@sources
@pytest.mark.parametrize("place", ["", "src/", "{}/"])
def test_more_files_or_folders_than_a_submission_has(
    course: Path, source: Callable[[Path], Path], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.batch.intake.folders.MOST_FILES", 10)
    monkeypatch.setattr("grader.batch.intake.collect.MOST_FILES", 10)
    for number in range(12):
        folder = course / "eve" / place.format(number)
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.h").touch()
    assert problem_of_eve(source(course)) == "There are more than 10 files, so none was read."


def test_a_class_may_have_more_files_than_a_student(course: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("grader.batch.intake.folders.MOST_FILES", 3)
    monkeypatch.setattr("grader.batch.intake.collect.MOST_FILES", 3)
    for number in range(9):
        (course / f"student{number}").mkdir()
        (course / f"student{number}" / "matmul.cu").write_bytes(KERNEL)
    assert {each.problem for each in students(course).values()} == {""}
    assert {each.problem for each in students(course.parent).values()} == {""}  # all in one more folder


@pytest.fixture
def any_time() -> Iterator[Path]:
    """A folder on a file system whose times have no bounds."""
    if not MEMORY.is_dir():
        pytest.skip("this machine has no file system in memory")
    with TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)


@pytest.mark.parametrize(
    ("moment", "refused"),
    [(LAST_MOMENT + 1, True), (-(1 << 36), True), (1 << 61, True), (LAST_MOMENT, False), (-1, False)],
)
def test_a_time_that_no_calendar_has(any_time: Path, moment: int, refused: bool):
    for student in ("ada", "eve"):
        (any_time / f"{student}.cu").write_bytes(KERNEL)
    os.utime(any_time / "eve.cu", (moment, moment))
    assert ("has a date before the year 1 or after 9999" in problem_of_eve(any_time)) == refused


def test_a_socket_a_link_and_names_of_any_bytes(course: Path):
    (course / "eve" / "matmul.cu").unlink()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(course / "eve" / "s.cu"))
    assert "is a device or a pipe and not a file" in problem_of_eve(course)
    for name in (b"n" * 255, b"\xff\n"):
        Path(os.fsdecode(os.fsencode(course) + b"/" + name)).mkdir()
    assert len(students(course)) == 4


def exchanged_for_a_link(path: Path) -> None:
    path.rename(path.with_name("away"))
    path.symlink_to(path.parent.parent / "ada" / path.name if path.suffix else path.parent / "ada")


def exchanged_for_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("path", "exchange", "says"),
    [
        ("eve/matmul.cu", exchanged_for_a_link, "is a link and not a file"),
        ("eve", exchanged_for_a_link, "is behind a link"),
        ("eve/matmul.cu", exchanged_for_a_pipe, "is a device or a pipe"),
    ],
)
def test_what_is_exchanged_after_the_listing_is_not_read(course: Path, path, exchange, says):
    (course / "ada" / "matmul.cu").write_bytes(b"// ada's\n")
    (mine,) = (entry for entry in folders.entries_of(course) if entry.path == "eve/matmul.cu")
    exchange(course / path)
    with pytest.raises(SubmissionError) as caught:
        mine.read(100)
    assert says in caught.value.fault.sentence


def test_the_class_itself_may_be_named_by_a_link(course: Path):
    (course.parent / "link").symlink_to(course)
    assert problem_of_eve(course.parent / "link") == ""
