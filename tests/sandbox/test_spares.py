"""A worker takes a process that was started before, if it is of the same kind; nothing of it stays behind."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

import pytest

from grader.contract.purpose import Purpose
from grader.model import Backend, Limits
from grader.sandbox import spares
from grader.sandbox.client import Worker
from grader.sandbox.processes import start_process
from grader.sandbox.spares import kind
from grader.sandbox.starting import worker

SIMULATOR = kind(Backend.SIMULATOR, Purpose.EXECUTE)
OTHER_MEMORY = Limits(memory_mib=1024)


@pytest.fixture
def spare() -> Iterator[Worker]:
    yield spares.add(SIMULATOR)
    spares.end()


def test_a_worker_of_the_kind_takes_the_process_and_ends_it(spare: Worker) -> None:
    with worker(Backend.SIMULATOR, Limits()) as taken:
        taken.finish_opening()
        assert taken is spare
    assert spare.running.poll()
    assert not spare.box.exists()


@pytest.mark.parametrize(
    ("limits", "purpose"), [(OTHER_MEMORY, Purpose.EXECUTE), (Limits(), Purpose.COMPILE)], ids=["memory", "purpose"]
)
def test_a_worker_of_another_kind_has_a_process_of_its_own(spare: Worker, limits: Limits, purpose: Purpose) -> None:
    with worker(Backend.SIMULATOR, limits, purpose=purpose) as other:
        assert other is not spare


def test_a_worker_that_starts_elsewhere_takes_none(spare: Worker) -> None:
    with worker(Backend.SIMULATOR, Limits(), partial(start_process)) as other:
        assert other is not spare


def test_each_process_is_taken_once(spare: Worker) -> None:
    with ExitStack() as stack:
        first, second = (stack.enter_context(worker(Backend.SIMULATOR, Limits())) for _ in range(2))
        assert first is spare is not second


def test_processes_that_nobody_has_taken_end(spare: Worker) -> None:
    with worker(Backend.SIMULATOR, Limits()) as taken:
        assert taken is spare
        unused = spares.add(SIMULATOR)
        spares.end()
        assert unused.running.poll()
        assert not unused.box.exists()
        taken.finish_opening()
