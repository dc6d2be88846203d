"""`docs/simulator.md` runs kernels with the simulator alone, and says what that prints."""

import re
import runpy
import shutil
from pathlib import Path

import pytest

from tests.ptxsim.programs import ROOT, ptx_of

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")

TEXT = (ROOT / "docs" / "simulator.md").read_text().partition("## By itself")[2].partition("\n## ")[0]


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL)


def test_its_programs_print_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for kernel, program, printed in zip(blocks("cuda"), blocks("python"), blocks("text"), strict=True):
        name = re.findall(r"void (\w+)", kernel)[0]
        Path(f"{name}.cu").write_text(kernel)
        Path(f"{name}.ptx").write_text(ptx_of(Path(f"{name}.cu")))
        Path("program.py").write_text(program)
        runpy.run_path("program.py")
        assert capsys.readouterr().out == printed


def test_its_programs_have_at_most_ten_lines() -> None:
    assert all(program.count("\n") <= 10 for program in blocks("python"))
