"""Who is to blame for a worker that is lost while it is timed, and whose worker a pool ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from grader.contract import freivalds
from grader.errors import InfrastructureError
from grader.host.process import Stopped
from grader.model import Backend, Launch, Limits, Rubric, Shape
from grader.sandbox.client import Worker, WorkerLostError
from grader.timing import rounds
from grader.timing import worker_pool as pools
from grader.timing.rounds import Samples
from grader.timing.subjects import CHECKER, LIBRARY, NAIVE, SUBMISSION, Subject
from grader.timing.worker_pool import worker_pool
from tests.report import examples

SHAPE = Shape(16, 16, 16)


class Lost:
    """A worker that is gone, whatever it is asked."""

    box = Path()

    def send(self, _request: object) -> None:
        pass

    def receive(self, _seconds: float) -> Any:
        raise WorkerLostError(Stopped.NO, -9, "Killed")

    def ask(self, _request: object, seconds: float) -> Any:
        return self.receive(seconds)


def lost() -> Worker:
    return cast(Worker, Lost())


def time_one(name: str, rubric: Rubric) -> None:
    pair = freivalds.base(SHAPE, rubric.interface, 1)
    rounds.take_rounds({name: lost()}, rubric, SHAPE, 1, pair, {name: Samples()}, lambda *_: True)


def prepare_one(name: str, rubric: Rubric) -> None:
    rounds.prepare([Subject(name, None, Launch((8, 8, 1), (8, 8)))], {name: lost()}, rubric, SHAPE, 1)


@pytest.mark.parametrize("step", [time_one, prepare_one])
@pytest.mark.parametrize("name", [NAIVE, LIBRARY])
def test_a_baseline_that_is_lost_is_never_the_submissions_fault(name: str, step):
    with pytest.raises(InfrastructureError, match=f"timing the {name} baseline at N=16: Killed"):
        step(name, examples.rubric())


@pytest.mark.parametrize("step", [time_one, prepare_one])
def test_a_submission_that_is_lost_is_for_the_caller_to_explain(step):
    with pytest.raises(WorkerLostError):
        step(SUBMISSION, examples.rubric())


def test_a_pool_ends_its_own_workers_and_not_one_that_is_shared():
    with worker_pool((LIBRARY,), Backend.CUDA, Limits()) as outer:
        library = outer[LIBRARY]
        with worker_pool((SUBMISSION, LIBRARY), Backend.CUDA, Limits(), existing=outer) as workers:
            assert workers[LIBRARY] is library
            own: Worker = workers[SUBMISSION]
        assert own.running.poll() is not None
        assert library.running.poll() is None


def test_what_checking_needs_begins_to_open_at_once():
    with worker_pool((CHECKER, LIBRARY, SUBMISSION), Backend.CUDA, Limits()) as workers:
        assert [workers[name].opening for name in (CHECKER, LIBRARY, SUBMISSION)] == [1, 1, 0]


def test_the_others_begin_to_open_when_the_checker_has():
    order: list[str] = []

    class Opening:
        def __init__(self, name: str) -> None:
            self.name = name

        def begin_opening(self, *, timing: bool = False) -> None:  # noqa: ARG002 - the name it is called by
            order.append(f"{self.name} begins")

        def finish_opening(self) -> None:
            order.append(f"{self.name} is open")

    pools.open_all({name: cast(Worker, Opening(name)) for name in (SUBMISSION, CHECKER, NAIVE)})
    assert order[0] == "checker is open"
    assert {"submission begins", "naive begins"} <= set(order[1:])
