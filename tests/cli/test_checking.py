"""`grade check --watch` checks a file again when it is saved."""

import signal
import subprocess
from pathlib import Path

from grader.cli import checking
from tests import lab
from tests.desk import PATIENCE, Desk


def test_a_change_is_noticed_and_so_is_a_file_that_stays_away(tmp_path: Path):
    file = tmp_path / "matmul.cu"
    file.write_text("first")
    saves = checking.saves([file])
    next(saves)
    file.unlink()
    next(saves)
    file.write_text("second")
    next(saves)


def test_a_saved_file_is_checked_again_until_ctrl_c(desk: Desk):
    file = desk.write("int unfinished(")
    rubric = lab.write_rubric(desk.folder)
    watched = desk.start("check", file, "--watch", "--rubric", rubric, "--backend", "simulator")
    until_it_waits(watched)
    file.write_text(lab.NAIVE)
    until_it_waits(watched)
    watched.send_signal(signal.SIGINT)
    printed, _ = watched.communicate(timeout=PATIENCE)
    assert watched.returncode == 0
    assert printed.index("compile error") < printed.index("Correct at")


def until_it_waits(watched: subprocess.Popen[str]) -> None:
    assert watched.stderr
    assert any("Waiting for the next save" in line for line in watched.stderr)
