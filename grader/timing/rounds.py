"""Rounds of timing: every subject takes a turn in each, on fresh inputs, and every launch's output is checked."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.contract import freivalds
from grader.contract.inputs import Inputs
from grader.contract.messages import PROJECTIONS, Prepare, Prepared, Timed, TimeRound
from grader.errors import InfrastructureError
from grader.judge.compiling import worker_error
from grader.model import Interface, Rubric, Shape, Telemetry
from grader.sandbox.box_files import open_plain
from grader.sandbox.client import Worker, WorkerLostError
from grader.timing.subjects import SUBMISSION, Subject

Enough: TypeAlias = Callable[[int, float], bool]  # given the number of rounds and the seconds that they took
START_SECONDS = 60.0


@dataclass
class Samples:
    """A subject's rounds so far: seconds per launch in each, and the launches of all.

    `kept` samples come from an earlier measurement.
    """

    seconds: list[float] = field(default_factory=list)
    launches: int = 0
    telemetry: Telemetry | None = None
    kept: bool = False


class WrongWhenTimedError(Exception):
    """The output of a timed launch is wrong, in so many rows of C."""

    def __init__(self, subject: str, shape: Shape, number: int, rows: int) -> None:
        super().__init__(subject)
        self.subject, self.shape, self.number, self.rows = subject, shape, number, rows

    def as_grader_error(self) -> InfrastructureError:
        """The error of a baseline, which must be correct."""
        return InfrastructureError(f"The {self.subject} baseline computes a wrong product at {self.shape}.")


def install(subjects: Sequence[Subject], workers: Mapping[str, Worker]) -> None:
    """Give every subject's worker the compiled kernel."""
    for subject in subjects:
        workers[subject.name].finish_opening()
        workers[subject.name].install(subject.files)


def prepare(
    subjects: Sequence[Subject], workers: Mapping[str, Worker], rubric: Rubric, shape: Shape, seed: int
) -> Inputs:
    """Prepare all workers concurrently, and return the inputs that all launches derive from, drawn meanwhile."""
    for subject in subjects:
        build = subject.artifact.build if subject.artifact else None
        workers[subject.name].send(Prepare(build, subject.launch, shape, rubric.interface, seed))
    pair = freivalds.in_float64(freivalds.base(shape, rubric.interface, seed))
    for subject in subjects:
        with _baseline_loss_as_grader_error(subject.name, shape):  # preparing warms up with launches
            answer = workers[subject.name].receive(START_SECONDS + rubric.limits.case_seconds)
        if not isinstance(answer, Prepared):
            raise InfrastructureError(f"The {subject.name} worker cannot be timed.")
    return pair


def take_rounds(
    workers: Mapping[str, Worker],
    rubric: Rubric,
    shape: Shape,
    seed: int,
    pair: Inputs,
    samples: Mapping[str, Samples],
    enough: Enough,
) -> None:
    """Take rounds, with another subject first each time, until they are enough.

    Raises WrongWhenTimedError for a wrong output, and WorkerLostError if the submission's worker was lost.
    """
    names = list(samples)
    began = time.monotonic()
    for number in itertools.count(1):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            _take_turn(name, workers[name], rubric, shape, seed, number, pair, samples[name])
        if enough(number, time.monotonic() - began):
            return


def _take_turn(
    name: str, worker: Worker, rubric: Rubric, shape: Shape, seed: int, number: int, pair: Inputs, into: Samples
) -> None:
    with _baseline_loss_as_grader_error(name, shape):
        timed = worker.ask(TimeRound(number), rubric.limits.case_seconds)
    if not isinstance(timed, Timed):
        raise InfrastructureError(f"The {name} worker did not time a round.")
    got = _projections(worker.box, timed.launches, shape)
    wrong = _wrong_rows(got, pair, rubric.interface, shape, seed, number)
    if wrong:
        raise WrongWhenTimedError(name, shape, number, wrong)
    into.seconds.append(timed.seconds / timed.launches)
    into.launches += timed.launches
    into.telemetry = timed.telemetry


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
        raise InfrastructureError(f"A round left {values.size} of {launches * shape.M} numbers.", "Is the disk full?")
    return values.reshape(launches, shape.M)


def _wrong_rows(
    got: NDArray[np.float64], pair: Inputs, interface: Interface, shape: Shape, seed: int, number: int
) -> int:
    fresh = freivalds.signs(shape, seed, number, got.shape[0])
    x = freivalds.vector(shape, seed, number)
    want = freivalds.projections(pair, fresh, x, interface.alpha, interface.beta)
    return int(np.count_nonzero(~(got == want)))
