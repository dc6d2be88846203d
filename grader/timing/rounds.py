"""Rounds of timing: every subject takes a turn in each, on fresh inputs, and every launch's output is checked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.contract import freivalds
from grader.contract.messages import (
    PROJECTIONS,
    VECTOR,
    Checked,
    Prepare,
    Prepared,
    Project,
    Projected,
    Timed,
    TimeRound,
)
from grader.errors import InfrastructureError
from grader.judge.compiling import worker_error
from grader.model import Fault, Limits, Rubric, Shape, Telemetry, Verdict
from grader.sandbox.box_files import open_plain
from grader.sandbox.client import Worker, WorkerLostError
from grader.timing import projecting
from grader.timing.sizes import Bases, Size
from grader.timing.subjects import SUBMISSION, Subject

Enough: TypeAlias = Callable[[int, float], bool]  # given the number of rounds and the seconds that they took
START_SECONDS = 60.0
CLOCK_SECONDS = 1e-4  # by which a device's clock may be ahead of the host's in a round
MOST_WAIT = 0.02  # seconds until the host notices the end of a round
MOST_TRIES = 10
VERIFIERS = 2  # threads: at N = 2048 verifying a turn takes as long as the turn


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


def install(subjects: Sequence[Subject], workers: Mapping[str, Worker]) -> None:
    """Give every subject's worker the compiled kernel."""
    for subject in subjects:
        workers[subject.name].finish_opening()
        workers[subject.name].install(subject.files)


def prepare(subjects: Sequence[Subject], workers: Mapping[str, Worker], rubric: Rubric, size: Size, seed: int) -> Bases:
    """Prepare all workers concurrently, and return the inputs that all launches derive from, drawn meanwhile."""
    shape = size.shape
    for subject in subjects:
        build = subject.artifact.build if subject.artifact else None
        request = Prepare(build, subject.launch, shape, rubric.interface, seed, size.following)
        workers[subject.name].send(request)
    bases = size.draw()
    for subject in subjects:
        with _baseline_loss_as_grader_error(subject.name, shape):  # preparing warms up with launches
            answer = workers[subject.name].receive(START_SECONDS + rubric.limits.case_seconds)
        if not isinstance(answer, Prepared):
            raise _failure(subject.name, answer, "cannot be timed")
    return bases


def take_rounds(
    workers: Mapping[str, Worker],
    rubric: Rubric,
    bases: Bases,
    samples: Mapping[str, Samples],
    enough: Enough,
) -> None:
    """Take rounds, with another subject first each time, until they are enough.

    All subjects have inputs of the same family in a round; which one is random. The outputs of a turn are verified
    during the next turns.

    Raises WrongWhenTimedError for a wrong output, FailedWhenTimedError for a kernel that fails, and WorkerLostError if
    the submission's worker was lost.
    """
    names = list(samples)
    began = time.monotonic()
    with ThreadPoolExecutor(VERIFIERS) as verifiers:
        verified: dict[str, Future[None]] = {}  # the last turn of each subject
        for number, family in enumerate(freivalds.order(bases.shape, bases.seed), start=1):
            first = number % len(names)
            for name in names[first:] + names[:first]:
                if name in verified:
                    verified[name].result()
                verify = _take_turn(name, workers[name], rubric.limits, bases, number, family, samples[name])
                verified[name] = verifiers.submit(verify)
            if enough(number, time.monotonic() - began):
                break
        for turn in verified.values():
            turn.result()


def _take_turn(
    name: str, worker: Worker, limits: Limits, bases: Bases, number: int, family: str, into: Samples
) -> Callable[[], None]:
    """Take a turn, and return what raises WrongWhenTimedError if an output of it is wrong."""
    shape, base = bases.shape, bases.families[family]
    with _baseline_loss_as_grader_error(name, shape):
        timed = _timed(name, worker, TimeRound(number, family), limits.case_seconds)
        x = projecting.fresh_vector(shape, base.interface)  # drawn now that no kernel runs that could look for it
        worker.install({VECTOR: x.tobytes()})
        answer = worker.ask(Project(), limits.case_seconds)
    if not isinstance(answer, Projected):
        raise _failure(name, answer, "did not project a round")
    got = _projections(worker.box, timed.launches, shape)
    into.seconds.append(timed.seconds / timed.launches)
    into.families.append(family)
    into.launches += timed.launches
    into.telemetry = timed.telemetry

    def verify() -> None:
        fresh = freivalds.signs(shape, bases.seed, number, timed.launches)
        if wrong := projecting.wrong_rows(got, base, fresh, x):
            raise WrongWhenTimedError(name, shape, number, wrong)

    return verify


def _timed(name: str, worker: Worker, request: TimeRound, seconds: float) -> Timed:
    """The round, taken again while the clocks of the device and the host disagree, as on a host that is very busy."""
    for _ in range(MOST_TRIES):
        began = time.monotonic()
        timed = worker.ask(request, seconds)
        elapsed = time.monotonic() - began
        if not isinstance(timed, Timed):
            raise _failure(name, timed, "did not time a round")
        if 0 < timed.seconds <= 1.001 * timed.host_seconds + CLOCK_SECONDS and timed.host_seconds <= elapsed:
            if timed.host_seconds - timed.seconds <= MOST_WAIT + timed.seconds:
                return timed
        elif name == SUBMISSION:
            raise FailedWhenTimedError(name, _impossible(timed))
    sentence = f"The clocks of the host and the device disagree when the {name} kernel is timed."
    raise InfrastructureError(sentence, "Is the machine very busy?")


def _impossible(timed: Timed) -> Fault:
    sentence = (
        f"The device reports {timed.seconds * 1e3:.3g} ms for launches that took {timed.host_seconds * 1e3:.3g} ms by "
        "the host's clock."
    )
    return Fault(Verdict.IMPOSSIBLE_RATE, sentence, "Remove what changes the clock, or tell your instructor.")


def _failure(name: str, answer: object, what: str) -> Exception:
    """What an answer other than the expected one means: a fault of the submission, or a grader error."""
    if isinstance(answer, Checked) and answer.fault is not None and name == SUBMISSION:
        return FailedWhenTimedError(name, answer.fault)
    why = f": {answer.fault.sentence}" if isinstance(answer, Checked) and answer.fault else "."
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
        raise InfrastructureError(f"A round wrote {values.size} of {launches * shape.M} numbers.", "Is the disk full?")
    return values.reshape(launches, shape.M)
