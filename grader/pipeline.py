"""The grader on one page: a submission and a rubric in, a report out.

    submission ─> compile ─> check ─> time ─> score ─> report

Student code runs in workers only (sandbox.py); everything here trusts data, never words, that come back from there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime

import grader
from grader.contract.inputs import cases
from grader.errors import InfrastructureError, SubmissionError
from grader.judge import submission
from grader.judge.checking import Setting, check
from grader.judge.compiling import Artifact, compile_source
from grader.judge.explain import with_races
from grader.judge.plan import Plan
from grader.model import Backend, Launch, Machine, Report, Shape, State, Verdict
from grader.rubric.score import score
from grader.sandbox.client import Worker
from grader.timing import gpu_lock
from grader.timing.measuring import Timings, measure
from grader.timing.references import Compiled, comparison, compiled_ahead
from grader.timing.rounds import CHECKER, LIBRARY, NAIVE, SUBMISSION, Subject, bench, open_all

Tell = Callable[[Report, str], None]


def grade(plan: Plan, machine: Machine, tell: Tell) -> Report:
    """Grade one submission. `tell` hears of every step, with the report as far as it is, before the step is taken.

    Raises UsageError for a file that cannot be read. A fault of ours ends the report; it is in it, and costs no points.
    """
    return grade_content(plan, submission.read(plan.path), machine, tell)


def grade_content(plan: Plan, content: bytes, machine: Machine, tell: Tell) -> Report:
    """`grade` for a submission that was read already: of the plan's path only the name counts."""
    report = _begin(plan, machine, content)
    tell(report, "")
    try:
        with closing(_steps(plan, report, content)) as steps:
            for step, latest in steps:
                report = latest
                tell(report, step)
        return replace(report, state=State.FINISHED, score=score(report))
    except InfrastructureError as error:
        return _not_finished(report, error.sentence, error.hint)
    except OSError as error:  # with files of ours: the disk is full, there are too many processes
        return _not_finished(report, f"The machine failed: {error}.", "Is the disk full? TMPDIR names another folder.")


def not_graded(plan: Plan, content: bytes, machine: Machine, error: InfrastructureError) -> Report:
    """The report on a submission that no machine could begin with, through a fault of ours."""
    return _not_finished(_begin(plan, machine, content), error.sentence, error.hint)


def _not_finished(report: Report, sentence: str, hint: str) -> Report:
    return replace(report, state=State.INFRASTRUCTURE_FAULT, infrastructure=f"{sentence} {hint}".strip())


def _steps(plan: Plan, report: Report, content: bytes) -> Generator[tuple[str, Report]]:
    """The report after every step, with the name of the step that it belongs to."""
    with gpu_lock.queue(report.machine) as waits:
        for _ in waits:
            yield gpu_lock.WAITING, report
        yield from _steps_in_turn(plan, report, content)


def _steps_in_turn(plan: Plan, report: Report, content: bytes) -> Iterator[tuple[str, Report]]:
    lent = {LIBRARY: plan.library} if plan.library else {}
    backend = report.machine.backend
    with bench(_workers_ahead(plan, backend), backend, plan.rubric.limits, plan.start, lent) as workers:
        try:
            with _clock() as spent:
                artifact = _compile(plan, report.machine, content)
        except SubmissionError as error:
            yield "compiling", replace(report, fault=error.fault)
            return
        report = replace(report, build=artifact.build, stages={"compile": spent()})
        yield "compiling", report
        launch = artifact.build.launch or plan.rubric.launch
        with compiled_ahead(plan, report.machine, launch, workers) as baselines:
            for checked in _check(plan, report, artifact, launch, workers):
                report = checked
                yield "checking", report
            if SUBMISSION in workers:
                for measured in _time(plan, report, Subject(SUBMISSION, artifact, launch), workers, baselines):
                    yield "timing", measured


def _compile(plan: Plan, machine: Machine, content: bytes) -> Artifact:
    if fault := submission.fault(content):
        raise SubmissionError(fault)
    rubric = plan.rubric
    name = submission.file_name(plan.path.name)
    return compile_source(content, name, rubric.interface, rubric.flags, rubric.limits, machine, plan.start)


def _check(
    plan: Plan, report: Report, artifact: Artifact, launch: Launch, workers: Mapping[str, Worker]
) -> Iterator[Report]:
    rubric, backend = plan.rubric, report.machine.backend
    setting = Setting(artifact, launch, rubric.interface, rubric.limits, backend, plan.start)
    todo = list(cases(plan.sizes, plan.seed, backend, full=plan.full))
    with _clock() as spent:
        open_all(workers)
        for outcome in check(setting, todo, workers.get(CHECKER), workers.get(LIBRARY)):
            build = report.build
            if build is not None and outcome.resources is not None:
                build = replace(build, resources=outcome.resources)
            report = replace(report, build=build, results=(*report.results, outcome.result))
            yield replace(report, results=with_races(report.results), stages={**report.stages, "check": spent()})


def _time(
    plan: Plan, report: Report, mine: Subject, workers: Mapping[str, Worker], baselines: Compiled
) -> Iterator[Report]:
    """Times the sizes that are right; a wrong kernel's speed says nothing."""
    right = [shape for shape in plan.rubric.timed_sizes if _is_right(report, shape)]
    if not right:
        return
    with _clock() as spent:
        others, kept, shared = comparison(plan, report.machine, baselines, workers)
        report = replace(report, shared_baselines=shared)
        for timings in measure((mine, *others), workers, plan.rubric, right, plan.seed, report.machine, kept):
            report = _with_timings(report, timings)
            yield replace(report, stages={**report.stages, "time": spent()})


def _with_timings(report: Report, timings: Timings) -> Report:
    found = {name: (one,) for name, one in timings.measurements.items()}
    mine = found.pop(SUBMISSION, ())
    others = {name: report.baselines.get(name, ()) + one for name, one in found.items()}
    return replace(
        report,
        results=(*report.results, timings.result),
        measurements=report.measurements + mine,
        baselines={**report.baselines, **others},
    )


def _workers_ahead(plan: Plan, backend: Backend) -> tuple[str, ...]:
    """The workers for timing, and for checking where they take long to load: they start while the compiler is busy."""
    can = backend.capabilities
    checker = (CHECKER,) if can.starts_ahead else ()
    if not (plan.timed and can.measures_speed):
        return checker
    naive = (NAIVE,) if plan.rubric.naive and not plan.shares else ()
    return (*checker, SUBMISSION, *naive, *((LIBRARY,) if plan.rubric.library else ()))


def _is_right(report: Report, shape: Shape) -> bool:
    """Whether every answer at the size is right; at a size that is only timed, whether every answer at all is."""
    only_timed = shape not in report.rubric.sizes
    mine = [one.verdict for one in report.results if only_timed or one.case.shape == shape]
    return bool(mine) and all(verdict is Verdict.OK for verdict in mine)


def _begin(plan: Plan, machine: Machine, content: bytes) -> Report:
    return Report(
        state=State.RUNNING,
        grader_version=grader.__version__,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        seed=plan.seed,
        source=submission.describe(plan.path, content),
        rubric=plan.rubric,
        machine=machine,
    )


@contextmanager
def _clock() -> Iterator[Callable[[], float]]:
    """Seconds since it was started."""
    began = time.monotonic()
    yield lambda: time.monotonic() - began
