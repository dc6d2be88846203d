"""Whose fault a worker is that is lost during timing, and which workers a pool ends."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from grader.contract import freivalds
from grader.contract.messages import Checked, Done
from grader.contract.timing_messages import PROJECTIONS, VECTOR, Project, Timed, TimeRound
from grader.errors import InfrastructureError
from grader.host.gpu_lock import GpuLock
from grader.host.stopped import Stopped
from grader.judge import worker_pool as pools
from grader.judge.conditions import Conditions
from grader.judge.stages import LibraryProduct
from grader.judge.worker_pool import LIBRARY, NAIVE, SUBMISSION, worker_pool
from grader.model import Interface, Launch, Machine, Rubric, Shape, Verdict
from grader.model.watched import DriverError, DriverFailed
from grader.sandbox.client import Worker, WorkerLostError
from grader.timing import projecting, rounds
from grader.timing.projecting import Verifications, verification_threads
from grader.timing.rounds import FailedWhenTimedError, Samples
from tests.report import examples
from tests.timed_inputs import each_launch

SHAPE = Shape(16, 16, 16)
FLOAT32 = Interface("matmul", ("A", "B", "C", "N"))
SEED, LAUNCHES = 2**100, 3


class Lost:
    """A worker that is lost: every request fails."""

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
    size, workers = projecting.single_size(SHAPE, rubric.interface, 1), {name: lost()}
    with verification_threads() as threads:
        rounds.take_rounds(workers, rubric, size, {name: Samples()}, lambda *_: True, Verifications(threads))


def prepare_one(name: str, rubric: Rubric) -> None:
    rounds.prepare(
        [LibraryProduct(name, Launch((8, 8, 1), (8, 8)))],
        {name: lost()},
        Conditions(rubric, examples.report().machine, 1),
        projecting.single_size(SHAPE, rubric.interface, 1),
    )


@pytest.mark.parametrize("step", [time_one, prepare_one])
@pytest.mark.parametrize("name", [NAIVE, LIBRARY])
def test_a_baseline_that_is_lost_is_never_the_submissions_fault(name: str, step):
    with pytest.raises(InfrastructureError, match=f"timing the {name} baseline at N=16: Killed"):
        step(name, examples.rubric())


@pytest.mark.parametrize("step", [time_one, prepare_one])
def test_a_submission_that_is_lost_has_crashed(step):
    with pytest.raises(FailedWhenTimedError) as raised:
        step(SUBMISSION, examples.rubric())
    assert raised.value.fault.verdict is Verdict.CRASHED


def test_a_pool_ends_its_own_workers_and_not_one_that_is_shared(simulator: Machine):
    conditions = Conditions(examples.rubric(), simulator, 1)
    with worker_pool((LIBRARY,), conditions) as outer:
        library = outer[LIBRARY]
        with worker_pool((SUBMISSION, LIBRARY), conditions, outer) as workers:
            assert workers[LIBRARY] is library
            own: Worker = workers[SUBMISSION]
        assert own.running.poll() is not None
        assert library.running.poll() is None


def test_a_pool_ends_its_workers_at_the_same_time():
    meeting = Barrier(3)
    all_told = SimpleNamespace(kill=lambda: meeting.wait(timeout=10))
    pools._end_together(cast("list[Worker]", [SimpleNamespace(running=all_told)] * 3))
    assert not meeting.broken


def test_a_pool_opens_its_workers_one_after_the_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    order: list[str] = []

    class Opening:
        box = tmp_path
        running = SimpleNamespace(kill=lambda: None)

        def __init__(self) -> None:
            self.number = len(created)

        def open_beside(self, _gpu: GpuLock) -> None:
            order.append(f"{names[self.number]} is open")

    @contextmanager
    def opening(*_: object) -> Iterator[Opening]:
        created.append(Opening())
        yield created[-1]

    created: list[Opening] = []
    names = (SUBMISSION, LIBRARY, NAIVE)
    monkeypatch.setattr(pools, "worker", opening)
    with worker_pool(names, Conditions(examples.rubric(), examples.report().machine, 1)):
        while len(order) < len(names):
            time.sleep(0.001)
    assert order == ["submission is open", "library is open", "naive is open"]


class Timing:
    """A worker that computes products with NumPy and reports the times that a test chooses."""

    def __init__(self, box: Path, **changes: Any) -> None:
        self.box = box
        self.changes = {"seconds": 0.004, "host_seconds": 0.004, "plus": 0.0, "answer": None, **changes}
        self.outputs: list[np.ndarray] = []
        self.rounds: list[int] = []
        self.vectors: list[bytes] = []

    def install(self, files: dict[str, bytes]) -> None:
        self.vectors.append(files[VECTOR])

    def ask(self, request: Project | TimeRound, _seconds: float) -> Any:
        if isinstance(request, Project) or request.projects:
            x = np.frombuffer(self.vectors[-1])
            np.array([C @ x for C in self.outputs]).tofile(self.box / PROJECTIONS)
        if isinstance(request, Project):
            return Done()
        time.sleep(0.005)
        self.rounds.append(request.number)
        pair = freivalds.base(SHAPE, FLOAT32, SEED)
        fresh = freivalds.changes(SHAPE, pair.aligned, SEED, request.number, LAUNCHES)
        self.outputs = [
            (A.astype(np.float32) @ B.astype(np.float32)).astype(float) + self.changes["plus"]
            for A, B in each_launch(pair, fresh)
        ]
        return self.changes["answer"] or Timed(self.changes["seconds"], self.changes["host_seconds"], LAUNCHES, None)


def take(name: str, worker: Timing, count: int = 8) -> Samples:
    samples = Samples()
    size = projecting.single_size(SHAPE, FLOAT32, SEED)
    workers, rubric = {name: cast(Worker, worker)}, examples.rubric()
    with verification_threads() as threads:
        verifications = Verifications(threads)
        rounds.take_rounds(workers, rubric, size, {name: samples}, lambda taken, _: taken >= count, verifications)
        verifications.finish()
    return samples


def test_every_round_has_a_number_and_a_vector_of_its_own(tmp_path: Path):
    worker = Timing(tmp_path)
    samples = take(SUBMISSION, worker)
    assert worker.rounds == list(range(1, 9))
    assert len(set(worker.vectors)) == 8
    assert samples.seconds == [0.004 / LAUNCHES] * 8


@pytest.mark.parametrize("count", [1, 1000])
def test_a_wrong_output_is_found_soon_after_its_round_and_ends_the_others(tmp_path: Path, count: int):
    worker = Timing(tmp_path, plus=0.5)
    with pytest.raises(FailedWhenTimedError, match="rows of C at N=16 in round"):
        take(SUBMISSION, worker, count)
    assert len(worker.rounds) < 20


CRASHED = Checked(DriverFailed(DriverError.MISALIGNED, "a misaligned address"), spent=True)


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [({"answer": CRASHED}, Verdict.CRASHED), ({"seconds": 0.02}, Verdict.IMPOSSIBLE_RATE)],
    ids=["a fault", "more time on the device than on the host"],
)
def test_what_goes_wrong_while_a_submission_is_timed_is_its_fault(tmp_path: Path, changes: Any, verdict: Verdict):
    with pytest.raises(FailedWhenTimedError) as raised:
        take(SUBMISSION, Timing(tmp_path, **changes))
    assert raised.value.fault.verdict is verdict


@pytest.mark.parametrize("changes", [{"answer": CRASHED}, {"seconds": 0.02}, {"seconds": 0.0}, {"plus": 0.5}])
def test_what_goes_wrong_while_a_baseline_is_timed_is_a_grader_error(tmp_path: Path, changes: Any):
    with pytest.raises(InfrastructureError):
        take(NAIVE, Timing(tmp_path, **changes))


def test_a_device_time_that_the_host_does_not_confirm_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(rounds, "MOST_WAIT", 0.001)
    worker = Timing(tmp_path, seconds=0.0005)
    with pytest.raises(InfrastructureError, match="clocks of the host"):
        take(SUBMISSION, worker)
    assert worker.rounds == list(range(1, rounds.MOST_TRIES + 1))  # each with inputs of its own
