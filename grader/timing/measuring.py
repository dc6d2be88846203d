"""Time the submission, the naive kernel and the library, in turns on the same device."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import TypeVar

from grader.contract.inputs import TIMED
from grader.contract.timing_messages import TimedTransfers, TimeTransfers, Transfer
from grader.explain import timed_launches
from grader.explain.answers import Asked
from grader.explain.timed_launches import not_timed
from grader.judge.conditions import Conditions
from grader.judge.stages import Subject
from grader.judge.worker_pool import SUBMISSION
from grader.model import Case, CaseResult, Fault, Measurement, Shape, Verdict
from grader.sandbox.client import Worker
from grader.timing import projecting, statistics
from grader.timing.projecting import Size, Verifications, verification_threads
from grader.timing.rounds import (
    FailedWhenTimedError,
    Samples,
    error_of_answer,
    install,
    loss_explained,
    prepare,
    take_rounds,
)
from grader.timing.shared_baselines import Baselines
from grader.timing.statistics import as_constant, kept_samples, measurement_of

TRANSFERS = 5

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Timings:
    """The verdict on the timed launches at one size, and the measurements of each subject, empty after a fault.

    `product` is one product by the submission, with the copies to and from the device.
    """

    result: CaseResult
    measurements: Mapping[str, Measurement]
    product: Transfer | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """The rounds of all subjects at a size, a product with copies, and the seconds of both less waits for the GPU."""

    samples: Mapping[str, Samples]
    product: Transfer
    seconds: float


Finish = Callable[[], Timings]  # waits for the verification of a size's outputs


@dataclass(frozen=True, slots=True)
class Measuring:
    """The subjects to time and the worker of each by name.

    With cached baselines (`kept`), the submission is the only subject.
    """

    conditions: Conditions
    subjects: Sequence[Subject]
    workers: Mapping[str, Worker]
    kept: Baselines | None = None

    def case(self, shape: Shape) -> Case:
        return Case(shape, TIMED, self.conditions.seed)


def measure(measuring: Measuring, shapes: Sequence[Shape]) -> Iterator[Timings]:
    """Time every subject at every size, each in its worker: in turns, or the submission against cached baselines.

    The preparation of a size shares the GPU with other grades; the timing has it alone. A size is yielded after the
    next one is timed: meanwhile, the last outputs of the first are verified.
    """
    for subject in measuring.subjects:
        measuring.workers[subject.name].open_beside(measuring.conditions.gpu)
    install(measuring.subjects, measuring.workers)
    timed = 0
    in_order = projecting.sizes(shapes, measuring.conditions.rubric.interface, measuring.conditions.seed)
    with closing(in_order), verification_threads() as threads:
        for timings in _one_behind(_time(measuring, size, Verifications(threads)) for size in in_order):
            yield timings
            timed += 1
            if timings.result.verdict.lost_the_worker:
                lost_at = timings.result.case.shape
                yield from (_failed(measuring.case(later), not_timed(lost_at), 0.0) for later in shapes[timed:])
                return


def _one_behind(timed: Iterable[Finish]) -> Iterator[Timings]:
    """Yield each size after the next one has been timed."""
    for finish, _ in pairwise(chain(timed, [None])):
        if finish:
            yield finish()


def _time(measuring: Measuring, size: Size, verifications: Verifications) -> Finish:
    """Time one size. The function returned waits for the verification of the outputs, and returns the result."""
    case = measuring.case(size.shape)
    taken = _or_fault(case, lambda: _prepare_and_time(measuring, size, verifications))
    if isinstance(taken, Timings):
        return lambda: taken

    def timings() -> Timings:
        verifications.finish()
        return _timings(case, taken, measuring)

    return lambda: _or_fault(case, timings)


def _prepare_and_time(measuring: Measuring, size: Size, verifications: Verifications) -> Taken:
    """Prepare one size on the shared GPU, and time it with the GPU alone. Raises the errors of `take_rounds`."""
    conditions, workers = measuring.conditions, measuring.workers
    rubric, machine = conditions.rubric, conditions.machine
    spent = prepare(measuring.subjects, workers, conditions, size)
    taken = {subject.name: Samples() for subject in measuring.subjects}
    below = kept_samples(measuring.kept, size.shape) if measuring.kept else {}
    as_constants = {**taken, **{name: as_constant(each) for name, each in below.items()}}

    def enough(rounds: int, elapsed: float) -> bool:
        return statistics.precise_enough(rubric, size.shape, as_constants, rounds, elapsed, machine)

    with conditions.gpu.alone():
        began = time.monotonic() - spent
        take_rounds(workers, rubric, size, taken, enough, verifications)
        asked = Asked(rubric.interface, size.shape, rubric.limits)
        product = _product_with_copies(workers[SUBMISSION], asked)
        return Taken({**taken, **below}, product, time.monotonic() - began)


def _or_fault(case: Case, measured: Callable[[], T]) -> T | Timings:
    """Call the function, and turn a fault of the submission that it raises into a result."""
    began = time.monotonic()
    try:
        return measured()
    except FailedWhenTimedError as failed:
        return _failed(case, failed.fault, time.monotonic() - began)


def _timings(case: Case, taken: Taken, measuring: Measuring) -> Timings:
    """Return the measurements of all subjects at a size, or a fault if the submission exceeds the device's peak."""
    rubric, machine = measuring.conditions.rubric, measuring.conditions.machine
    samples, product, seconds = taken.samples, taken.product, taken.seconds
    measurements = {name: measurement_of(name, case.shape, samples) for name in samples}
    mine = measurements[SUBMISSION] = replace(measurements[SUBMISSION], transfer_seconds=product.total)
    peak = machine.peak_gflops
    by_peak = rubric.interface.type_a == "float32" and rubric.interface.math == "full"  # not tensor cores
    if peak is not None and by_peak and mine.gflops.low > peak:
        return _failed(case, timed_launches.faster_than_the_device(mine, peak), seconds)
    return Timings(CaseResult(case, Verdict.OK, seconds), measurements, product)


def _product_with_copies(worker: Worker, asked: Asked) -> Transfer:
    """Time a few products with their copies, and return the one with the median total time."""
    with loss_explained(SUBMISSION, asked.shape):
        answer = worker.ask(TimeTransfers(TRANSFERS), TRANSFERS * asked.limits.case_seconds)
    if not isinstance(answer, TimedTransfers) or not answer.products:
        raise error_of_answer(SUBMISSION, answer, "did not time the transfers", asked)
    return sorted(answer.products, key=lambda product: product.total)[len(answer.products) // 2]


def _failed(case: Case, fault: Fault, seconds: float) -> Timings:
    return Timings(CaseResult(case, fault.verdict, seconds, fault), {})
