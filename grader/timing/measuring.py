"""Measure speeds: the submission, the naive kernel and the library, in turns on the same device."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from statistics import median

from grader.contract import freivalds
from grader.contract.inputs import TIMED
from grader.contract.messages import Checked, TimedTransfers, TimeTransfers, Transfer
from grader.errors import InfrastructureError
from grader.host.gpu_lock import NOBODY_SHARES, GpuLock
from grader.judge.compiling import worker_error
from grader.model import Case, CaseResult, Fault, Interval, Limits, Machine, Measurement, Rubric, Shape, Verdict
from grader.rubric import criteria
from grader.rubric.criteria import QUANTITIES
from grader.sandbox.client import Worker, WorkerLostError
from grader.timing import sizes, statistics
from grader.timing.rounds import FailedWhenTimedError, Samples, WrongWhenTimedError, install, prepare, take_rounds
from grader.timing.shared_baselines import Baselines
from grader.timing.sizes import Size
from grader.timing.subjects import LIBRARY, NAIVE, SUBMISSION, Subject
from grader.timing.value_effect import LEAST_ROUNDS, settled, value_effect, with_families

TRANSFERS = 5


@dataclass(frozen=True, slots=True)
class Timings:
    """One size: the verdict on its timed launches, and without a fault, the measurements of all subjects.

    `product` is one product of the submission with the copies to and from the device.
    """

    result: CaseResult
    measurements: Mapping[str, Measurement]
    product: Transfer | None = None


def measure(
    subjects: Sequence[Subject],
    workers: Mapping[str, Worker],
    rubric: Rubric,
    shapes: Sequence[Shape],
    seed: int,
    machine: Machine,
    kept: Baselines | None = None,
    gpu: GpuLock = NOBODY_SHARES,
) -> Iterator[Timings]:
    """Time every subject at every size, each in a worker of its own.

    With `kept` baselines, the submission is the only subject and is compared with those. Sizes are prepared while
    others use the `gpu`, and timed alone.
    """
    install(subjects, workers)
    with closing(sizes.in_order(shapes, rubric.interface, seed)) as in_order:
        for number, size in enumerate(in_order, start=1):
            timings = _measure_size(subjects, workers, rubric, size, seed, machine, kept, gpu)
            yield timings
            if timings.result.verdict.lost_the_worker:
                yield from (Timings(_not_timed(later, size.shape, seed), {}) for later in shapes[number:])
                return


def _measure_size(
    subjects: Sequence[Subject],
    workers: Mapping[str, Worker],
    rubric: Rubric,
    size: Size,
    seed: int,
    machine: Machine,
    kept: Baselines | None,
    gpu: GpuLock,
) -> Timings:
    began, shape = time.monotonic(), size.shape
    case = Case(shape, TIMED, seed)
    taken = {subject.name: Samples() for subject in subjects}
    below = _kept_samples(kept, shape) if kept else {}
    samples, as_constants = {**taken, **below}, {**taken, **{name: _constant(each) for name, each in below.items()}}

    def enough(rounds: int, elapsed: float) -> bool:
        return _enough(rubric, shape, as_constants, rounds, elapsed, machine)

    try:
        with gpu.shared():
            began = time.monotonic()
            bases = prepare(subjects, workers, rubric, size, seed)
        with gpu.alone() as waits:
            began += _seconds_of(waits)
            take_rounds(workers, rubric, bases, taken, enough)
            product = _product_with_copies(workers[SUBMISSION], rubric.limits)
    except WrongWhenTimedError as wrong:
        if wrong.subject != SUBMISSION:
            raise wrong.as_grader_error() from wrong
        return Timings(_failed(case, _wrong_when_timed(wrong), began), {})
    except FailedWhenTimedError as failed:
        return Timings(_failed(case, _failed_when_timed(failed, shape), began), {})
    except WorkerLostError as lost:
        return Timings(_failed(case, _lost_when_timed(lost, shape), began), {})
    return _timings(case, began, samples, product, rubric, machine)


def _timings(
    case: Case, began: float, samples: Mapping[str, Samples], product: Transfer, rubric: Rubric, machine: Machine
) -> Timings:
    """The measurements of all subjects at a size, unless the submission's speed is impossible."""
    measurements = {name: _measurement(name, case.shape, samples) for name in samples}
    mine = measurements[SUBMISSION] = replace(measurements[SUBMISSION], transfer_seconds=product.total)
    peak = machine.peak_gflops
    by_peak = rubric.interface.type_a == "float32" and rubric.interface.math == "full"  # tensor cores have another
    if peak is not None and by_peak and mine.gflops.low > peak:
        return Timings(_failed(case, _impossible(mine, peak), began), {})
    return Timings(CaseResult(case, Verdict.OK, time.monotonic() - began), measurements, product)


def _seconds_of(waits: Iterator[None]) -> float:
    """Wait to the end, and return how long it took: it is not the submission's time."""
    began = time.monotonic()
    for _ in waits:
        pass
    return time.monotonic() - began


def _enough(
    rubric: Rubric, shape: Shape, samples: Mapping[str, Samples], rounds: int, elapsed: float, machine: Machine
) -> bool:
    """Whether the submission's speeds are known well enough to score them."""
    if rounds < LEAST_ROUNDS * len(freivalds.families(shape)) or not settled(samples, elapsed):
        return False
    measurement = _measurement(SUBMISSION, shape, samples)
    values = {kind: speed.value(measurement, machine, rubric.interface) for kind, speed in QUANTITIES.items()}
    known = {kind: value for kind, value in values.items() if value is not None}
    knots = [criteria.knots(rubric.criteria, kind, shape) for kind in known]
    return statistics.enough(list(known.values()), rounds, elapsed, rubric.timing, knots)


def _measurement(name: str, shape: Shape, samples: Mapping[str, Samples]) -> Measurement:
    """The speed of one subject, with its ratios to the baselines that were timed."""
    effect = value_effect(samples)
    samples = with_families(samples, effect.slower) if effect else samples
    mine = samples[name]
    against = {other: _ratio(samples[other], mine) for other in (NAIVE, LIBRARY) if other in samples}
    return Measurement(
        shape,
        statistics.interval(mine.seconds),
        statistics.gflops(shape, mine.seconds),
        len(mine.seconds),
        mine.launches,
        speedup=against.get(NAIVE),
        library_fraction=against.get(LIBRARY),
        telemetry=mine.telemetry,
        value_effect=effect.ratio if effect and name == SUBMISSION else None,
    )


def _kept_samples(kept: Baselines, shape: Shape) -> dict[str, Samples]:
    rounds = {name: kept.at(name, shape) for name in kept.rounds}
    return {
        name: Samples(list(at.seconds), at.launches, at.telemetry, kept=True, families=list(at.families))
        for name, at in rounds.items()
    }


def _constant(samples: Samples) -> Samples:
    """Only the median: more rounds of the submission do not narrow the interval of a kept baseline."""
    return replace(samples, seconds=[median(samples.seconds)], families=[])


def _ratio(above: Samples, below: Samples) -> Interval:
    """Taken within each round if both were timed in the same rounds."""
    same_rounds = above.kept == below.kept
    return (statistics.ratio if same_rounds else statistics.unpaired_ratio)(above.seconds, below.seconds)


def _product_with_copies(worker: Worker, limits: Limits) -> Transfer:
    """The product with the median total time, of a few."""
    answer = worker.ask(TimeTransfers(TRANSFERS), TRANSFERS * limits.case_seconds)
    if isinstance(answer, Checked) and answer.fault is not None:
        raise FailedWhenTimedError(SUBMISSION, answer.fault)
    if not isinstance(answer, TimedTransfers) or not answer.products:
        raise InfrastructureError("The worker did not time the transfers.")
    return sorted(answer.products, key=lambda product: product.total)[len(answer.products) // 2]


def _failed(case: Case, fault: Fault, began: float) -> CaseResult:
    return CaseResult(case, fault.verdict, time.monotonic() - began, fault)


def _wrong_when_timed(wrong: WrongWhenTimedError) -> Fault:
    return Fault(
        Verdict.WRONG_ANSWER,
        f"Correct when checked, wrong when timed: {wrong.rows} rows of C at {wrong.shape} in round {wrong.number}.",
        "Every timed launch has fresh inputs and is checked. Do not keep results from one launch to the next; "
        "if you do not, look for a race between threads or blocks.",
    )


def _failed_when_timed(failed: FailedWhenTimedError, shape: Shape) -> Fault:
    fault = failed.fault
    sentence = f"Correct when checked, failed when timed at {shape}: {fault.sentence}"
    return replace(fault, sentence=sentence)


def _lost_when_timed(lost: WorkerLostError, shape: Shape) -> Fault:
    if lost.code is not None and lost.code > 0:
        raise worker_error(f"timing {shape}", lost)
    verdict = Verdict.TIMEOUT if lost.stopped else Verdict.CRASHED
    return Fault(verdict, f"The kernel finished {shape} when it was checked, but not when it was timed.",
                 "Look for races, and for memory that an earlier launch left changed.")  # fmt: skip


def _not_timed(shape: Shape, lost_at: Shape, seed: int) -> CaseResult:
    fault = Fault(
        Verdict.SKIPPED, f"Not timed: the kernel did not finish {lost_at} when it was timed.", "Fix that first."
    )
    return CaseResult(Case(shape, TIMED, seed), Verdict.SKIPPED, 0.0, fault)


def _impossible(measurement: Measurement, peak: float) -> Fault:
    return Fault(
        Verdict.IMPOSSIBLE_RATE,
        f"{measurement.gflops.median:,.0f} GFLOPS at {measurement.shape} is more than the device can do ({peak:,.0f}).",
        "No kernel that computes every product in float32 is that fast. If you think yours is, tell your instructor.",
    )
