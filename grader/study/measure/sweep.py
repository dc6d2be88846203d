"""The study on one page: kernels x sizes x defines, each compiled, checked and timed beside the baselines like a grade.

    variants ─> compile ─> check ─> time ─> rows

Everything is compiled before anything is timed, so that no compiler runs beside a measurement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import cattrs

from grader.contract.inputs import EXACT, REAL, cases
from grader.errors import InfrastructureError, SubmissionError
from grader.judge.checking import Outcome, Setting, check
from grader.judge.compiling import Artifact, compile_source
from grader.model import Fault, Launch, Machine, Resources, Shape, Verdict
from grader.sandbox.client import Worker
from grader.study.measure import blas, cache_keys, rows
from grader.study.measure.journal import Journal
from grader.study.measure.plan import Plan
from grader.study.measure.records import BLAS, Row
from grader.study.measure.variants import Variant, compile_all
from grader.timing import gpu_lock
from grader.timing.measuring import measure
from grader.timing.rounds import CHECKER, LIBRARY, NAIVE, SUBMISSION, Subject, bench, open_all

# Of a grade's. The simulator runs the threads of a block forward in the first and reversed in the second.
FAMILIES = (EXACT[0], REAL)
NOT_TIMED = Fault(Verdict.SKIPPED, "Not timed: the kernel is not right at another size.", "Fix that first.")


@dataclass(frozen=True, slots=True)
class Point:
    """A variant, or BLAS, at one size with its rows. A `kept` one was measured by an earlier run."""

    name: str
    shape: Shape | None
    rows: tuple[Row, ...]
    kept: bool = False


@dataclass(frozen=True, slots=True)
class _Ready:
    """A compiled variant and what is to be done with it. It is `sound` where no earlier run found a fault in it."""

    variant: Variant
    artifact: Artifact
    launch: Launch
    shapes: tuple[Shape, ...]
    sound: bool


def sweep(plan: Plan, machine: Machine, journal: Journal, tell: Callable[[str], None]) -> Iterator[Point]:
    """Every point of the study, those of an earlier run first. What is yielded is in the journal already.

    `tell` hears what is being done. Raises InfrastructureError.
    """
    todo: dict[str, tuple[Shape, ...]] = {}
    sound: dict[str, bool] = {}
    for one in plan.variants:
        kept = {shape: journal.find(cache_keys.of_point(plan, machine, one, shape)) for shape in plan.shapes}
        points = [_restored(one.name, shape, found) for shape, found in kept.items() if found is not None]
        yield from points
        sound[one.name] = all(row.verdict is Verdict.OK for point in points for row in point.rows)
        todo[one.name] = tuple(shape for shape, found in kept.items() if found is None)
    yield from _blas(plan, journal, tell)
    ready: list[_Ready] = []
    wanted = [one for one in plan.variants if todo[one.name]]
    for number, (one, build) in enumerate(compile_all(wanted, plan.rubric, machine), 1):
        tell(f"compiled {number} of {len(wanted)}: {one.name}")
        if isinstance(build, Fault):
            yield Point(one.name, None, (rows.of_variant(one, fault=build),))
        else:
            launch = build.build.launch or plan.rubric.launch
            ready.append(_Ready(one, build, launch, todo[one.name], sound[one.name]))
    baselines = _baselines(plan, machine) if ready and machine.backend.capabilities.measures_speed else ()
    for one_ready in ready:
        tell(f"measuring {one_ready.variant.name}")
        with gpu_lock.queue(machine) as waits:
            for number, _ in enumerate(waits):
                if not number:
                    tell(gpu_lock.WAITING)
            for point in _measured(plan, machine, one_ready, baselines):
                if point.shape and point.rows[0].verdict is not Verdict.SKIPPED:  # what was skipped is tried next time
                    _keep(journal, cache_keys.of_point(plan, machine, one_ready.variant, point.shape), point)
                yield point


def _measured(plan: Plan, machine: Machine, ready: _Ready, baselines: Sequence[Subject]) -> Iterator[Point]:
    """Check, then time what is right, and where all is, what is only timed. Each variant has processes of its own."""
    subjects = [Subject(SUBMISSION, ready.artifact, ready.launch), *baselines]
    timed = machine.backend.capabilities.measures_speed
    name = ready.variant.name
    names = [CHECKER, *(one.name for one in subjects)] if timed else []
    with bench(names, machine.backend, plan.rubric.limits) as workers:
        open_all(workers)
        ahead, right = plan.ahead(ready.shapes), []
        row = replace(rows.of_variant(ready.variant), launch=ready.launch)
        outcomes = _checked(plan, machine, ready, ahead, workers)
        for shape, of_size in groupby(outcomes, lambda outcome: outcome.result.case.shape):
            fault, resources = _together(list(of_size))
            row = replace(row, resources=resources or row.resources)
            if fault is None and timed:
                right.append(shape)
            else:
                yield Point(name, shape, (replace(rows.judged(row, fault), shape=shape),))
        shapes, untimed = _to_time(ready, ahead, right)
        if timed:
            yield from (Point(name, shape, (replace(rows.judged(row, NOT_TIMED), shape=shape),)) for shape in untimed)
        rubric = replace(plan.rubric, criteria=())  # no knot of a curve of points matters here
        for timings in measure(subjects, workers, rubric, shapes, plan.seed, machine) if shapes else ():
            shape = timings.result.case.shape
            yield Point(name, shape, rows.timed(row, timings, subjects, machine))


def _to_time(ready: _Ready, ahead: Sequence[Shape], right: Sequence[Shape]) -> tuple[list[Shape], list[Shape]]:
    """What is timed: right sizes, and where nothing is wrong, those that were not checked. And what of these is not."""
    late = [shape for shape in ready.shapes if shape not in ahead]
    whole = ready.sound and len(right) == len(ahead)
    shapes = [shape for shape in ready.shapes if shape in right or (whole and shape in late)]
    return shapes, [] if whole else late


def _checked(
    plan: Plan, machine: Machine, ready: _Ready, shapes: Sequence[Shape], workers: Mapping[str, Worker]
) -> Iterator[Outcome]:
    rubric, backend = plan.rubric, machine.backend
    setting = Setting(ready.artifact, ready.launch, rubric.interface, rubric.limits, backend)
    every = cases(tuple(shapes), plan.seed, backend, full=False)
    return check(setting, [case for case in every if case.family in FAMILIES], workers.get(CHECKER))


def _together(outcomes: Sequence[Outcome]) -> tuple[Fault | None, Resources | None]:
    """The first fault at a size, and what the kernel uses."""
    faults = [one.result.fault for one in outcomes if one.result.fault]
    resources = [one.resources for one in outcomes if one.resources]
    return next(iter(faults), None), next(iter(resources), None)


def _baselines(plan: Plan, machine: Machine) -> tuple[Subject, ...]:
    rubric, found = plan.rubric, []
    if plan.naive:
        try:
            built = compile_source(plan.naive, "naive.cu", rubric.interface, rubric.flags, rubric.limits, machine)
        except SubmissionError as error:
            raise InfrastructureError(f"The rubric's naive kernel does not compile: {error.fault.sentence}") from error
        found.append(Subject(NAIVE, built, built.build.launch or rubric.launch))
    if plan.library:
        found.append(Subject(LIBRARY, None, rubric.launch))
    return tuple(found)


def _blas(plan: Plan, journal: Journal, tell: Callable[[str], None]) -> Iterator[Point]:
    """BLAS at every size, while nothing else runs on the processor."""
    dtype = plan.blas_type
    if dtype is None:
        return
    implementation = blas.implementation()
    for shape in plan.shapes:
        key = cache_keys.of_blas(plan, implementation, shape)
        kept = journal.find(key)
        if kept is not None:
            yield _restored(BLAS, shape, kept)
            continue
        tell(f"measuring BLAS at {shape}")
        found = blas.measure(shape, dtype, plan.rubric.timing, plan.seed)
        row = Row(BLAS, "", "", {}, shape, Verdict.OK, measurement=found, implementation=implementation)
        point = Point(BLAS, shape, (row,))
        _keep(journal, key, point)
        yield point


def _keep(journal: Journal, key: str, point: Point) -> None:
    journal.keep(key, [cattrs.unstructure(row) for row in point.rows])


def _restored(name: str, shape: Shape, kept: list[object]) -> Point:
    return Point(name, shape, tuple(cattrs.structure(row, Row) for row in kept), kept=True)
