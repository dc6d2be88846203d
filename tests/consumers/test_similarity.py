"""copydetect reads the folders of `grade export similarity`, and finds who copied from whom."""

import re
import shutil
from pathlib import Path

from click.testing import CliRunner

from grader.cli import main
from grader.host.installation import CHECKOUT
from tests.consumers.programs import run

TILED = CHECKOUT / "reference" / "tiled_16.cu"


def test_copydetect_finds_a_renamed_copy_and_leaves_the_starter_out(tmp_path: Path):
    starter = CHECKOUT / "student_template" / "matmul.cu"
    for student in ("ada", "bob", "cleo", "dan"):
        (tmp_path / "class" / student).mkdir(parents=True)
        shutil.copy(starter, tmp_path / "class" / student / "matmul.cu")
    (tmp_path / "class" / "ada" / "matmul.cu").write_text(TILED.read_text())
    (tmp_path / "class" / "bob" / "matmul.cu").write_text(re.sub(r"\bsum\b", "total", TILED.read_text()))
    words = ("export", "similarity", tmp_path / "class", "--starter", starter, "--output", tmp_path / "out")
    said = CliRunner().invoke(main, [str(word) for word in words])
    assert said.exit_code == 0, said.output
    command = next(line.split() for line in said.output.splitlines() if "copydetect -t" in line)
    run(*command, "-a", folder=tmp_path / "out")
    page = (tmp_path / "out" / "similarity.html").read_text()
    (pair,) = re.findall(r"Test file:.*?submissions/(\w+)/.*?Reference file:.*?submissions/(\w+)/", page, re.DOTALL)
    assert set(pair) == {"ada", "bob"}
