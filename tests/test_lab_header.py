"""lab.h outside the grader: a student compiles a file by hand, with host code or without."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LABS = [ROOT / "student_template/matmul.cu", ROOT / "tests/submissions/honest/program_with_lab_launch_and_main.cu"]


def nvcc(folder: Path, *words: str | Path) -> str:
    """Compile as a student does, and return what the compiler prints."""
    command = ["nvcc", "-std=c++17", "-I", ROOT / "grader/include", "-Werror", "all-warnings", *words]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    return ended.stdout + ended.stderr + ("" if ended.returncode == 0 else f"status {ended.returncode}")


@pytest.mark.parametrize("flags", [[], ["-rdc=true"]], ids=["whole", "separate"])
@pytest.mark.parametrize("lab", LABS, ids=lambda path: path.stem)
def test_a_lab_file_compiles_with_the_host_s_part(lab: Path, flags: list[str], tmp_path: Path) -> None:
    assert nvcc(tmp_path, *flags, "-c", lab, "-o", "matmul.o") == ""


def test_a_program_may_include_a_lab_file(tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text(
        f'#include "{LABS[0]}"\nint main() {{ matmul<<<1, 1>>>(nullptr, nullptr, nullptr, 0); }}\n'
    )
    assert nvcc(tmp_path, "main.cu", "-o", "program") == ""
