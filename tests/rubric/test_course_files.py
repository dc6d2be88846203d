"""The headers that a rubric names: files in its folder, of a bounded size, and nothing else."""

import os
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.rubric import course_files


def test_a_name_leads_to_a_file_in_the_rubrics_folder(tmp_path: Path) -> None:
    (tmp_path / "lab").mkdir()
    (tmp_path / "secret").write_text("x")
    (tmp_path / "lab" / "outside.h").symlink_to(tmp_path / "secret")
    (tmp_path / "lab" / "inside.h").symlink_to(tmp_path / "lab" / "real.h")
    (tmp_path / "lab" / "real.h").write_text("int i;")
    (tmp_path / "lab" / "loop.h").symlink_to("loop.h")
    os.mkfifo(tmp_path / "lab" / "pipe.h")
    assert course_files.read(["inside.h", "real.h"], tmp_path / "lab" / "lab.toml")[0].content == b"int i;"
    names = ["outside.h", "../secret", "/etc/passwd", "missing.h", ".", "pipe.h", "loop.h"]
    with pytest.raises(UsageError) as caught:
        course_files.read(names, tmp_path / "lab" / "lab.toml")
    assert [line.partition("lab.toml: ")[2] for line in caught.value.sentence.splitlines()] == [
        "files.headers[0]: outside.h leads out of the rubric's folder",
        "files.headers[1]: ../secret leads out of the rubric's folder",
        "files.headers[2]: /etc/passwd leads out of the rubric's folder",
        "files.headers[3]: missing.h cannot be read: No such file or directory",
        "files.headers[4]: . is not a file",
        "files.headers[5]: pipe.h is not a file",
        "files.headers[6]: loop.h cannot be read: Too many levels of symbolic links",
    ]


def test_headers_have_a_largest_size(tmp_path: Path) -> None:
    for name in ("one.h", "two.h"):
        (tmp_path / name).write_bytes(b" " * (course_files.LARGEST - 9))
    (tmp_path / "huge.h").write_bytes(b" " * (course_files.LARGEST + 1))
    assert len(course_files.read(["one.h"], tmp_path / "lab.toml")) == 1
    with pytest.raises(UsageError, match="more than 1 MiB together"):
        course_files.read(["one.h", "two.h"], tmp_path / "lab.toml")
    with pytest.raises(UsageError, match=r"huge\.h is larger than 1 MiB"):
        course_files.read(["huge.h"], tmp_path / "lab.toml")


def test_files_beside_a_program_are_those_that_it_includes(tmp_path: Path) -> None:
    program = tmp_path / "lab" / "main.cu"
    program.parent.mkdir()
    source = (
        '#include "one.h"\n#include <cuda_runtime.h>\n#include "../secret.h"\n#include "main.cu"\n#include "folder"'
    )
    program.write_text(source)
    (tmp_path / "secret.h").touch()
    (tmp_path / "lab" / "folder").mkdir()
    (tmp_path / "lab" / "one.h").write_text('#include <two.cu>\n#include "one.h"')
    (tmp_path / "lab" / "two.cu").touch()
    assert [header.name for header in course_files.beside(program, source)] == ["one.h", "two.cu"]
