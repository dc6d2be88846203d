"""Who is to blame for a worker that is lost while it is timed, and whose worker a bench ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader import rounds
from grader.errors import InfrastructureError
from grader.model import Launch, Limits, Rubric, Shape
from grader.process import Stopped
from grader.rounds import LIBRARY, NAIVE, SUBMISSION, Samples, Subject, bench
from grader.sandbox import Worker, WorkerLostError
from tests.report import examples

SHAPE = Shape(16, 16, 16)


class Lost:
    """A worker that is gone, whatever it is asked."""

    box = Path()

    def send(self, _request: object) -> None:
        pass

    def receive(self, _seconds: float) -> object:
        raise WorkerLostError(Stopped.NO, -9, "Killed")

    def ask(self, _request: object, seconds: float) -> object:
        return self.receive(seconds)


def time_one(name: str, rubric: Rubric) -> None:
    pair = rounds.freshness.base(SHAPE, rubric.interface, 1)
    rounds.take_rounds({name: Lost()}, rubric, SHAPE, 1, pair, {name: Samples()}, lambda *_: True)


def prepare_one(name: str, rubric: Rubric) -> None:
    rounds.prepare([Subject(name, None, Launch((8, 8, 1), (8, 8)))], {name: Lost()}, rubric, SHAPE, 1)


@pytest.mark.parametrize("step", [time_one, prepare_one])
@pytest.mark.parametrize("name", [NAIVE, LIBRARY])
def test_a_baseline_that_is_lost_is_never_the_submissions_fault(name: str, step):
    with pytest.raises(InfrastructureError, match=f"timing the {name} baseline at N=16: Killed"):
        step(name, examples.rubric())


@pytest.mark.parametrize("step", [time_one, prepare_one])
def test_a_submission_that_is_lost_is_for_the_caller_to_explain(step):
    with pytest.raises(WorkerLostError):
        step(SUBMISSION, examples.rubric())


def test_a_bench_ends_its_own_workers_and_not_one_that_is_lent():
    with bench((LIBRARY,), Limits()) as lending:
        lent = lending[LIBRARY]
        with bench((SUBMISSION, LIBRARY), Limits(), lent=lending) as workers:
            assert workers[LIBRARY] is lent
            own: Worker = workers[SUBMISSION]
        assert own.running.poll() is not None
        assert lent.running.poll() is None


def test_what_checking_needs_opens_first():
    with bench((SUBMISSION, LIBRARY), Limits()) as workers:
        assert (workers[LIBRARY].opening, workers[SUBMISSION].opening) == (1, 0)
        rounds.open_all(workers)
        assert workers[SUBMISSION].opening == 1
