"""Rounds of timing. In each, every subject is timed once on fresh inputs, and the output of every launch is checked."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grader.contract import freivalds, timing_messages
from grader.contract.freivalds import Vector
from grader.contract.layout import launch_at
from grader.contract.messages import Answer, Checked, Done, Draw
from grader.errors import InfrastructureError
from grader.explain import timed_launches
from grader.explain.answers import Asked, fault_of
from grader.judge.compiling import worker_error
from grader.judge.conditions import Conditions
from grader.judge.stages import Subject
from grader.judge.worker_pool import SUBMISSION
from grader.model import Fault, Interface, Rubric, Shape, Telemetry
from grader.sandbox.box_files import open_plain
from grader.sandbox.client import Worker, WorkerLostError
from grader.timing import projecting
from grader.timing.projecting import Size, Verifications

Verify = Callable[[], None]  # raises FailedWhenTimedError for a wrong output
Enough = Callable[[int, float], bool]  # from the number of rounds and their seconds
START_SECONDS = 60.0
CLOCK_SECONDS = 1e-4  # tolerance for a round that is longer by the device's clock than by the host's
MOST_WAIT = 0.02  # seconds in which the host must notice the end of a round
MOST_TRIES = 10


@dataclass
class Samples:
    """A subject's rounds so far: for each, the seconds per launch.

    `launches` counts those of all rounds. `kept` samples are cached ones.
    """

    seconds: list[float] = field(default_factory=list)
    launches: int = 0
    telemetry: Telemetry | None = None
    kept: bool = False


class FailedWhenTimedError(Exception):
    """The submission failed while it was timed, or computed a wrong product."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.sentence)
        self.fault = fault


def install(subjects: Sequence[Subject], workers: Mapping[str, Worker]) -> None:
    """Put every subject's compiled kernel into its worker's box."""
    for subject in subjects:
        workers[subject.name].finish_opening()
        workers[subject.name].install(subject.files)


def prepare(subjects: Sequence[Subject], workers: Mapping[str, Worker], conditions: Conditions, size: Size) -> float:
    """Prepare all workers concurrently, and return the seconds during which they share the GPU.

    Their inputs are drawn before. Raises the errors of `take_rounds`.
    """
    asked = Asked(conditions.rubric.interface, size.shape, conditions.rubric.limits)
    requests = {subject.name: _to_prepare(subject, asked.interface, size) for subject in subjects}
    _answers({name: Draw(request) for name, request in requests.items()}, workers, asked)
    with conditions.gpu.shared():
        began = time.monotonic()
        for name, answer in _answers(requests, workers, asked).items():
            if not isinstance(answer, timing_messages.Prepared):
                raise error_of_answer(name, answer, "cannot be timed", asked)
        return time.monotonic() - began


def _to_prepare(subject: Subject, interface: Interface, size: Size) -> timing_messages.Prepare:
    return timing_messages.Prepare(
        subject.build, launch_at(subject.launch, size.shape), size.shape, interface, size.seed, size.following
    )


def _answers(
    requests: Mapping[str, timing_messages.Prepare | Draw], workers: Mapping[str, Worker], asked: Asked
) -> dict[str, Answer]:
    """Ask all workers at once."""
    answers = {}
    for name, request in requests.items():
        workers[name].send(request)
    for name in requests:
        with loss_explained(name, asked.shape):  # preparing includes launches, to warm up
            answers[name] = workers[name].receive(START_SECONDS + asked.limits.case_seconds)
    return answers


def take_rounds(
    workers: Mapping[str, Worker],
    rubric: Rubric,
    size: Size,
    samples: Mapping[str, Samples],
    enough: Enough,
    verifications: Verifications,
) -> None:
    """Time rounds until they are `enough`; each begins with another subject.

    The outputs of a turn are projected before the same subject's next turn, in one request with it, and are verified
    during the turns that follow; the caller finishes the last verifications.

    Raises FailedWhenTimedError if the submission fails, InfrastructureError if a baseline does.
    """
    names, asked = list(samples), Asked(rubric.interface, size.shape, rubric.limits)
    turns = {name: _Turns(name, size, workers[name], asked, samples[name]) for name in names}
    began = time.monotonic()
    for number in count(1):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            verifications.raise_if_wrong()
            if verify := turns[name].take():
                verifications.begin(verify)
        if enough(number, time.monotonic() - began):
            break
    for each in turns.values():
        verifications.begin(each.end())


@dataclass
class _Turns:
    """One subject's turns. `number` counts all rounds; `last` is the one to project, with its launches."""

    name: str
    size: Size
    worker: Worker
    asked: Asked
    into: Samples
    number: int = 0
    last: tuple[int, int] | None = None

    def take(self) -> Verify | None:
        """Time the launches of one round, and return what verifies the outputs of the last one, if there was one."""
        with loss_explained(self.name, self.size.shape):
            x = self._fresh_vector() if self.last else None
            timed = self._timed(projects=x is not None)
        verify = self._verification(x) if x is not None else None
        self.into.seconds.append(timed.seconds / timed.launches)
        self.into.launches += timed.launches
        self.into.telemetry = timed.telemetry
        self.last = self.number, timed.launches
        return verify

    def _timed(self, *, projects: bool) -> timing_messages.Timed:
        """Time a round; again while the clocks of device and host disagree, as they do on a very busy host.

        Each try has inputs of its own, because a kernel may have kept results.
        """
        for _ in range(MOST_TRIES):
            self.number += 1
            request, began = timing_messages.TimeRound(self.number, projects), time.monotonic()
            timed = self.worker.ask(request, self.asked.limits.case_seconds)
            elapsed, projects = time.monotonic() - began, False
            if not isinstance(timed, timing_messages.Timed):
                raise error_of_answer(self.name, timed, "did not time a round", self.asked)
            if 0 < timed.seconds <= 1.001 * timed.host_seconds + CLOCK_SECONDS and timed.host_seconds <= elapsed:
                if timed.host_seconds - timed.seconds <= MOST_WAIT + timed.seconds:
                    return timed
            elif self.name == SUBMISSION:
                fault = timed_launches.slower_than_the_host(timed.seconds, timed.host_seconds)
                raise FailedWhenTimedError(timed_launches.failed(fault, self.size.shape))
        what = f"The clocks of the host and the device disagree when the {self.name} kernel is timed."
        raise InfrastructureError(what, "Is the machine very busy?")

    def end(self) -> Verify:
        """Project the outputs of the last round, and return what verifies them."""
        with loss_explained(self.name, self.size.shape):
            x = self._fresh_vector()
            answer = self.worker.ask(timing_messages.Project(), self.asked.limits.case_seconds)
        if not isinstance(answer, Done):
            raise error_of_answer(self.name, answer, "did not project a round", self.asked)
        return self._verification(x)

    def _fresh_vector(self) -> Vector:
        """Draw a vector now that no kernel runs that could look for it."""
        x = projecting.fresh_vector(self.size.base())
        self.worker.install({timing_messages.VECTOR: x.tobytes()})
        return x

    def _verification(self, x: Vector) -> Verify:
        """Read the projections of the last round onto x."""
        if self.last is None:
            raise ValueError("no round was timed")
        name, size, (number, launches) = self.name, self.size, self.last
        got = _projections(self.worker.box, launches, size.shape)

        def verify() -> None:
            fresh = freivalds.changes(size.shape, size.base().pair.aligned, size.seed, number, launches)
            if wrong := projecting.wrong_rows(got, size.base(), fresh, x):
                fault = timed_launches.wrong(wrong, size.shape, number)
                raise _error(name, fault, f"The {name} baseline computes a wrong product at {size.shape}.")

        return verify


def error_of_answer(name: str, answer: object, what: str, asked: Asked) -> Exception:
    """The error that an unexpected answer means."""
    if not isinstance(answer, Checked) or answer.finding is None:
        return InfrastructureError(f"The {name} worker {what}.")
    fault = fault_of(answer.finding, asked)
    return _error(name, timed_launches.failed(fault, asked.shape), f"The {name} worker {what}: {fault.sentence}")


@contextmanager
def loss_explained(name: str, shape: Shape) -> Iterator[None]:
    """Raise the error that the loss of a subject's worker means."""
    try:
        yield
    except WorkerLostError as lost:
        if name != SUBMISSION:
            raise worker_error(f"timing the {name} baseline at {shape}", lost) from lost
        if lost.failed_by_itself:
            raise worker_error(f"timing {shape}", lost) from lost
        raise FailedWhenTimedError(timed_launches.lost(shape, at_a_limit=bool(lost.stopped))) from lost


def _error(name: str, fault: Fault, of_baseline: str) -> Exception:
    """The error of a subject: a fault of the submission, or a grader error, because a baseline must be correct."""
    return FailedWhenTimedError(fault) if name == SUBMISSION else InfrastructureError(of_baseline)


def _projections(box: Path, launches: int, shape: Shape) -> NDArray[np.float64]:
    """Read the projections of a round (launches x M). Raises InfrastructureError if one is missing."""
    with open_plain(box / timing_messages.PROJECTIONS) as file:
        values = np.fromfile(file, np.float64, max(launches, 0) * shape.M)
    if launches < 1 or values.size != launches * shape.M:
        raise InfrastructureError(f"A round wrote {values.size} of {launches * shape.M} numbers.")
    return values.reshape(launches, shape.M)
