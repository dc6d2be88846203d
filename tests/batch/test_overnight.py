"""`grade batch` that nobody watches: its terminal goes, or somebody ends it in a hurry."""

from __future__ import annotations

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
from tests.desk import COMMAND, PATIENCE, Desk, heed_signals, wait_until

SLOW = lab.naive_with("for (volatile int i = 0; i < 2000; ++i) {}")
MANY = 5

pytestmark = pytest.mark.usefixtures("simulator")


@pytest.fixture
def words(desk: Desk) -> list[str | Path]:
    for number in range(MANY):
        folder = desk.folder / "class" / f"student{number}"
        folder.mkdir(parents=True)
        (folder / "matmul.cu").write_text(f"{SLOW}// {number}\n")
    small = lab.write_rubric(desk.folder)
    return ["batch", desk.folder / "class", "--rubric", small, "--backend", "simulator", "--output", "results"]


def finished(desk: Desk) -> int:
    return len(list(desk.folder.glob(f"results/*/{student_folder.RECORD}")))


def begun(desk: Desk, batch: subprocess.Popen[str] | subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Everything that it has started, in the middle of the class."""
    assert wait_until(lambda: finished(desk) > 0)
    return psutil.Process(batch.pid).children(recursive=True)


def nothing_is_left_and_it_goes_on(desk: Desk, words: Sequence[str | Path], started: Sequence[psutil.Process]) -> None:
    assert wait_until(lambda: not any(one.is_running() for one in started))
    kept = finished(desk)
    again = desk.grade(*words)
    assert again.status == 0, again.words
    assert f"{kept} kept, {MANY - kept} graded." in again.stdout


def test_a_terminal_that_closes_prints_no_traceback(desk: Desk, words: list[str | Path]):
    batch = subprocess.Popen(
        [*COMMAND, *words, "--workers", "1"], cwd=desk.folder, start_new_session=True, stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL, text=True, env={**os.environ, "TMPDIR": str(desk.temporary)},
        preexec_fn=heed_signals,  # noqa: PLW1509 - the tests start no threads
    )  # fmt: skip
    begun(desk, batch)
    os.killpg(batch.pid, signal.SIGHUP)
    _, stderr = batch.communicate(timeout=PATIENCE)
    assert batch.returncode == 130, stderr
    assert "Traceback" not in stderr


def test_ending_it_several_times_leaves_nothing_and_loses_no_result(desk: Desk, words: list[str | Path]):
    batch = desk.start(*words, "--workers", "2")
    started = begun(desk, batch)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        batch.send_signal(number)
        wait_until(lambda: batch.poll() is not None, 0.1)
    _, stderr = batch.communicate(timeout=PATIENCE)
    assert batch.returncode == 130, stderr
    assert "Traceback" not in stderr
    nothing_is_left_and_it_goes_on(desk, words, started)


def in_terminal(desk: Desk, command: Sequence[str | Path], log: Path | None) -> tuple[subprocess.Popen[bytes], int]:
    """A command as the leader of a terminal's session, and our end of the terminal."""
    ours, its = pty.openpty()
    told = os.open(log, os.O_WRONLY | os.O_CREAT, 0o600) if log else os.dup(its)

    def lead() -> None:
        os.setsid()
        os.close(os.open(os.ttyname(its), os.O_RDWR))

    environment = {**os.environ, "TMPDIR": str(desk.temporary)}
    batch = subprocess.Popen(
        command,
        cwd=desk.folder,
        env=environment,
        stdin=its,
        stdout=told,
        stderr=told,
        preexec_fn=lead,  # noqa: PLW1509 - the tests start no threads
    )
    os.close(its)
    os.close(told)
    return batch, ours


def test_a_terminal_that_is_closed_ends_it_and_loses_no_result(desk: Desk, words: list[str | Path]):
    batch, terminal = in_terminal(desk, [*COMMAND, *words], None)
    started = begun(desk, batch)
    os.close(terminal)
    batch.wait(PATIENCE)
    nothing_is_left_and_it_goes_on(desk, words, started)


def test_under_nohup_it_outlives_its_terminal(desk: Desk, words: list[str | Path]):
    batch, terminal = in_terminal(desk, ["nohup", *COMMAND, *words], desk.folder / "log")
    begun(desk, batch)
    os.close(terminal)
    assert batch.wait(PATIENCE) == 0
    assert finished(desk) == MANY
