"""`grade batch` without supervision: its terminal is closed, or it gets several signals."""

import os
import pty
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from grader.batch.results import student_folder
from tests import lab
from tests.desk import COMMAND, INTERRUPTIBLE, PATIENCE, Desk, heed_signals, wait_until

SLOW = lab.naive_with("for (volatile int i = 0; i < 2000; ++i) {}")
MANY = 3

pytestmark = pytest.mark.usefixtures("simulator")


@pytest.fixture
def words(desk: Desk) -> list[str | Path]:
    for number in range(MANY):
        folder = desk.folder / "class" / f"student{number}"
        folder.mkdir(parents=True)
        (folder / "matmul.cu").write_text(SLOW if number else lab.NAIVE)
    small = lab.write_rubric(desk.folder)
    return ["batch", desk.folder / "class", "--rubric", small, "--backend", "simulator", "--output", "results"]


def finished(desk: Desk) -> int:
    return len(list(desk.folder.glob(f"results/*/{student_folder.RECORD}")))


def processes_of(desk: Desk, batch: subprocess.Popen[str] | subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The processes of a batch, once it has finished a student."""
    assert wait_until(lambda: finished(desk) > 0)
    return psutil.Process(batch.pid).children(recursive=True)


def check_leftovers_and_resume(desk: Desk, words: Sequence[str | Path], started: Sequence[psutil.Process]) -> None:
    assert wait_until(lambda: not any(process.is_running() for process in started))
    kept = finished(desk)
    again = desk.grade(*words)
    assert again.status == 0, again.words
    assert f"{kept} kept, {MANY - kept} graded." in again.stdout


def test_several_signals_leave_nothing_behind_and_lose_no_result(desk: Desk, words: list[str | Path]):
    """As a terminal that closes, they reach the workers too."""
    batch = subprocess.Popen(
        [*COMMAND, *words, "--workers", "2"], cwd=desk.folder, start_new_session=True, stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL, text=True, preexec_fn=heed_signals,  # noqa: PLW1509 - the tests start no threads
        env={**os.environ, "TMPDIR": str(desk.temporary), "PYTHONWARNINGS": INTERRUPTIBLE},
    )  # fmt: skip
    started = processes_of(desk, batch)
    os.killpg(batch.pid, signal.SIGHUP)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        wait_until(lambda: batch.poll() is not None, 0.1)
        batch.send_signal(number)
    _, stderr = batch.communicate(timeout=PATIENCE)
    assert batch.returncode == 130, stderr
    assert "Traceback" not in stderr
    check_leftovers_and_resume(desk, words, started)


def in_terminal(desk: Desk, command: Sequence[str | Path], log: Path | None) -> tuple[subprocess.Popen[bytes], int]:
    """Start a command as the session leader of a new terminal. Return it, and the test's end of the terminal."""
    controlling_end, terminal = pty.openpty()
    output = os.open(log, os.O_WRONLY | os.O_CREAT, 0o600) if log else os.dup(terminal)

    def lead() -> None:
        os.setsid()
        os.close(os.open(os.ttyname(terminal), os.O_RDWR))

    environment = {**os.environ, "TMPDIR": str(desk.temporary)}
    batch = subprocess.Popen(
        command,
        cwd=desk.folder,
        env=environment,
        stdin=terminal,
        stdout=output,
        stderr=output,
        preexec_fn=lead,  # noqa: PLW1509 - the tests start no threads
    )
    os.close(terminal)
    os.close(output)
    return batch, controlling_end


def test_closing_the_terminal_ends_a_class_and_loses_no_result(desk: Desk, words: list[str | Path]):
    batch, terminal = in_terminal(desk, [*COMMAND, *words, "--workers", "1"], None)
    started = processes_of(desk, batch)
    os.close(terminal)
    batch.wait(PATIENCE)
    check_leftovers_and_resume(desk, words, started)


def test_under_nohup_a_class_outlives_its_terminal(desk: Desk, words: list[str | Path]):
    batch, terminal = in_terminal(desk, ["nohup", *COMMAND, *words, "--workers", "1"], desk.folder / "log")
    processes_of(desk, batch)
    os.close(terminal)
    assert batch.wait(PATIENCE) == 0
    assert finished(desk) == MANY
