"""The advice for a graded kernel: what limits it, and the changes that are worth most. Pure."""

from dataclasses import replace

from grader.advice import (
    access_problems,
    devices,
    instruction_problems,
    launch_problems,
    technique_problems,
    tensor_cores,
)
from grader.advice.devices import GPUS, GpuFigures
from grader.advice.elements import FLOAT, elements_of, in_terms_of, named, with_rate
from grader.advice.situation import Problem, Rule, Situation
from grader.advice.work import bounds, tail, waves, work
from grader.model import Advice, AdviceItem, Bound, Counters, Interface, Interval, Launch, Measurement, Report
from grader.rubric.criteria import scaled
from grader.rubric.score import score

MOST_ITEMS = 3
LEAST_DEFECT, LEAST_TECHNIQUE = 1.05, 1.1  # factors: a smaller gain is no advice
LEAST_RELIEF = 1.1  # of the largest bound
CAUTION = 0.2  # the least factor has this share of the gain that the bounds allow
CLOSE = 0.85  # of the device's arithmetic: nothing is left
ENOUGH = 0.4  # of the device's arithmetic: a kernel without a known problem is good
DONE = "These counters show nothing left to improve."
UNKNOWN = "These counters show no problem that the grader knows, but the arithmetic could take less time."
BALANCED = 0.9  # Nsight Compute's section on the speed of light calls a tenth of a difference balanced

# What is wrong comes before what is missing: a technique helps little as long as a defect is there.
DEFECTS: tuple[Rule, ...] = (
    launch_problems.too_small_tile,
    launch_problems.spills,
    instruction_problems.double_precision,
    instruction_problems.divisions,
    access_problems.local_arrays,
    access_problems.atomics,
    access_problems.repeated_access,
    access_problems.uncoalesced,
    access_problems.bank_conflicts,
    access_problems.divergence,
    instruction_problems.needless_barriers,
    instruction_problems.bounds_checks,
    instruction_problems.not_unrolled,
    launch_problems.partial_warps,
    launch_problems.too_few_blocks,
    launch_problems.outside,
)
TECHNIQUES: tuple[Rule, ...] = (
    launch_problems.low_occupancy,
    instruction_problems.scalar_halves,
    tensor_cores.unused,
    technique_problems.no_reuse,
    tensor_cores.fragments_from_global,
    tensor_cores.few_fragments,
    technique_problems.more_results,
    technique_problems.scalar_loads,
    technique_problems.l2_traffic,
    technique_problems.no_overlap,
)


def advice_on(report: Report, device: str = "") -> Advice | None:
    """Return the advice on a graded kernel, for the GPU that timed it or for one of `devices.GPUS`.

    None for a kernel that is not correct, or if its counters, or the figures of the GPU that timed it, are not known.
    """
    elements = elements_of(report.rubric.interface)
    counters = in_terms_of(elements, report.counters) if elements and report.counters else None
    if counters is None or report.build is None or not report.is_correct:
        return None
    here, timed = devices.of_machine(report.machine), report.speeds.get(counters.shape)
    gpu = GPUS[device] if device else here
    if gpu is None and timed:
        return None
    launch, measured = report.build.launch or report.rubric.launch, timed if gpu is here else None
    given = advice(counters, launch, report.rubric.interface, gpu or GPUS[devices.DEFAULT], measured)
    return replace(given, items=tuple(_with_points(item, report) for item in given.items)) if measured else given


def advice(
    counters: Counters, launch: Launch, interface: Interface, gpu: GpuFigures, timed: Measurement | None = None
) -> Advice:
    """Return the limit of a kernel and the changes that are worth most; `counters` are those `in_terms_of` it."""
    elements = elements_of(interface) or FLOAT
    gpu = with_rate(elements, gpu)
    measured = timed.seconds.median * 1e6 if timed else None
    situation = Situation(counters, launch, gpu, work(counters, launch, interface, gpu), measured, elements)
    every = named(elements, bounds(situation.work, gpu))
    units = "tensor cores" if situation.tensor_rate else elements.resource
    arithmetic = next((bound.microseconds for bound in every if bound.resource == units), 0.0)
    items = () if arithmetic > CLOSE * situation.microseconds else tuple(_items(situation))[:MOST_ITEMS]
    ending = DONE if arithmetic > ENOUGH * situation.microseconds else UNKNOWN
    return Advice(
        shape=counters.shape,
        device=gpu.name,
        is_estimate=timed is None,
        microseconds=measured,
        bounds=every,
        explained=every[0].microseconds / measured if measured else None,
        items=items,
        conclusion=_conclusion(situation, every, "" if items else ending),
        waves=waves(situation.work, gpu),
        tail=tail(situation.work, gpu),
    )


def limits(every: tuple[Bound, ...]) -> tuple[Bound, ...]:
    """Return the bounds that limit a kernel about equally: the largest, and those close to it."""
    return tuple(bound for bound in every if bound.microseconds > BALANCED * every[0].microseconds)


def _items(situation: Situation) -> list[AdviceItem]:
    defects = [(problem, _gain(problem, situation)) for rule in DEFECTS if (problem := rule(situation))]
    lacking = [(problem, _gain(problem, situation)) for rule in TECHNIQUES if (problem := rule(situation))]
    defects = sorted((pair for pair in defects if pair[1] > LEAST_DEFECT), key=lambda pair: -pair[1])
    lacking = [pair for pair in lacking if pair[1] > LEAST_TECHNIQUE]
    return [_item(problem, gain, situation) for problem, gain in (*defects, *lacking)]


def _gain(problem: Problem, situation: Situation) -> float:
    """Return the largest factor that solving a problem can bring.

    Where the kernel was timed, what no bound explains may disappear too, but only if the problem is part of the limit
    or makes threads wait.
    """
    before, after = situation.least(situation.work), situation.least(problem.after)
    if before / after < LEAST_RELIEF and not problem.waits:
        return problem.wasted
    return max(problem.wasted, (situation.measured or before) / after)


def _item(problem: Problem, gain: float, situation: Situation) -> AdviceItem:
    """Return the advice with its range. Waiting may remain, so the least factor is a part of what the bounds allow."""
    relief = situation.least(situation.work) / situation.least(problem.after)
    low, high = 1 + CAUTION * (min(gain, max(LEAST_RELIEF, relief)) - 1), gain
    return AdviceItem(problem.name, problem.line, problem.evidence, problem.change, round(low, 2), round(high, 2))


def _conclusion(situation: Situation, every: tuple[Bound, ...], ending: str) -> str:
    """Return the largest bounds as a sentence."""
    at = f"at {situation.counters.shape} on {'an' if situation.gpu.name.startswith('N') else 'a'} {situation.gpu.name}"
    what = f"Of {situation.measured:,.0f} us" if situation.measured else "Estimate"
    least = ", ".join(f"{bound.resource} at least {bound.microseconds:,.0f} us" for bound in every[:3])
    start = f"{what} {at}: {least}."
    alike = " and ".join(bound.resource for bound in limits(every))
    if len(limits(every)) > 1:
        start = f"{start} {alike[:1].upper()}{alike[1:]} limit it about equally."
    return f"{start} {ending}".rstrip()


def _with_points(item: AdviceItem, report: Report) -> AdviceItem:
    """Return the item with the points that its factors would earn, if they held at every timed size."""
    return replace(item, points_low=_gained(report, item.low), points_high=_gained(report, item.high))


def _gained(report: Report, factor: float) -> float:
    faster = tuple(_faster(measurement, factor) for measurement in report.measurements)
    return round(score(replace(report, measurements=faster)).earned - score(report).earned, 1)


def _faster(measurement: Measurement, factor: float) -> Measurement:
    def times(interval: Interval | None) -> Interval | None:
        return scaled(interval, factor) if interval else None

    return replace(
        measurement,
        seconds=scaled(measurement.seconds, 1 / factor),
        gflops=scaled(measurement.gflops, factor),
        speedup=times(measurement.speedup),
        library_fraction=times(measurement.library_fraction),
    )
