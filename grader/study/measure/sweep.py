"""The sweep on one page: kernels x sizes x macros, each compiled, checked and timed with the baselines like a grade.

    variants ─> compile ─> check ─> time ─> rows

Everything is compiled before anything is timed, so that no compiler runs during a measurement.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path

import cattrs

from grader.contract.inputs import RUNS
from grader.explain.own_lines import fault_in_own_lines
from grader.explain.timed_launches import wrong_elsewhere
from grader.host import gpu_lock
from grader.judge import submission
from grader.judge.cases import cases
from grader.judge.conditions import Conditions
from grader.judge.stages import CompiledKernel, Subject, check_kernel, compile_baselines
from grader.judge.worker_pool import LIBRARY, worker_pool, workers_to_time
from grader.model import Fault, Machine, Resources, Shape, Verdict
from grader.sandbox.client import Worker
from grader.study.measure import blas, records
from grader.study.measure.journal import Journal, key_of_blas, key_of_point
from grader.study.measure.planning import StudyPlan
from grader.study.measure.records import BLAS, Row
from grader.study.measure.variants import Variant, compile_all
from grader.timing.measuring import Measuring, measure


@dataclass(frozen=True, slots=True)
class Point:
    """A variant, or BLAS, at one size with its rows. A `kept` point was measured by an earlier run."""

    name: str
    shape: Shape | None
    rows: tuple[Row, ...]
    kept: bool = False


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A compiled variant, and the sizes that are still to be measured.

    `sound` says that no earlier run found a fault in it.
    """

    variant: Variant
    kernel: CompiledKernel
    shapes: tuple[Shape, ...]
    sound: bool


def sweep(plan: StudyPlan, machine: Machine, journal: Journal, on_progress: Callable[[str], None]) -> Iterator[Point]:
    """Yield every point of the study, those of an earlier run first; each is in the journal before it is yielded.

    `on_progress` is called with what is being done. Raises InfrastructureError.
    """
    conditions = Conditions(plan.rubric, machine, plan.seed)
    kept = {variant.name: _kept(plan, machine, variant, journal) for variant in plan.variants}
    for points in kept.values():
        yield from points
    yield from _blas(plan, journal, on_progress)
    compiled = yield from _compile(plan, conditions, kept, on_progress)
    timed = compiled and machine.backend.capabilities.measures_speed
    library, launch = plan.library, plan.rubric.launch
    baselines = compile_baselines(conditions, plan.naive, launch, library=library) if timed else ()
    for each in compiled:
        on_progress(f"measuring {each.variant.name}")
        with gpu_lock.of(machine).alone(partial(on_progress, gpu_lock.WAITING)):
            for point in _measured(plan, conditions, each, baselines):
                if point.shape and point.rows[0].verdict is not Verdict.SKIPPED:  # the next run tries skipped sizes
                    _keep(journal, key_of_point(plan, machine, each.variant, point.shape), point)
                yield point


def _compile(
    plan: StudyPlan, conditions: Conditions, kept: Mapping[str, Sequence[Point]], on_progress: Callable[[str], None]
) -> Generator[Point, None, list[_Compiled]]:
    """Compile the variants that are not completely measured: yield those that do not compile, return the others."""
    compiled: list[_Compiled] = []
    missing = {name: _missing(plan.shapes, points) for name, points in kept.items()}
    wanted = [variant for variant in plan.variants if missing[variant.name]]
    for number, (variant, kernel) in enumerate(compile_all(conditions, wanted), 1):
        on_progress(f"compiled {number} of {len(wanted)}: {variant.name}")
        if isinstance(kernel, Fault):
            yield Point(variant.name, None, (records.row_of_variant(variant, _in_own_lines(kernel, variant)),))
        else:
            sound = all(row.verdict is Verdict.OK for point in kept[variant.name] for row in point.rows)
            compiled.append(_Compiled(variant, kernel, missing[variant.name], sound))
    return compiled


def _kept(plan: StudyPlan, machine: Machine, variant: Variant, journal: Journal) -> list[Point]:
    """The points of a variant that an earlier run measured."""
    kept = {shape: journal.find(key_of_point(plan, machine, variant, shape)) for shape in plan.shapes}
    return [_restored(variant.name, shape, value) for shape, value in kept.items() if value is not None]


def _missing(shapes: Sequence[Shape], points: Sequence[Point]) -> tuple[Shape, ...]:
    known = {point.shape for point in points}
    return tuple(shape for shape in shapes if shape not in known)


def _measured(
    plan: StudyPlan, conditions: Conditions, compiled: _Compiled, baselines: Sequence[Subject]
) -> Iterator[Point]:
    """Check, then time the correct sizes, and if all are correct, those that are only timed.

    Each variant has workers of its own.
    """
    timed = conditions.backend.capabilities.measures_speed
    subjects = (compiled.kernel, *baselines)
    row = replace(records.row_of_variant(compiled.variant), launch=compiled.kernel.launch)
    ahead, correct = plan.ahead(compiled.shapes), list[Shape]()
    with worker_pool([subject.name for subject in subjects] if timed else [], conditions) as workers:
        for shape, fault, resources in _checked(conditions, compiled, ahead, workers):
            row = replace(row, resources=resources or row.resources)
            if fault is None and timed:
                correct.append(shape)
            else:
                yield _point(row, shape, fault)
        if not timed:
            return
        shapes, left_out = _to_time(compiled, ahead, correct)
        yield from (_point(row, shape, wrong_elsewhere()) for shape in left_out)
        if not shapes:
            return
        without_criteria = replace(conditions, rubric=replace(plan.rubric, criteria=()))  # no knot of a curve matters
        with workers_to_time(workers, conditions, all_correct=len(correct) == len(ahead)) as to_time:
            for timings in measure(Measuring(without_criteria, subjects, to_time), shapes):
                rows = records.timed_rows(row, timings, subjects, conditions.machine)
                yield Point(row.variant, timings.result.case.shape, rows)


def _checked(
    conditions: Conditions, compiled: _Compiled, shapes: tuple[Shape, ...], workers: Mapping[str, Worker]
) -> Iterator[tuple[Shape, Fault | None, Resources | None]]:
    """Check the kernel, and yield each size with its first fault and what the kernel uses."""
    every = cases(shapes, conditions.seed, conditions.backend)
    # A sweep reports no accuracy, so the library need not compute each product too.
    beside = {name: worker for name, worker in workers.items() if name != LIBRARY}
    checked = check_kernel(conditions, compiled.kernel, [case for case in every if case.run in RUNS], beside)
    for shape, group in groupby(checked, lambda checked: checked.result.case.shape):
        of_size = list(group)
        fault = next((case.result.fault for case in of_size if case.result.fault), None)
        resources = next((case.resources for case in of_size if case.resources), None)
        yield shape, _in_own_lines(fault, compiled.variant), resources


def _point(row: Row, shape: Shape, fault: Fault | None) -> Point:
    return Point(row.variant, shape, (replace(records.judged(row, fault), shape=shape),))


def _in_own_lines(fault: Fault | None, variant: Variant) -> Fault | None:
    return fault_in_own_lines(fault, submission.describe(Path(variant.file), variant.content, ""))


def _to_time(compiled: _Compiled, ahead: Sequence[Shape], correct: Sequence[Shape]) -> tuple[list[Shape], list[Shape]]:
    """The sizes to time: the correct ones, and if nothing is wrong, the unchecked ones; and the sizes left out."""
    unchecked = [shape for shape in compiled.shapes if shape not in ahead]
    sound = compiled.sound and len(correct) == len(ahead)
    shapes = [shape for shape in compiled.shapes if shape in correct or (sound and shape in unchecked)]
    return shapes, [] if sound else unchecked


def _blas(plan: StudyPlan, journal: Journal, on_progress: Callable[[str], None]) -> Iterator[Point]:
    """BLAS at every size, while nothing else runs on the processor."""
    dtype = plan.blas_type
    if dtype is None:
        return
    implementation = blas.implementation()
    for shape in plan.shapes:
        key = key_of_blas(plan, implementation, shape)
        kept = journal.find(key)
        if kept is not None:
            yield _restored(BLAS, shape, kept)
            continue
        on_progress(f"measuring BLAS at {shape}")
        measurement = blas.measure(shape, dtype, plan.rubric.timing, plan.seed)
        row = Row(BLAS, "", "", {}, shape, Verdict.OK, measurement=measurement, implementation=implementation)
        point = Point(BLAS, shape, (row,))
        _keep(journal, key, point)
        yield point


def _keep(journal: Journal, key: str, point: Point) -> None:
    journal.keep(key, [cattrs.unstructure(row) for row in point.rows])


def _restored(name: str, shape: Shape, kept: list[object]) -> Point:
    return Point(name, shape, tuple(cattrs.structure(row, Row) for row in kept), kept=True)
