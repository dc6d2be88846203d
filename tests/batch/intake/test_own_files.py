from dataclasses import replace
from pathlib import Path

import pytest

from grader.batch.intake import own_files
from grader.errors import UsageError
from grader.model.labs import Header
from tests.batch.intake.zips import KERNEL, students, written
from tests.report import examples

MAIN = b'#include "kernel.cuh"\nint main() {}\n'


def write(folder: Path, **files: bytes) -> Path:
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_bytes(content)
    return folder


def test_a_file_is_read_with_those_beside_it(tmp_path: Path):
    write(tmp_path, main_cu=MAIN, kernel_cuh=KERNEL)
    read = own_files.read(tmp_path / "main.cu")
    assert KERNEL in read.content
    assert read.files == (tmp_path / "main.cu", tmp_path / "kernel.cuh")


def test_a_file_that_is_missing_beside_it_is_one_on_which_it_depends(tmp_path: Path):
    write(tmp_path, main_cu=MAIN)
    assert own_files.read(tmp_path / "main.cu").files == (tmp_path / "main.cu", tmp_path / "kernel.cuh")


def test_headers_of_the_course_are_left_to_the_compiler(tmp_path: Path):
    write(tmp_path, main_cu=MAIN, kernel_cuh=KERNEL)
    rubric = replace(examples.report().rubric, headers=(Header("kernel.cuh", ""),))
    assert own_files.read(tmp_path / "main.cu", rubric).content == MAIN


def test_what_is_below_a_file_or_has_no_possible_name_is_not_beside_it(tmp_path: Path):
    names = (b"main.cu/x.h", b"x/" * 90 + b"x.h")
    main = b"".join(b'#include "%s"\n' % name for name in names)
    assert own_files.read(write(tmp_path, main_cu=main) / "main.cu").content == main


@pytest.mark.parametrize("target", ["/etc/passwd", "../outside.cuh"])
def test_a_link_beside_it_is_not_followed(tmp_path: Path, target: str):
    (tmp_path / "outside.cuh").write_bytes(KERNEL)
    folder = write(tmp_path / "student", main_cu=MAIN)
    (folder / "kernel.cuh").symlink_to(target)
    for path in (folder / "main.cu", folder):
        assert b'#error "kernel.cuh" is a link and not a file, so it was not read.\n' in own_files.read(path).content


def test_a_file_that_is_too_large_is_refused_where_it_is_included(tmp_path: Path):
    write(tmp_path, main_cu=MAIN, kernel_cuh=b"x" * (1 << 20) + b"x")
    assert b"is larger than 1 MiB, so it was not read.\n" in own_files.read(tmp_path).content


def test_another_cu_file_beside_it_is_not_included(tmp_path: Path):
    write(tmp_path, anna_cu=b'#include "bert.cu"\n', bert_cu=KERNEL)
    assert KERNEL not in own_files.read(tmp_path / "anna.cu").content


def test_of_a_folder_the_file_that_includes_the_others_is_graded(tmp_path: Path):
    write(tmp_path, main_cu=b'#include "kernel.cu"\n', kernel_cu=KERNEL)
    assert own_files.read(tmp_path).name == "main.cu"


def test_of_a_zip_file_the_file_with_a_kernel_is_graded(tmp_path: Path):
    packed = written(tmp_path / "own.zip", ("own/kernel.cu", KERNEL), ("own/main.cu", b"int main() {}\n"))
    assert own_files.read(packed).name == "kernel.cu"


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({}, "There is no .cu file"),
        ({"packed_zip": b"PK"}, "There is no .cu file"),
        ({"a_cu": KERNEL, "b_cu": KERNEL}, "has several .cu files: a.cu, b.cu"),
        ({f"{n}_cu": b"int x;" for n in range(40)}, "files: 0.cu, 1.cu, 10.cu, 11.cu, 12.cu and 35 more"),
    ],
)
def test_a_folder_without_one_such_file_is_refused(tmp_path: Path, files: dict[str, bytes], sentence: str):
    with pytest.raises(UsageError, match=sentence):
        own_files.read(write(tmp_path / "own", **files))


def test_a_zip_file_that_is_damaged_or_has_two_is_refused(tmp_path: Path):
    (tmp_path / "own.zip").write_bytes(b"PK")
    for path in (tmp_path / "own.zip", written(tmp_path / "two.zip", ("a.cu", KERNEL), ("b.cu", KERNEL))):
        with pytest.raises(UsageError, match=r"cannot be unpacked|has several .cu files: a.cu, b.cu"):
            own_files.read(path)


def test_students_of_a_class_submit_several_files(tmp_path: Path):
    write(tmp_path / "anna", main_cu=MAIN, kernel_cuh=KERNEL)
    written(tmp_path / "bert.zip", ("main.cu", b'#include "k.cu"\n'), ("k.cu", KERNEL))
    submitted = students(tmp_path)
    assert {name: (each.file, KERNEL in each.content, each.others) for name, each in submitted.items()} == {
        "anna": ("main.cu", True, ()),
        "bert": ("main.cu", True, ()),
    }


def test_a_platform_names_files_by_their_students(tmp_path: Path):
    source = written(tmp_path / "export.zip", ("doe_12_34_main.cu", MAIN), ("doe_12_35_kernel.cuh", KERNEL))
    (anna,) = students(source).values()
    assert KERNEL in anna.content


def test_no_file_of_another_student_is_included(tmp_path: Path):
    write(tmp_path / "anna", main_cu=b'#include "../bert/kernel.cuh"\n')
    write(tmp_path / "bert", kernel_cuh=KERNEL, main_cu=MAIN)
    assert KERNEL not in students(tmp_path)["anna"].content
