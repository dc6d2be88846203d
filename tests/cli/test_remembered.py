"""A `grade check` is remembered while nothing that it depends on has changed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli import remembered
from grader.cli.remembered import begin, find, keep
from grader.host import cache
from grader.worker.replay import replays, trials
from tests import lab
from tests.desk import Desk

WRONG = lab.naive_with("sum = 0;")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRADER_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "matmul.cu"
    path.write_text("first")
    return path


def kept(*words: str) -> None:
    check = begin(("check", *words))
    assert check
    keep(check, 1, "wrong")


def is_known(*words: str) -> bool:
    check = begin(("check", *words))
    return bool(check and find(check))


@pytest.mark.usefixtures("simulator")
@pytest.mark.parametrize(("text", "status"), [(lab.NAIVE, 0), (WRONG, 1)])
def test_the_same_check_again_prints_the_same_and_says_how_to_check_again(text: str, status: int, desk: Desk):
    words = ("check", desk.write(text), "--rubric", lab.write_rubric(desk.folder), "--backend", "simulator")
    first, second, third = desk.grade(*words), desk.grade(*words), desk.grade(*words, "--again")
    assert (first.status, second.status, third.status) == (status, status, status)
    assert second.stdout == first.stdout
    assert "To check again with new inputs, add --again." in second.stderr
    assert max(map(len, second.stderr.splitlines())) <= 80
    assert ["Remembered" in ended.stderr for ended in (first, second, third)] == [False, True, False]


@pytest.mark.usefixtures("simulator")
def test_a_check_is_not_repeated_if_a_header_of_the_lab_has_changed(desk: Desk):
    rubric = lab.write_rubric(desk.folder)
    rubric.write_text(rubric.read_text() + '\n[files]\nheaders = ["side.h"]\n')
    kernel = '#include "side.h"\n' + lab.naive_with("if (row >= SIDE) return;")
    words = ("check", desk.write(kernel), "--rubric", rubric, "--backend", "simulator")
    desk.write("#define SIDE N\n", "side.h")
    assert desk.grade(*words).status == 0
    desk.write("#define SIDE 8\n", "side.h")
    assert desk.grade(*words).status == 1


@pytest.mark.usefixtures("simulator")
def test_a_check_that_a_limit_ended_is_not_remembered(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    for module, name in ((replays, "SECONDS"), (trials, "SECONDS_OF_ALL")):  # what explains it is of no interest here
        monkeypatch.setattr(module, name, 0.1)
    rubric, endless = lab.write_rubric(desk.folder, case_seconds=0.2), lab.naive_with("while (true) C[0] += 1;")
    words = ("check", desk.write(endless), "--rubric", rubric, "--backend", "simulator")
    first, second = desk.grade(*words), desk.grade(*words)
    assert (first.status, second.status) == (1, 1)
    assert "Remembered" not in second.stderr


def test_only_the_same_words_for_the_same_files_are_known(file: Path):
    kept("matmul.cu", "--seed=1")
    assert is_known("matmul.cu", "--seed=1")
    assert not is_known("matmul.cu")
    file.write_text("second")
    assert not is_known("matmul.cu", "--seed=1")


@pytest.mark.usefixtures("file")
@pytest.mark.parametrize("variable", ["CUDA_HOME", "NVCC_APPEND_FLAGS", "GRADER_REQUIRE_CONFINEMENT"])
def test_another_environment_makes_another_check(variable: str, monkeypatch: pytest.MonkeyPatch):
    kept("matmul.cu")
    monkeypatch.setenv(variable, "other")
    assert not is_known("matmul.cu")


def test_a_rubric_that_has_changed_makes_another_check(file: Path):
    rubric = file.with_name("lab.toml")
    rubric.write_text("first")
    check = begin(("check", "matmul.cu"))
    reads = check and check.reading(rubric)
    assert check
    assert reads
    keep(reads, 0, "correct")
    assert find(check)
    rubric.write_text("second")
    assert find(check) is None


def test_a_file_that_was_saved_during_the_check_is_not_remembered(file: Path):
    check = begin(("check", "matmul.cu"))
    assert check
    file.write_text("second")
    keep(check, 0, "correct")
    file.write_text("first")
    assert find(check) is None


@pytest.mark.usefixtures("file")
@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"null", b"{}", b"[" * 100_000, b'{"files": [], "status": 0, "printed": "", "ended": ""}']
)
def test_a_damaged_result_is_not_used(content: bytes):
    kept("matmul.cu")
    check = begin(("check", "matmul.cu"))
    assert check
    cache.write(f"{remembered.FOLDER}/{check.key}.json", content)
    assert find(check) is None


@pytest.mark.usefixtures("file")
def test_a_status_that_no_finished_check_has_is_not_kept():
    check = begin(("check", "matmul.cu"))
    assert check
    keep(check, 3, "The grader could not finish.")
    assert find(check) is None


@pytest.mark.usefixtures("file")
@pytest.mark.parametrize("command", ["run", "batch", "compare"])
def test_nothing_that_gives_a_grade_is_remembered(command: str):
    assert begin((command, "matmul.cu")) is None


def test_a_file_from_a_pipe_is_not_remembered(file: Path):
    os.mkfifo(file.with_name("pipe.cu"))
    assert begin(("check", "pipe.cu")) is None


@pytest.mark.usefixtures("file")
def test_a_remembered_result_is_there_before_the_libraries_are_loaded():
    code = """
import sys
from grader.cli import main, remembered
remembered.keep(remembered.begin(sys.argv[1:]), 1, "wrong\\n")
try:
    main()
except SystemExit as ended:
    print(ended.code, sorted({"numpy", "rich", "grader.pipeline"} & set(sys.modules)))
"""
    ended = subprocess.run(
        [sys.executable, "-c", code, "check", "matmul.cu"], capture_output=True, text=True, check=True
    )
    assert ended.stdout == "wrong\n1 []\n"
