"""How fast is it? The submission, the naive kernel and the library, in turns on the same device."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from grader import freshness, timing
from grader.compiling import Artifact, worker_failed
from grader.errors import InfrastructureError
from grader.inputs import Inputs
from grader.messages import PROJECTIONS, Prepare, Prepared, Timed, TimedTransfers, TimeRound, TimeTransfers
from grader.model import (
    Backend,
    Case,
    CaseResult,
    Fault,
    Interface,
    Interval,
    Launch,
    Limits,
    Measurement,
    Rubric,
    Shape,
    Telemetry,
    Verdict,
)
from grader.sandbox import Worker, WorkerLostError, worker

CHECKER, SUBMISSION, NAIVE, LIBRARY = "checker", "submission", "naive", "library"
TIMED = "timed"
TRANSFERS = 5
START_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Subject:
    """Something to time: a kernel and its launch, or the library's product where there is no artifact."""

    name: str
    artifact: Artifact | None
    launch: Launch


@dataclass(frozen=True, slots=True)
class Timings:
    """One size: the verdict on its timed launches, and the measurements of all subjects unless that is a fault."""

    result: CaseResult
    measurements: Mapping[str, Measurement]


@dataclass
class _Samples:
    """What a subject's rounds gave so far: seconds per launch, and the launches of each group."""

    seconds: list[float] = field(default_factory=list)
    launches: int = 0
    telemetry: Telemetry | None = None


class _WrongWhenTimedError(Exception):
    """An output of a timed launch is wrong."""

    def __init__(self, subject: str, number: int, rows: int) -> None:
        super().__init__(subject)
        self.subject, self.number, self.rows = subject, number, rows


@contextmanager
def bench(names: Sequence[str], limits: Limits) -> Iterator[Mapping[str, Worker]]:
    """A process for each name, starting: they take a second or two to load CUDA, so open them early."""
    with ExitStack() as stack:
        workers = {name: stack.enter_context(worker(Backend.CUDA, limits)) for name in names}
        for one in workers.values():
            one.begin_opening()
        yield workers


def measure(
    subjects: Sequence[Subject],
    workers: Mapping[str, Worker],
    rubric: Rubric,
    shapes: Sequence[Shape],
    seed: int,
    peak_gflops: float | None,
) -> Iterator[Timings]:
    """Time every subject at every size, each subject in its own one of the bench's processes."""
    for one in subjects:
        workers[one.name].finish_opening()
        workers[one.name].install(one.artifact.files() if one.artifact else {})
    for number, shape in enumerate(shapes):
        timings = _measure_size(subjects, workers, rubric, shape, seed, peak_gflops)
        yield timings
        if timings.result.verdict in (Verdict.CRASHED, Verdict.TIMEOUT):
            yield from (Timings(_not_timed(later, shape, seed), {}) for later in shapes[number + 1 :])
            return


def _measure_size(
    subjects: Sequence[Subject],
    workers: Mapping[str, Worker],
    rubric: Rubric,
    shape: Shape,
    seed: int,
    peak: float | None,
) -> Timings:
    began = time.monotonic()
    case = Case(shape, TIMED, seed)
    samples = {one.name: _Samples() for one in subjects}
    try:
        _prepare(subjects, workers, rubric, shape, seed)
        _take_rounds(workers, rubric, shape, seed, samples)
        transfers = _transfer_seconds(workers[SUBMISSION], rubric.limits)
    except _WrongWhenTimedError as wrong:
        if wrong.subject != SUBMISSION:
            raise InfrastructureError(f"The {wrong.subject} baseline computes a wrong product at {shape}.") from wrong
        return Timings(_refused(case, _wrong_when_timed(wrong, shape), began), {})
    except WorkerLostError as lost:
        return Timings(_refused(case, _lost_when_timed(lost, shape), began), {})
    found = _measurements(shape, samples, transfers)
    if peak is not None and rubric.interface.type_a == "float32" and found[SUBMISSION].gflops.low > peak:
        return Timings(_refused(case, _impossible(found[SUBMISSION], peak), began), {})
    return Timings(CaseResult(case, Verdict.OK, time.monotonic() - began), found)


def _prepare(
    subjects: Sequence[Subject], workers: Mapping[str, Worker], rubric: Rubric, shape: Shape, seed: int
) -> None:
    """All at once: most of it is drawing numbers, on the host."""
    for one in subjects:
        build = one.artifact.build if one.artifact else None
        workers[one.name].send(Prepare(build, one.launch, shape, rubric.interface, seed))
    for one in subjects:
        if not isinstance(workers[one.name].receive(START_SECONDS), Prepared):
            raise InfrastructureError(f"The {one.name} worker cannot be timed.")


def _take_rounds(
    workers: Mapping[str, Worker], rubric: Rubric, shape: Shape, seed: int, samples: Mapping[str, _Samples]
) -> None:
    """Rounds in which every subject has a turn, another one first each time, until the intervals are narrow enough."""
    pair = freshness.base(shape, rubric.interface, seed)
    names = list(samples)
    began = time.monotonic()
    for number in itertools.count(1):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            _take_turn(name, workers[name], rubric, shape, seed, number, pair, samples[name])
        if _enough(rubric, shape, samples, number, time.monotonic() - began):
            return


def _take_turn(
    name: str, one: Worker, rubric: Rubric, shape: Shape, seed: int, number: int, pair: Inputs, into: _Samples
) -> None:
    timed = one.ask(TimeRound(number), rubric.limits.case_seconds)
    if not isinstance(timed, Timed):
        raise InfrastructureError(f"The {name} worker did not time a round.")
    got = _projections(one.box, timed.launches, shape)
    wrong = _wrong_rows(got, pair, rubric.interface, shape, seed, number)
    if wrong:
        raise _WrongWhenTimedError(name, number, wrong)
    into.seconds.append(timed.seconds / timed.launches)
    into.launches += timed.launches
    into.telemetry = timed.telemetry


def _projections(box: Path, launches: int, shape: Shape) -> NDArray[np.float64]:
    """What a round left, launches x M. A launch without a projection would be one that nobody checked."""
    found = np.fromfile(box / PROJECTIONS, np.float64, max(launches, 0) * shape.M)
    if launches < 1 or found.size != launches * shape.M:
        raise InfrastructureError(f"A round left {found.size} of {launches * shape.M} numbers.", "Is the disk full?")
    return found.reshape(launches, shape.M)


def _wrong_rows(
    got: NDArray[np.float64], pair: Inputs, interface: Interface, shape: Shape, seed: int, number: int
) -> int:
    fresh = freshness.signs(shape, seed, number, got.shape[0])
    x = freshness.vector(shape, seed, number)
    want = freshness.projections(pair, fresh, x, interface.alpha, interface.beta)
    return int(np.count_nonzero(~(got == want)))


def _enough(rubric: Rubric, shape: Shape, samples: Mapping[str, _Samples], rounds: int, elapsed: float) -> bool:
    mine = samples[SUBMISSION].seconds
    found = [timing.gflops(shape, mine)]
    bends = [timing.bends(rubric.criteria, "gflops", shape)]
    for name, kind in ((NAIVE, "speedup"), (LIBRARY, "library-fraction")):
        if name in samples:
            found.append(timing.ratio(samples[name].seconds, mine))
            bends.append(timing.bends(rubric.criteria, kind, shape))
    return timing.enough(found, rounds, elapsed, rubric.timing, bends)


def _measurements(shape: Shape, samples: Mapping[str, _Samples], transfers: float) -> dict[str, Measurement]:
    def against(name: str, mine: Sequence[float]) -> Interval | None:
        return timing.ratio(samples[name].seconds, mine) if name in samples else None

    return {
        name: Measurement(
            shape,
            timing.interval(one.seconds),
            timing.gflops(shape, one.seconds),
            len(one.seconds),
            one.launches,
            speedup=against(NAIVE, one.seconds),
            library_fraction=against(LIBRARY, one.seconds),
            transfer_seconds=transfers if name == SUBMISSION else None,
            telemetry=one.telemetry,
        )
        for name, one in samples.items()
    }


def _transfer_seconds(one: Worker, limits: Limits) -> float:
    answer = one.ask(TimeTransfers(TRANSFERS), TRANSFERS * limits.case_seconds)
    if not isinstance(answer, TimedTransfers):
        raise InfrastructureError("The worker did not time the transfers.")
    return median(answer.seconds)


def _refused(case: Case, fault: Fault, began: float) -> CaseResult:
    return CaseResult(case, fault.verdict, time.monotonic() - began, fault)


def _wrong_when_timed(wrong: _WrongWhenTimedError, shape: Shape) -> Fault:
    return Fault(
        Verdict.WRONG_ANSWER,
        f"Right when it is checked, wrong when it is timed: {wrong.rows} rows of C at {shape} in round {wrong.number}.",
        "Every timed launch has fresh inputs and is checked. A result must not be kept from one launch to the next; "
        "if none is, look for a race between threads or blocks.",
    )


def _lost_when_timed(lost: WorkerLostError, shape: Shape) -> Fault:
    if lost.code is not None and lost.code > 0:
        raise worker_failed(f"timing {shape}", lost)
    verdict = Verdict.TIMEOUT if lost.stopped else Verdict.CRASHED
    return Fault(verdict, f"The kernel ran at {shape} when it was checked and did not come back when it was timed.",
                 "Look for races, and for what an earlier launch leaves behind.")  # fmt: skip


def _not_timed(shape: Shape, lost_at: Shape, seed: int) -> CaseResult:
    fault = Fault(Verdict.SKIPPED, f"Not timed: the kernel was lost while {lost_at} was timed.", "Mend that first.")
    return CaseResult(Case(shape, TIMED, seed), Verdict.SKIPPED, 0.0, fault)


def _impossible(found: Measurement, peak: float) -> Fault:
    return Fault(
        Verdict.IMPOSSIBLE_RATE,
        f"{found.gflops.median:.0f} GFLOPS at {found.shape} is more than the device can do ({peak:.0f}).",
        "No kernel that computes every product in float32 is that fast. Tell your instructor if you think it is.",
    )
