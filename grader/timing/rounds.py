"""Rounds of timing: every subject takes a turn in each, on fresh inputs, and every launch's output is checked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.contract import freivalds
from grader.contract.freivalds import Vector
from grader.contract.layout import launch_at
from grader.contract.messages import Checked
from grader.contract.timing_messages import (
    PROJECTIONS,
    VECTOR,
    Prepare,
    Prepared,
    Project,
    Projected,
    Timed,
    TimeRound,
)
from grader.errors import InfrastructureError
from grader.explain.answers import Asked, fault_of
from grader.explain.timed_launches import slower_than_the_host
from grader.judge.compiling import worker_error
from grader.model import Fault, Rubric, Shape, Telemetry
from grader.sandbox.box_files import open_plain
from grader.sandbox.client import Worker, WorkerLostError
from grader.timing import projecting
from grader.timing.sizes import Size
from grader.timing.subjects import SUBMISSION, Subject
from grader.timing.verifying import Verifying

Enough: TypeAlias = Callable[[int, float], bool]  # given the number of rounds and the seconds that they took
START_SECONDS = 60.0
CLOCK_SECONDS = 1e-4  # by which a device's clock may be ahead of the host's in a round
MOST_WAIT = 0.02  # seconds until the host notices the end of a round
MOST_TRIES = 10


@dataclass
class Samples:
    """A subject's rounds so far: seconds per launch and the family of inputs in each, and the launches of all.

    `kept` samples come from an earlier measurement.
    """

    seconds: list[float] = field(default_factory=list)
    launches: int = 0
    telemetry: Telemetry | None = None
    kept: bool = False
    families: list[str] = field(default_factory=list)


class WrongWhenTimedError(Exception):
    """The output of a timed launch is wrong, in so many rows of C."""

    def __init__(self, subject: str, shape: Shape, number: int, rows: int) -> None:
        super().__init__(subject)
        self.subject, self.shape, self.number, self.rows = subject, shape, number, rows

    def as_grader_error(self) -> InfrastructureError:
        """The error of a baseline, which must be correct."""
        return InfrastructureError(f"The {self.subject} baseline computes a wrong product at {self.shape}.")


class FailedWhenTimedError(Exception):
    """A subject's kernel failed while it was timed."""

    def __init__(self, subject: str, fault: Fault) -> None:
        super().__init__(subject)
        self.subject, self.fault = subject, fault


@dataclass(frozen=True, slots=True)
class Turn:
    """A subject's part of a round."""

    name: str
    size: Size
    seed: int
    number: int
    family: str


def install(subjects: Sequence[Subject], workers: Mapping[str, Worker]) -> None:
    """Give every subject's worker the compiled kernel."""
    for subject in subjects:
        workers[subject.name].finish_opening()
        workers[subject.name].install(subject.files)


def prepare(subjects: Sequence[Subject], workers: Mapping[str, Worker], rubric: Rubric, size: Size, seed: int) -> None:
    """Prepare all workers concurrently. Raises as `take_rounds` does."""
    for subject in subjects:
        build = subject.artifact.build if subject.artifact else None
        request = Prepare(
            build, launch_at(subject.launch, size.shape), size.shape, rubric.interface, seed, size.following
        )
        workers[subject.name].send(request)
    for subject in subjects:
        with _baseline_loss_as_grader_error(subject.name, size.shape):  # preparing warms up with launches
            answer = workers[subject.name].receive(START_SECONDS + rubric.limits.case_seconds)
        if not isinstance(answer, Prepared):
            raise _failure(subject.name, answer, "cannot be timed", Asked(rubric.interface, size.shape, rubric.limits))


def take_rounds(
    workers: Mapping[str, Worker],
    rubric: Rubric,
    size: Size,
    seed: int,
    samples: Mapping[str, Samples],
    enough: Enough,
    verifying: Verifying,
) -> None:
    """Take rounds, with another subject first each time, until they are enough.

    All subjects have inputs of the same family in a round; which one is random. The outputs of a turn are verified
    during the next turns, and those of the last ones after this.

    Raises WrongWhenTimedError for a wrong output, FailedWhenTimedError for a kernel that fails, and WorkerLostError if
    the submission's worker was lost.
    """
    names = list(samples)
    began = time.monotonic()
    for number, family in enumerate(freivalds.order(size.shape, seed), start=1):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            verifying.raise_if_wrong()
            turn = Turn(name, size, seed, number, family)
            verifying.begin(_take_turn(turn, workers[name], rubric, samples[name]))
        if enough(number, time.monotonic() - began):
            break


def _take_turn(turn: Turn, worker: Worker, rubric: Rubric, into: Samples) -> Callable[[], None]:
    """Take a turn, and return what raises WrongWhenTimedError if an output of it is wrong."""
    name, shape = turn.name, turn.size.shape
    asked = Asked(rubric.interface, shape, rubric.limits)
    with _baseline_loss_as_grader_error(name, shape):
        timed = _timed(name, worker, TimeRound(turn.number, turn.family), asked)
        x = projecting.fresh_vector(shape, rubric.interface)  # drawn now that no kernel runs that could look for it
        worker.install({VECTOR: x.tobytes()})
        answer = worker.ask(Project(), rubric.limits.case_seconds)
    if not isinstance(answer, Projected):
        raise _failure(name, answer, "did not project a round", asked)
    got = _projections(worker.box, timed.launches, shape)
    into.seconds.append(timed.seconds / timed.launches)
    into.families.append(turn.family)
    into.launches += timed.launches
    into.telemetry = timed.telemetry
    return lambda: _verify(turn, got, x)


def _verify(turn: Turn, got: NDArray[np.float64], x: Vector) -> None:
    """Raise WrongWhenTimedError if a row of a launch's output is projected to another value than it must be."""
    fresh = freivalds.signs(turn.size.shape, turn.seed, turn.number, got.shape[0])
    if wrong := projecting.wrong_rows(got, turn.size.bases()[turn.family], fresh, x):
        raise WrongWhenTimedError(turn.name, turn.size.shape, turn.number, wrong)


def _timed(name: str, worker: Worker, request: TimeRound, asked: Asked) -> Timed:
    """The round, taken again while the clocks of the device and the host disagree, as on a host that is very busy."""
    for _ in range(MOST_TRIES):
        began = time.monotonic()
        timed = worker.ask(request, asked.limits.case_seconds)
        elapsed = time.monotonic() - began
        if not isinstance(timed, Timed):
            raise _failure(name, timed, "did not time a round", asked)
        if 0 < timed.seconds <= 1.001 * timed.host_seconds + CLOCK_SECONDS and timed.host_seconds <= elapsed:
            if timed.host_seconds - timed.seconds <= MOST_WAIT + timed.seconds:
                return timed
        elif name == SUBMISSION:
            raise FailedWhenTimedError(name, slower_than_the_host(timed.seconds, timed.host_seconds))
    sentence = f"The clocks of the host and the device disagree when the {name} kernel is timed."
    raise InfrastructureError(sentence, "Is the machine very busy?")


def _failure(name: str, answer: object, what: str, asked: Asked) -> Exception:
    """What an answer other than the expected one means: a fault of the submission, or a grader error."""
    finding = answer.finding if isinstance(answer, Checked) else None
    fault = fault_of(finding, asked) if finding else None
    if fault and name == SUBMISSION:
        return FailedWhenTimedError(name, fault)
    why = f": {fault.sentence}" if fault else "."
    return InfrastructureError(f"The {name} worker {what}{why}")


@contextmanager
def _baseline_loss_as_grader_error(name: str, shape: Shape) -> Iterator[None]:
    """The loss of a baseline's worker is a grader error; the caller explains that of the submission's."""
    try:
        yield
    except WorkerLostError as lost:
        if name == SUBMISSION:
            raise
        raise worker_error(f"timing the {name} baseline at {shape}", lost) from lost


def _projections(box: Path, launches: int, shape: Shape) -> NDArray[np.float64]:
    """The projections that a round left, launches x M. A launch without one would be unchecked."""
    with open_plain(box / PROJECTIONS) as file:
        values = np.fromfile(file, np.float64, max(launches, 0) * shape.M)
    if launches < 1 or values.size != launches * shape.M:
        raise InfrastructureError(f"A round wrote {values.size} of {launches * shape.M} numbers.")
    return values.reshape(launches, shape.M)
