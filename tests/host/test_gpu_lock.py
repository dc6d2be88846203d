"""Grades on one GPU check together and time alone."""

import os
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Event

import pytest

from grader import pipeline
from grader.host import gpu_lock, nvml
from grader.host.gpu_lock import NOBODY_SHARES, WAITING, GpuLock
from grader.model import Backend, Machine, Report, Verdict
from tests import lab as labs
from tests.desk import wait_until
from tests.host.gpu_waits import may_check, refuse

GPU = Machine(Backend.CUDA, "", "", "a GPU", "sm_90", None, {})
HOLD = "import fcntl, sys; file = open(sys.argv[1]); fcntl.flock(file, fcntl.LOCK_EX); print(flush=True); input()"


@pytest.fixture(autouse=True)
def lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(gpu_lock, "FOLDER", tmp_path)
    monkeypatch.setattr(nvml, "gpu_id", lambda: "GPU-1")
    return tmp_path / "matmul-grader-GPU-1.lock"


@pytest.fixture
def mine() -> GpuLock:
    return gpu_lock.of(GPU)


@pytest.fixture
def other() -> GpuLock:
    """The lock of another grade."""
    return gpu_lock.of(GPU)


def test_a_free_gpu_is_not_waited_for(mine: GpuLock):
    mine.until_shared(refuse)
    with mine.alone(refuse):
        pass


def test_grades_check_at_the_same_time(mine: GpuLock, other: GpuLock):
    with mine.shared(), other.shared():
        assert may_check(gpu_lock.of(GPU))


def test_a_second_grade_times_when_the_first_has_ended(mine: GpuLock, other: GpuLock):
    first = ExitStack()
    first.enter_context(other.alone(refuse))
    with pytest.raises(BlockingIOError), mine.alone(refuse):
        pass
    with mine.alone(on_wait=first.close):
        pass


def test_no_grade_times_while_another_one_checks(mine: GpuLock, other: GpuLock):
    with other.shared(), pytest.raises(BlockingIOError), mine.alone(refuse):
        pass
    with mine.alone(refuse):
        pass


def test_no_grade_checks_while_another_one_times(other: GpuLock):
    with other.alone(refuse):
        assert not may_check(gpu_lock.of(GPU))
    assert may_check(gpu_lock.of(GPU))


def test_a_grade_that_waits_to_time_is_before_those_that_check_later(mine: GpuLock, other: GpuLock):
    check, checked = ExitStack(), list[bool]()
    check.enter_context(other.shared())

    def look() -> None:
        checked.append(may_check(gpu_lock.of(GPU)))
        check.close()

    with mine.alone(on_wait=look):
        assert checked == [False]


def test_a_grade_that_waits_long_to_time_lets_others_check(mine: GpuLock, other: GpuLock):
    waits, timing = Event(), ExitStack()
    with timing, ThreadPoolExecutor(max_workers=1) as thread, other.shared():
        thread.submit(timing.enter_context, mine.alone(waits.set))
        assert waits.wait(30)
        assert wait_until(lambda: may_check(gpu_lock.of(GPU)))


def test_a_grade_that_had_the_gpu_before_lets_the_waiting_one_go_first(mine: GpuLock, other: GpuLock):
    before, order = ExitStack(), list[str]()
    before.enter_context(other.alone())

    def time_again() -> None:
        before.close()
        with other.alone():
            order.append("again")

    def begin_again() -> None:
        thread.submit(time_again)

    with ThreadPoolExecutor(max_workers=1) as thread, mine.alone(begin_again):
        order.append("first")
    assert order == ["first", "again"]


def test_a_grade_that_times_can_use_the_gpu_in_another_thread(mine: GpuLock, other: GpuLock):
    def opened() -> bool:
        with mine.shared():
            return True

    def begin_opening() -> None:
        opening.append(opener.submit(opened))
        check.close()

    check, opening = ExitStack(), list[Future[bool]]()
    check.enter_context(other.shared())
    with ThreadPoolExecutor(max_workers=1) as opener, mine.alone(begin_opening):
        assert opening[0].result(30)


def test_devices_of_a_machine_open_one_after_the_other_whatever_their_gpu(mine: GpuLock):
    another = GpuLock("matmul-grader-GPU-2")
    order: list[str] = []

    def second() -> None:
        with another.turn_to_open():
            order.append("second")

    with ThreadPoolExecutor(max_workers=1) as opener:
        with mine.turn_to_open():
            waiting = opener.submit(second)
            time.sleep(0.05)
            order.append("first")
        waiting.result(30)
    assert order == ["first", "second"]


def test_a_device_that_hangs_while_it_opens_keeps_others_out_for_seconds_only(
    mine: GpuLock, other: GpuLock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(gpu_lock, "TURN_SECONDS", 0.05)
    with mine.turn_to_open(), other.turn_to_open():
        pass


def test_every_user_can_use_the_lock_file_whatever_the_umask(lock: Path):
    before = os.umask(0o077)
    try:
        with gpu_lock.of(GPU).shared():
            pass
    finally:
        os.umask(before)
    assert lock.stat().st_mode & 0o777 == 0o444


def test_a_killed_command_holds_nothing(lock: Path):
    lock.touch()
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLD, str(lock)], stdin=pipe, stdout=pipe) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with gpu_lock.of(GPU).alone(on_wait=other.kill):
            assert other.wait()


def test_a_lock_file_of_another_user_works(lock: Path):
    lock.touch(mode=0o444)
    with gpu_lock.of(GPU).alone(refuse):
        assert not may_check(gpu_lock.of(GPU))


def test_without_a_usable_lock_file_no_grade_waits(lock: Path):
    lock.symlink_to("elsewhere")
    with gpu_lock.of(GPU).alone(refuse):
        assert may_check(gpu_lock.of(GPU))


def test_the_simulator_does_not_wait(simulator: Machine, lock: Path):
    with gpu_lock.of(simulator).alone(refuse), gpu_lock.of(simulator).shared(), NOBODY_SHARES.shared():
        pass
    assert not lock.exists()


def test_a_grade_waits_for_the_one_before_it_and_says_so(tmp_path: Path):
    told: list[str] = []
    before = ExitStack()
    before.enter_context(gpu_lock.of(GPU).alone())

    def tell(_: Report, step: str) -> None:
        told.append(step)
        if step == WAITING:
            before.close()

    plan = labs.plan(tmp_path / "mine.cu", labs.write_rubric(tmp_path))
    report = pipeline.grade_content(plan, b"", GPU, tell)
    assert told == ["", WAITING, "compiling", pipeline.COMPLETE]
    assert report.fault is not None
    assert report.fault.verdict is Verdict.BAD_FILE
