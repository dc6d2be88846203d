"""The worker of the next submission. Opening a device is replaced, so these tests need no GPU."""

import subprocess
import sys
from collections.abc import Iterator
from functools import partial

import pytest

from grader.errors import InfrastructureError
from grader.host.gpu_lock import GpuLock
from grader.host.process import DEATH_SECONDS
from grader.model import Backend, Limits, Purpose
from grader.sandbox import starting
from grader.sandbox.client import Worker
from grader.sandbox.processes import start_process
from grader.sandbox.starting import worker

GPU = GpuLock()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Worker]]:
    """The workers that were opened, in this order."""
    found: list[Worker] = []
    monkeypatch.setattr(Worker, "open_beside", lambda self, gpu: found.append(self) if gpu is GPU else None)
    yield found
    starting.end_spares()


def begin() -> None:
    opening = starting.begin_spare(Backend.CUDA, GPU)
    opening.join()


def test_a_grade_takes_the_worker_that_the_one_before_has_opened_and_ends_it(opened: list[Worker]) -> None:
    begin()
    limits = Limits(case_seconds=3)
    with worker(Backend.CUDA, limits, purpose=Purpose.TIME) as mine:
        assert opened == [mine]
        assert (mine.limits, mine.timing) == (limits, True)
    assert mine.running.poll() is not None
    with worker(Backend.CUDA, limits, purpose=Purpose.TIME) as second:
        assert second is not mine


def test_a_worker_for_another_purpose_or_elsewhere_takes_none(opened: list[Worker]) -> None:
    begin()
    with worker(Backend.CUDA, Limits()) as checking:
        assert checking is not opened[0]
    with worker(Backend.CUDA, Limits(), partial(start_process), Purpose.TIME) as elsewhere:
        assert elsewhere is not opened[0]


def test_a_worker_that_nobody_has_taken_ends(opened: list[Worker]) -> None:
    begin()
    starting.end_spares()
    assert opened[0].running.poll()
    assert not opened[0].box.exists()


def test_a_worker_that_was_killed_while_it_waited_is_not_taken(opened: list[Worker]) -> None:
    begin()
    opened[0].running.kill()
    with worker(Backend.CUDA, Limits(), purpose=Purpose.TIME) as mine:
        assert mine is not opened[0]
    assert not opened[0].box.exists()


def test_a_device_that_does_not_open_is_left_to_the_next_grade(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_worker: Worker, _gpu: GpuLock) -> None:
        raise InfrastructureError("The GPU does not answer.")

    monkeypatch.setattr(Worker, "open_beside", fail)
    begin()
    assert starting.taken_spare(Backend.CUDA, Limits(), start_process, Purpose.TIME) is None


def test_nothing_is_opened_where_nothing_is_timed() -> None:
    assert starting.begin_spare(Backend.SIMULATOR, GPU) is None


def test_a_command_that_ends_at_once_waits_for_no_worker() -> None:
    ending = """if True:
        from grader.host.gpu_lock import GpuLock
        from grader.model import Backend
        from grader.sandbox import starting
        from grader.sandbox.client import Worker

        Worker.open_beside = lambda *_: None  # and so the worker waits for a request
        starting.begin_spare(Backend.CUDA, GpuLock())
    """
    ended = subprocess.run([sys.executable, "-c", ending], check=True, capture_output=True, timeout=DEATH_SECONDS)
    assert not ended.stderr
