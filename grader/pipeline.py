"""The grader on one page: a submission and a rubric in, a report out.

    submission ─> compile ─> check ─> time ─> score ─> report

Student code runs in workers only (sandbox/). They return data, never verdicts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime

import grader
from grader.advice.advise import advised
from grader.advice.counting import Count, counting, is_right
from grader.advice.profiling import profiled, profiled_shape
from grader.errors import InfrastructureError, SubmissionError, refusal
from grader.explain.several_cases import explained_cases
from grader.explain.wrong_elements.uses import NOTHING
from grader.host import gpu_lock, timeline
from grader.judge import submission
from grader.judge.expected_ahead import expecting
from grader.judge.grade_plan import GradePlan
from grader.model import Case, Machine, Report, Shape, State, Verdict
from grader.rubric.score import score
from grader.rubric.visible import without_hidden_results, without_hidden_sizes
from grader.sandbox.client import Worker
from grader.timing.baselines import Compiled, comparison, compiled_ahead, known_comparison
from grader.timing.measuring import Timings
from grader.timing.stages import Conditions, check_kernel, compile_kernel, time_kernel
from grader.timing.subjects import CHECKER, LIBRARY, SUBMISSION, TRACER, Subject
from grader.timing.worker_pool import worker_pool, workers_ahead

OnProgress = Callable[[Report, str], None]
COUNTING, COMPLETE = "counting", "complete"


def grade(plan: GradePlan, machine: Machine, on_progress: OnProgress) -> Report:
    """Grade one submission. `on_progress` is called with the report so far and the name of the step after each step.

    Raises UsageError for a file that cannot be read. A grader error ends the report, is in it, and costs no points.
    """
    return grade_content(plan, submission.read(plan.path), machine, on_progress)


def grade_content(plan: GradePlan, content: bytes, machine: Machine, on_progress: OnProgress) -> Report:
    """`grade` for a submission that was already read; of the plan's path, only the name is used.

    The report of the step `COMPLETE` is the one that is returned, but for an error while the workers end.
    """
    report = complete = _begin(plan, machine, content)
    on_progress(report, "")
    try:
        with closing(_steps(plan, report, content)) as steps:
            for step, latest in steps:
                on_progress(latest, step)
                if step == COMPLETE:
                    complete = latest
                else:
                    report = latest
    except (InfrastructureError, OSError, MemoryError, RuntimeError) as error:
        if (failed := refusal(error)) is None:
            raise
        return _not_finished(report, failed)
    return complete


def not_graded(plan: GradePlan, content: bytes, machine: Machine, error: InfrastructureError) -> Report:
    """The report on a submission whose grading could not begin because of a grader error."""
    return _not_finished(_begin(plan, machine, content), error)


def _not_finished(report: Report, error: InfrastructureError) -> Report:
    return replace(report, state=State.INFRASTRUCTURE_FAULT, infrastructure=f"{error.sentence} {error.hint}".strip())


def _steps(plan: GradePlan, report: Report, content: bytes) -> Generator[tuple[str, Report]]:
    """Yield the name of every step, with the report after it; the complete report before the workers end."""
    gpu, backend = gpu_lock.of(report.machine), report.machine.backend
    for _ in gpu.until_shared():
        yield gpu_lock.WAITING, report
    ready = {LIBRARY: plan.library} if plan.library else {}
    pool = worker_pool(workers_ahead(plan, backend), backend, plan.rubric.limits, plan.start, ready, gpu)
    with pool as workers, expecting(plan, backend) as expect:
        conditions = Conditions(plan.rubric, report.machine, plan.seed, plan.start, gpu, expect)
        for step, latest in _stages(plan, conditions, report, content, workers):
            report = latest
            yield step, report
        yield COMPLETE, advised(replace(report, state=State.FINISHED, score=score(report)), plan.device)


def _stages(
    plan: GradePlan, conditions: Conditions, report: Report, content: bytes, workers: Mapping[str, Worker]
) -> Iterator[tuple[str, Report]]:
    """Yield the steps from compiling to profiling."""
    try:
        with _clock("compile") as spent:
            kernel = compile_kernel(conditions, content, plan.path.name)
    except SubmissionError as error:
        yield "compiling", replace(report, fault=error.fault)
        return
    report = replace(report, build=kernel.artifact.build if kernel.artifact else None, stages={"compile": spent()})
    yield "compiling", report
    shown = replace(conditions, rubric=without_hidden_sizes(plan.rubric))
    with compiled_ahead(plan, conditions, kernel.launch, workers) as baselines:
        for checked in _check_all(plan, conditions, report, kernel, workers):
            report = checked
            yield "checking", report
        known = workers.get(CHECKER), workers.get(TRACER)
        is_counted = plan.timed and is_right(report)
        with counting(shown, kernel, *known) if is_counted else nullcontext(lambda: None) as counters:
            if SUBMISSION in workers:
                for step, latest in _time(plan, conditions, report, kernel, workers, baselines):
                    report = latest
                    yield step, report
            if is_counted and is_right(report):
                report = _with_counters(report, counters)
                yield COUNTING, report
        if shape := profiled_shape(plan, report):
            with conditions.gpu.alone() as waits:
                for _ in waits:
                    yield gpu_lock.WAITING, report
                yield "profiling", _with_profile(shown, report, kernel, shape)


def _check_all(
    plan: GradePlan, conditions: Conditions, report: Report, kernel: Subject, workers: Mapping[str, Worker]
) -> Iterator[Report]:
    """Check the visible sizes, then the hidden ones in new workers: no result of the first depends on the others.

    In one worker, the kernel could keep a hidden size in a variable of the module and print it at a visible one.
    """
    backend = report.machine.backend
    for checked in _check("check", conditions, report, kernel, plan.cases(backend), workers):
        report = checked
        yield report
    if hidden := plan.hidden_cases(backend):
        names = [name for name in (CHECKER, TRACER, LIBRARY) if name in workers]
        library = {name: workers[name] for name in names if name == LIBRARY}
        with worker_pool(names, backend, plan.rubric.limits, plan.start, library, conditions.gpu) as fresh:
            yield from _check("check hidden sizes", conditions, report, kernel, hidden, fresh)


def _check(
    stage: str,
    conditions: Conditions,
    report: Report,
    kernel: Subject,
    cases: Sequence[Case],
    workers: Mapping[str, Worker],
) -> Iterator[Report]:
    before = report.results
    with _clock(stage) as spent:
        uses = kernel.artifact.uses if kernel.artifact else NOTHING
        for checked, results in explained_cases(check_kernel(conditions, kernel, cases, workers), uses):
            build = report.build
            if build is not None and checked.resources is not None:
                build = replace(build, resources=checked.resources)
            report = replace(report, build=build, results=(*before, *results))
            yield replace(report, stages={**report.stages, stage: spent()})


def _time(
    plan: GradePlan,
    conditions: Conditions,
    report: Report,
    kernel: Subject,
    workers: Mapping[str, Worker],
    baselines: Compiled,
) -> Iterator[tuple[str, Report]]:
    """Time the sizes with correct answers only, hidden ones last; the speed of an incorrect kernel means nothing."""
    by_visibility = sorted(plan.rubric.timed_sizes, key=lambda shape: shape in plan.rubric.hidden_sizes)
    correct = [shape for shape in by_visibility if _is_correct(report, shape)]
    if not correct:
        return
    known, seconds = known_comparison(plan, conditions), 0.0
    if known is None:
        with conditions.gpu.alone() as waits:
            for _ in waits:
                yield gpu_lock.WAITING, report
            with _clock("baselines") as spent:
                known, seconds = comparison(plan, conditions, baselines, workers), spent()
    others, kept, shared = known
    report = replace(report, shared_baselines=shared)
    with _clock("time"):
        for timings in time_kernel(conditions, (kernel, *others), correct, workers, kept):
            seconds += timings.result.seconds
            report = _with_timings(report, timings)
            yield "timing", replace(report, stages={**report.stages, "time": seconds})


def _with_counters(report: Report, counters: Count) -> Report:
    """Count what a launch does; the advice on speed rests on it."""
    with _clock("count") as spent:
        counted = counters()
    return replace(report, counters=counted, stages={**report.stages, "count": spent()})


def _with_profile(conditions: Conditions, report: Report, kernel: Subject, shape: Shape) -> Report:
    """Measure a launch with Nsight Compute."""
    with _clock("profile") as spent:
        profile = profiled(conditions, kernel, shape, report.counters)
    return replace(report, profile=profile, stages={**report.stages, "profile": spent()})


def _with_timings(report: Report, timings: Timings) -> Report:
    measured = {name: (measurement,) for name, measurement in timings.measurements.items()}
    own = measured.pop(SUBMISSION, ())
    baselines = {name: (*report.baselines.get(name, ()), *more) for name, more in measured.items()}
    return replace(
        report,
        results=(*report.results, timings.result),
        measurements=report.measurements + own,
        baselines={**report.baselines, **baselines},
    )


def _is_correct(report: Report, shape: Shape) -> bool:
    """Whether the answers at the size are correct, or all for one that is only timed; hidden ones decide no visible."""
    shown = report if shape in report.rubric.hidden_sizes else without_hidden_results(report)
    only_timed = shape not in report.rubric.sizes
    verdicts = [result.verdict for result in shown.results if only_timed or result.case.shape == shape]
    return bool(verdicts) and all(verdict is Verdict.OK for verdict in verdicts)


def _begin(plan: GradePlan, machine: Machine, content: bytes) -> Report:
    return Report(
        state=State.RUNNING,
        grader_version=grader.__version__,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        seed=plan.seed,
        source=submission.describe(plan.path, content, plan.rubric.interface.name),
        rubric=plan.rubric.without_texts,
        machine=machine,
        naive_sha256=plan.naive_sha256(machine.backend),
    )


@contextmanager
def _clock(step: str) -> Iterator[Callable[[], float]]:
    """Give a function that returns the seconds since then."""
    began = time.monotonic()
    with timeline.span(step):
        yield lambda: time.monotonic() - began
