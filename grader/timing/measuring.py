"""Measure speeds: the submission, the naive kernel and the library, in turns on the same device."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TypeVar

from grader.contract.inputs import TIMED
from grader.contract.messages import Checked
from grader.contract.timing_messages import TimedTransfers, TimeTransfers, Transfer
from grader.errors import InfrastructureError
from grader.host.gpu_lock import NOBODY_SHARES, GpuLock
from grader.model import Case, CaseResult, Fault, Limits, Machine, Measurement, Rubric, Shape, Verdict
from grader.sandbox.client import Worker, WorkerLostError
from grader.timing import sizes, speeds
from grader.timing.rounds import (
    FailedWhenTimedError,
    Samples,
    WrongWhenTimedError,
    install,
    prepare,
    take_rounds,
    warm_up,
)
from grader.timing.shared_baselines import Baselines
from grader.timing.sizes import Size
from grader.timing.speeds import as_constant, kept_samples, measurement_of
from grader.timing.subjects import SUBMISSION, Subject
from grader.timing.timing_faults import (
    failed_case,
    failed_when_timed,
    impossible,
    lost_when_timed,
    wrong_when_timed,
)
from grader.timing.verifying import Verifying, verifiers

TRANSFERS = 5
ROOM = 1 << 30  # bytes of the device, of each subject

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Timings:
    """One size: the verdict on its timed launches, and without a fault, the measurements of all subjects.

    `product` is one product of the submission with the copies to and from the device.
    """

    result: CaseResult
    measurements: Mapping[str, Measurement]
    product: Transfer | None = None


@dataclass(frozen=True, slots=True)
class Measuring:
    """What is timed with what: the subjects in their workers, by the rules of a lab.

    With `kept` baselines, the submission is the only subject and is compared with those.
    """

    subjects: Sequence[Subject]
    workers: Mapping[str, Worker]
    rubric: Rubric
    seed: int
    machine: Machine
    kept: Baselines | None = None

    def case(self, shape: Shape) -> Case:
        return Case(shape, TIMED, self.seed)


def measure(
    measuring: Measuring, shapes: Sequence[Shape], gpu: GpuLock = NOBODY_SHARES, room: int = ROOM
) -> Iterator[Timings]:
    """Time every subject at every size, each in a worker of its own.

    Sizes that fit into `room` bytes of the device are prepared while others use the `gpu`, and then timed alone. A size
    is yielded while the next one is timed, when its outputs are verified.
    """
    install(measuring.subjects, measuring.workers)
    timed = 0
    in_groups = sizes.in_groups(shapes, measuring.rubric.interface, measuring.seed, room)
    with closing(in_groups) as groups, verifiers() as threads:
        for group in groups:
            for timings in _measure_group(measuring, group, gpu, threads):
                yield timings
                timed += 1
                if timings.result.verdict.lost_the_worker:
                    lost_at = timings.result.case.shape
                    yield from (_not_timed(measuring.case(later), lost_at) for later in shapes[timed:])
                    return


def _measure_group(measuring: Measuring, group: Sequence[Size], gpu: GpuLock, threads: Executor) -> Iterator[Timings]:
    """Prepare some sizes together, then time one after the other."""
    with gpu.shared():
        prepared = [_prepared(measuring, size, keeping=number > 0) for number, size in enumerate(group)]
    with gpu.alone() as waits:
        for _ in waits:
            pass
        last: Callable[[], Timings] | None = None
        for each in prepared:
            timed = _time(measuring, each, Verifying(threads))
            if last:
                yield last()
            last = timed
    if last:
        yield last()


def _prepared(measuring: Measuring, size: Size, *, keeping: bool) -> Size | Timings:
    """The size with its matrices ready, or the fault that prevented it."""
    lab = measuring.subjects, measuring.workers, measuring.rubric

    def ready() -> Size:
        prepare(*lab, size, measuring.seed, keeping=keeping)
        return size

    return _or_fault(measuring.case(size.shape), ready)


def _time(measuring: Measuring, prepared: Size | Timings, verifying: Verifying) -> Callable[[], Timings]:
    """Time one size, and return what waits for the verification of its outputs."""
    if isinstance(prepared, Timings):
        return lambda: prepared
    case, began = measuring.case(prepared.shape), time.monotonic()
    taken = _or_fault(case, lambda: _take(measuring, prepared, verifying))
    if isinstance(taken, Timings):
        return lambda: taken
    samples, product = taken
    seconds = time.monotonic() - began

    def verified() -> Timings:
        verifying.finish()
        return _timings(case, seconds, samples, product, measuring)

    return lambda: _or_fault(case, verified)


def _take(measuring: Measuring, size: Size, verifying: Verifying) -> tuple[dict[str, Samples], Transfer]:
    """Take the rounds of one size. Raises as `take_rounds` does."""
    subjects, workers, rubric = measuring.subjects, measuring.workers, measuring.rubric
    taken = {subject.name: Samples() for subject in subjects}
    below = kept_samples(measuring.kept, size.shape) if measuring.kept else {}
    as_constants = {**taken, **{name: as_constant(each) for name, each in below.items()}}

    def enough(rounds: int, elapsed: float) -> bool:
        return speeds.enough(rubric, size.shape, as_constants, rounds, elapsed, measuring.machine)

    warm_up(subjects, workers, rubric, size.shape)
    take_rounds(workers, rubric, size, measuring.seed, taken, enough, verifying)
    return {**taken, **below}, _product_with_copies(workers[SUBMISSION], rubric.limits)


def _or_fault(case: Case, measured: Callable[[], T]) -> T | Timings:
    """What the function returns, or the fault of the submission that it raises."""
    began = time.monotonic()
    try:
        return measured()
    except WrongWhenTimedError as wrong:
        if wrong.subject != SUBMISSION:
            raise wrong.as_grader_error() from wrong
        fault = wrong_when_timed(wrong)
    except FailedWhenTimedError as failed:
        fault = failed_when_timed(failed, case.shape)
    except WorkerLostError as lost:
        fault = lost_when_timed(lost, case.shape)
    return Timings(failed_case(case, fault, time.monotonic() - began), {})


def _timings(
    case: Case, seconds: float, samples: Mapping[str, Samples], product: Transfer, measuring: Measuring
) -> Timings:
    """The measurements of all subjects at a size, unless the submission's speed is impossible."""
    rubric, machine = measuring.rubric, measuring.machine
    measurements = {name: measurement_of(name, case.shape, samples) for name in samples}
    mine = measurements[SUBMISSION] = replace(measurements[SUBMISSION], transfer_seconds=product.total)
    peak = machine.peak_gflops
    by_peak = rubric.interface.type_a == "float32" and rubric.interface.math == "full"  # tensor cores have another
    if peak is not None and by_peak and mine.gflops.low > peak:
        return Timings(failed_case(case, impossible(mine, peak), seconds), {})
    return Timings(CaseResult(case, Verdict.OK, seconds), measurements, product)


def _product_with_copies(worker: Worker, limits: Limits) -> Transfer:
    """The product with the median total time, of a few."""
    answer = worker.ask(TimeTransfers(TRANSFERS), TRANSFERS * limits.case_seconds)
    if isinstance(answer, Checked) and answer.fault is not None:
        raise FailedWhenTimedError(SUBMISSION, answer.fault)
    if not isinstance(answer, TimedTransfers) or not answer.products:
        raise InfrastructureError("The worker did not time the transfers.")
    return sorted(answer.products, key=lambda product: product.total)[len(answer.products) // 2]


def _not_timed(case: Case, lost_at: Shape) -> Timings:
    sentence = f"Not timed: the kernel did not finish {lost_at} when it was timed."
    return Timings(failed_case(case, Fault(Verdict.SKIPPED, sentence, "Fix that first."), 0.0), {})
