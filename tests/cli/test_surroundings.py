"""Commands on a machine, in a folder or at a terminal that is not as it should be."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests import lab
from tests.desk import COMMAND, Desk

GRADING = {
    "check": ("check", "mine.cu"),
    "run": ("run", "mine.cu"),
    "compare": ("compare", "mine.cu", "mine.cu"),
    "sweep": ("sweep", "mine.cu"),
    "batch": ("batch", "class"),
    "doctor": ("doctor",),
}


@pytest.mark.parametrize("words", GRADING.values(), ids=GRADING)
def test_a_broken_compiler_is_never_the_fault_of_a_submission(words: tuple[str, ...], desk: Desk):
    (desk.folder / "bin").mkdir()
    (desk.folder / "bin" / "nvcc").touch(mode=0o755)
    (desk.folder / "class" / "ada").mkdir(parents=True)
    shutil.copy(desk.write(lab.NAIVE), desk.folder / "class" / "ada" / "matmul.cu")
    ended = desk.grade_apart(*words, PATH=f"{desk.folder}/bin:/usr/bin:/bin")
    assert ended.status == 3, ended.words
    assert "bin/nvcc did not start: Exec format error" in ended.words.replace("- ", "") or words == ("doctor",)
    assert "Install the CUDA toolkit, or set CUDA_ROOT" in ended.words
    assert "bug" not in ended.words


def test_a_folder_that_was_deleted_is_named(tmp_path: Path):
    gone = tmp_path / "gone"
    gone.mkdir()
    words = ["sh", "-c", f'rmdir "{gone}"; exec "$@"', "sh", *COMMAND, "lab", "list"]
    ended = subprocess.run(words, cwd=gone, capture_output=True, text=True, check=False)
    assert ended.returncode == 3
    assert ended.stderr == (
        "The folder that you are in cannot be used: No such file or directory.\nChange to another one.\n"
    )


@pytest.mark.parametrize("limit", ["-d 50000", "-v 100000"])
def test_too_little_memory_to_load_the_command_is_named(limit: str):
    words = ["sh", "-c", f'ulimit {limit}; exec "$@"', "sh", *COMMAND, "doctor"]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.returncode == 3
    assert ended.stderr.startswith("The machine failed: Cannot allocate memory.\n")


@pytest.mark.parametrize(
    ("name", "size"), [("COLUMNS", "0"), ("COLUMNS", "\u00b2"), ("LINES", "-5"), ("COLUMNS", "80")]
)
def test_an_impossible_size_of_the_terminal_hides_nothing(name: str, size: str, desk: Desk):
    ended = desk.grade_apart("lab", "list", **{name: size})
    assert ended.status == 0
    assert "square" in ended.stdout
