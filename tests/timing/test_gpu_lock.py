"""One grade at a time on a GPU."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from grader import pipeline
from grader.host import nvml
from grader.model import Backend, Machine, Report, Verdict
from grader.timing import gpu_lock
from grader.timing.gpu_lock import WAITING
from tests import lab as labs

GPU = Machine(Backend.CUDA, "", "", "a GPU", "sm_90", None, {})
HOLD = "import fcntl, sys; file = open(sys.argv[1]); fcntl.flock(file, fcntl.LOCK_EX); print(flush=True); input()"


@pytest.fixture(autouse=True)
def lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(gpu_lock, "FOLDER", tmp_path)
    monkeypatch.setattr(nvml, "gpu_id", lambda: "GPU-1")
    return tmp_path / "matmul-grader-GPU-1.lock"


def test_a_free_gpu_is_not_waited_for():
    with gpu_lock.acquire(GPU) as waits:
        assert list(waits) == []


def test_a_second_grade_waits_until_the_first_has_ended():
    with gpu_lock.acquire(GPU) as second:
        with gpu_lock.acquire(GPU) as first:
            assert list(first) == []
            next(second)
        assert list(second) == []


def test_a_grade_that_had_the_gpu_before_lets_the_waiting_one_go_first():
    with gpu_lock.acquire(GPU) as waiter:
        with gpu_lock.acquire(GPU) as sweep:
            assert list(sweep) == []
            next(waiter)
        with gpu_lock.acquire(GPU) as sweep_again:
            next(sweep_again)
            assert list(waiter) == []


def test_every_user_can_use_the_lock_file_whatever_the_umask(lock: Path):
    before = os.umask(0o077)
    try:
        with gpu_lock.acquire(GPU) as waits:
            assert list(waits) == []
    finally:
        os.umask(before)
    assert lock.stat().st_mode & 0o777 == 0o444


def test_a_killed_command_holds_nothing(lock: Path):
    lock.touch()
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLD, str(lock)], stdin=pipe, stdout=pipe) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with gpu_lock.acquire(GPU) as waits:
            next(waits)
            other.kill()
            other.wait()
            assert list(waits) == []


def test_a_lock_file_of_another_user_works(lock: Path):
    lock.touch(mode=0o444)
    with gpu_lock.acquire(GPU) as waits:
        assert list(waits) == []


def test_without_a_usable_lock_file_no_grade_waits(lock: Path):
    lock.symlink_to("elsewhere")
    with gpu_lock.acquire(GPU) as waits:
        assert list(waits) == []


def test_the_simulator_does_not_wait(simulator: Machine, lock: Path):
    with gpu_lock.acquire(simulator) as waits:
        assert list(waits) == []
    assert not lock.exists()


def test_a_grade_waits_for_the_one_before_it_and_says_so(tmp_path: Path):
    told: list[str] = []
    before = ExitStack()
    assert list(before.enter_context(gpu_lock.acquire(GPU))) == []

    def tell(_: Report, step: str) -> None:
        told.append(step)
        if step == WAITING:
            before.close()

    plan = labs.plan(tmp_path / "mine.cu", labs.write_rubric(tmp_path))
    report = pipeline.grade_content(plan, b"", GPU, tell)
    assert told == ["", WAITING, "compiling"]
    assert report.fault is not None
    assert report.fault.verdict is Verdict.BAD_FILE
