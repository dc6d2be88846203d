"""Rounds of timing: every subject has a turn in each, on fresh inputs, and every launch's output is checked."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from grader.contract import freivalds
from grader.contract.inputs import Inputs
from grader.contract.messages import PROJECTIONS, Prepare, Prepared, Timed, TimeRound
from grader.errors import InfrastructureError
from grader.judge.compiling import Artifact, worker_failed
from grader.model import Backend, Interface, Launch, Limits, Rubric, Shape, Telemetry
from grader.sandbox.box_files import open_plain
from grader.sandbox.client import Start, Worker, WorkerLostError, start_process, worker

CHECKER, SUBMISSION, NAIVE, LIBRARY = "checker", "submission", "naive", "library"
Enough: TypeAlias = Callable[[int, float], bool]  # of so many rounds in so many seconds
NEEDED_FIRST = (CHECKER, LIBRARY)
NOBODY: Mapping[str, Worker] = MappingProxyType({})
START_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Subject:
    """Something to time: a kernel and its launch, or the library's product where there is no artifact."""

    name: str
    artifact: Artifact | None
    launch: Launch


@dataclass
class Samples:
    """What a subject's rounds gave so far: seconds per launch, and the launches of each group.

    `kept` says that they were not taken now.
    """

    seconds: list[float] = field(default_factory=list)
    launches: int = 0
    telemetry: Telemetry | None = None
    kept: bool = False


class WrongWhenTimedError(Exception):
    """An output of a timed launch is wrong."""

    def __init__(self, subject: str, number: int, rows: int) -> None:
        super().__init__(subject)
        self.subject, self.number, self.rows = subject, number, rows


@contextmanager
def bench(
    names: Sequence[str],
    backend: Backend,
    limits: Limits,
    start: Start = start_process,
    lent: Mapping[str, Worker] = NOBODY,
) -> Iterator[Mapping[str, Worker]]:
    """A process for each name, or the one that is lent for it and goes on after this.

    They take a second or two to load CUDA, so have them early. Those that checking needs begin at once.
    """
    with ExitStack() as stack:
        workers = {
            name: lent[name] if name in lent else stack.enter_context(worker(backend, limits, start)) for name in names
        }
        for name in NEEDED_FIRST:
            if name in workers:
                workers[name].begin_opening()
        yield workers


def open_all(workers: Mapping[str, Worker]) -> None:
    """Wait for the checker, and only then let the others begin.

    The driver loads one process at a time, about a quarter of a second each: four at once are all late.
    """
    if CHECKER in workers:
        workers[CHECKER].finish_opening()
    for one in workers.values():
        one.begin_opening(timing=True)


def prepare(
    subjects: Sequence[Subject], workers: Mapping[str, Worker], rubric: Rubric, shape: Shape, seed: int
) -> Inputs:
    """Every worker at once, and the pair that all launches derive from: most of it is drawing numbers, on the host."""
    for one in subjects:
        build = one.artifact.build if one.artifact else None
        workers[one.name].send(Prepare(build, one.launch, shape, rubric.interface, seed))
    pair = freivalds.in_float64(freivalds.base(shape, rubric.interface, seed))
    for one in subjects:
        with _blaming(one.name, shape):  # it warms up with launches
            answer = workers[one.name].receive(START_SECONDS + rubric.limits.case_seconds)
        if not isinstance(answer, Prepared):
            raise InfrastructureError(f"The {one.name} worker cannot be timed.")
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
    """Rounds with another subject first each time, until they are enough by their number and the seconds spent.

    Raises WrongWhenTimedError for a wrong output, WorkerLostError for a submission that did not come back.
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
    name: str, one: Worker, rubric: Rubric, shape: Shape, seed: int, number: int, pair: Inputs, into: Samples
) -> None:
    with _blaming(name, shape):
        timed = one.ask(TimeRound(number), rubric.limits.case_seconds)
    if not isinstance(timed, Timed):
        raise InfrastructureError(f"The {name} worker did not time a round.")
    got = _projections(one.box, timed.launches, shape)
    wrong = _wrong_rows(got, pair, rubric.interface, shape, seed, number)
    if wrong:
        raise WrongWhenTimedError(name, number, wrong)
    into.seconds.append(timed.seconds / timed.launches)
    into.launches += timed.launches
    into.telemetry = timed.telemetry


@contextmanager
def _blaming(name: str, shape: Shape) -> Iterator[None]:
    """A baseline's worker that is lost is a fault of ours; what became of the submission's is for others to say."""
    try:
        yield
    except WorkerLostError as lost:
        if name == SUBMISSION:
            raise
        raise worker_failed(f"timing the {name} baseline at {shape}", lost) from lost


def _projections(box: Path, launches: int, shape: Shape) -> NDArray[np.float64]:
    """What a round left, launches x M. A launch without a projection would be one that nobody checked."""
    with open_plain(box / PROJECTIONS) as file:
        found = np.fromfile(file, np.float64, max(launches, 0) * shape.M)
    if launches < 1 or found.size != launches * shape.M:
        raise InfrastructureError(f"A round left {found.size} of {launches * shape.M} numbers.", "Is the disk full?")
    return found.reshape(launches, shape.M)


def _wrong_rows(
    got: NDArray[np.float64], pair: Inputs, interface: Interface, shape: Shape, seed: int, number: int
) -> int:
    fresh = freivalds.signs(shape, seed, number, got.shape[0])
    x = freivalds.vector(shape, seed, number)
    want = freivalds.projections(pair, fresh, x, interface.alpha, interface.beta)
    return int(np.count_nonzero(~(got == want)))
