"""The grader on one page: a submission and a rubric in, a report out.

    submission ─> compile ─> check ─> time ─> score ─> report

Student code runs in workers only (sandbox/). They return data, never verdicts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import grader
from grader.advice.advise import advice_on
from grader.advice.counting import Count, counting
from grader.advice.profiling import profiled, profiled_shape
from grader.errors import InfrastructureError, SubmissionError, refusal
from grader.explain.own_lines import with_own_lines
from grader.explain.several_cases import CheckedCase, explained_cases
from grader.host import gpu_lock, timeline
from grader.judge import other_calls, submission
from grader.judge.conditions import Conditions, GradePlan, computed_product
from grader.judge.other_calls import Trying
from grader.judge.own_launch import impossible_at
from grader.judge.replaying import FailedCases, failed_cases
from grader.judge.stages import CompiledKernel, Subject, check_kernel, compile_kernel
from grader.judge.worker_pool import (
    CHECKER,
    LIBRARY,
    SUBMISSION,
    TRACER,
    checkers,
    worker_pool,
    workers_ahead,
    workers_to_time,
)
from grader.model import Machine, Report, Shape, State, Verdict
from grader.rubric.score import score
from grader.rubric.visible import without_hidden_results, without_hidden_sizes
from grader.sandbox.client import Worker
from grader.timing.baselines import Compiled, check_baselines_first, comparison, compiled_ahead
from grader.timing.measuring import Measuring, Timings, measure

OnProgress = Callable[[Report, str], None]
COMPILING, CHECKING, EXPLAINING = "compiling", "checking", "explaining"
TIMING, COUNTING, PROFILING, COMPLETE = "timing", "counting", "profiling", "complete"


@dataclass
class Grading:
    """A grade under way: the report so far, what is called with it after each step, and the cases that failed."""

    plan: GradePlan
    report: Report
    on_progress: OnProgress
    failed: FailedCases | None = None

    def tell(self, step: str, report: Report) -> None:
        """Go on with this report."""
        self.on_progress(report, step)
        self.report = report

    def on_wait(self) -> None:
        """Tell that another grade uses the GPU."""
        self.tell(gpu_lock.WAITING, self.report)

    @property
    def shown(self) -> Report:
        """The report as if there were no hidden sizes, which decide on nothing but themselves."""
        return without_hidden_results(self.report)


def grade(plan: GradePlan, machine: Machine, on_progress: OnProgress) -> Report:
    """Grade one submission. `on_progress` is called with the report so far and the name of the step after each step.

    Raises UsageError for a file that cannot be read. A grader error ends the report, is in it, and costs no points.
    """
    return grade_content(plan, submission.read(plan.path), machine, on_progress)


def grade_content(plan: GradePlan, content: bytes, machine: Machine, on_progress: OnProgress) -> Report:
    """`grade` for a submission that was already read; of the plan's path, only the name is used.

    The report of the step `COMPLETE` is returned, unless an error occurs while the workers end.
    """
    grading = Grading(plan, _begin(plan, machine, content), on_progress)
    on_progress(grading.report, "")
    try:
        return _steps(grading, content)
    except (InfrastructureError, OSError, MemoryError, RuntimeError) as error:
        if (failed := refusal(error)) is None:
            raise
        return _not_finished(grading.report, failed)


def not_graded(plan: GradePlan, content: bytes, machine: Machine, error: InfrastructureError) -> Report:
    """The report on a submission whose grading could not begin because of a grader error."""
    return _not_finished(_begin(plan, machine, content), error)


def _not_finished(report: Report, error: InfrastructureError) -> Report:
    return replace(report, state=State.INFRASTRUCTURE_FAULT, infrastructure=f"{error.sentence} {error.hint}".strip())


def _steps(grading: Grading, content: bytes) -> Report:
    """Return the complete report, with which `on_progress` is called before the workers end."""
    plan, machine, shared = grading.plan, grading.report.machine, grading.plan.shared
    gpu, backend = gpu_lock.of(machine), machine.backend
    gpu.until_shared(grading.on_wait)
    ready = {LIBRARY: shared.library} if shared and shared.library else {}
    product = shared.library_product if shared else computed_product
    conditions = Conditions(plan.rubric, machine, plan.seed, plan.start, gpu, product=product)
    with worker_pool(workers_ahead(plan, backend), conditions, ready) as workers, plan.expecting(backend) as expect:
        trying = Trying(conditions, content, plan.path.name)
        if kernel := _compile(grading, conditions, trying):
            with failed_cases(trying, kernel.launch) as grading.failed:
                _run(grading, replace(conditions, expect=expect), kernel, workers)
        complete = _complete(grading.report, plan.device)
        grading.on_progress(complete, COMPLETE)
    return complete


def _compile(grading: Grading, conditions: Conditions, trying: Trying) -> CompiledKernel | None:
    """Compile the submission; None if it does not compile, or has no kernel that the lab calls."""
    try:
        with _clock("compile") as spent:
            kernel = compile_kernel(conditions, trying.content, trying.name)
    except SubmissionError as error:
        fault = other_calls.refused(trying, error.fault)
        grading.tell(COMPILING, replace(grading.report, fault=fault))
        return None
    grading.tell(COMPILING, replace(grading.report, build=kernel.build, stages={"compile": spent()}))
    return kernel


def _run(grading: Grading, conditions: Conditions, kernel: CompiledKernel, workers: Mapping[str, Worker]) -> None:
    """Check, time, count and profile a compiled kernel."""
    plan = grading.plan
    shown = replace(conditions, rubric=without_hidden_sizes(plan.rubric))
    with compiled_ahead(plan, conditions, kernel.launch, workers) as baselines:
        check_baselines_first(plan, conditions, workers)
        _check_all(grading, conditions, kernel, workers)
        if grading.failed and grading.failed.any:
            grading.tell(EXPLAINING, _explained(grading.report, grading.failed, kernel))
        known = workers.get(CHECKER), workers.get(TRACER)
        is_counted = plan.timed and grading.shown.is_correct
        with counting(shown, kernel, *known) if is_counted else nullcontext(lambda: None) as counters:
            if SUBMISSION in workers and any(_is_correct(grading.report, shape) for shape in plan.rubric.timed_sizes):
                with workers_to_time(workers, conditions, all_correct=grading.shown.is_correct) as to_time:
                    _time(grading, conditions, kernel, to_time, baselines)
            if is_counted and grading.shown.is_correct:
                grading.tell(COUNTING, _with_counters(grading.report, counters))
        if shape := profiled_shape(plan, grading.shown):
            with conditions.gpu.alone(grading.on_wait):
                grading.tell(PROFILING, _with_profile(shown, grading.report, kernel, shape))


def _complete(report: Report, device: str) -> Report:
    """Score a report, and advise on what students see of it: advice must reveal nothing of hidden sizes."""
    finished = with_own_lines(replace(report, state=State.FINISHED))
    return replace(finished, score=score(finished), advice=advice_on(without_hidden_results(finished), device))


def _check_all(grading: Grading, conditions: Conditions, kernel: CompiledKernel, workers: Mapping[str, Worker]) -> None:
    """Check the visible sizes, then the hidden ones in new workers: no result of the first depends on the others.

    In one worker, the kernel could keep a hidden size in a variable of the module and print it at a visible one.
    """
    backend = conditions.machine.backend
    _check("check", grading, check_kernel(conditions, kernel, grading.plan.cases(backend), workers))
    if hidden := grading.plan.hidden_cases(backend):
        library = {name: shared for name, shared in workers.items() if name == LIBRARY}
        with worker_pool((*checkers(backend), *library), conditions, library) as fresh:
            _check("check hidden sizes", grading, check_kernel(conditions, kernel, hidden, fresh))


def _check(stage: str, grading: Grading, cases: Iterator[CheckedCase]) -> None:
    before = grading.report.results
    with _clock(stage) as spent:
        for checked, results in explained_cases(cases):
            if grading.failed:
                grading.failed.note(checked)
            build, stages = grading.report.build, {**grading.report.stages, stage: spent()}
            if build is not None and checked.resources is not None:
                build = replace(build, resources=checked.resources)
            report = replace(grading.report, build=build, results=(*before, *results), stages=stages)
            grading.tell(CHECKING, report)


def _time(
    grading: Grading, conditions: Conditions, kernel: Subject, workers: Mapping[str, Worker], baselines: Compiled
) -> None:
    """Time the sizes with correct answers only, hidden ones last; the speed of an incorrect kernel means nothing."""
    plan = grading.plan
    by_visibility = sorted(plan.rubric.timed_sizes, key=lambda shape: shape in plan.rubric.hidden_sizes)
    correct = [
        shape
        for shape in by_visibility
        if _is_correct(grading.report, shape) and not impossible_at(shape, kernel.launch, plan.rubric.interface)
    ]
    if not plan.shares:  # tell it if another grade times now
        with conditions.gpu.alone(grading.on_wait):
            pass
    with _clock("baselines"):
        compared = comparison(plan, conditions, baselines, workers)
    grading.report = replace(grading.report, shared_baselines=compared.shared)
    measuring, seconds = Measuring(conditions, (kernel, *compared.timed), workers, compared.kept), 0.0
    with _clock("time"):
        for timings in measure(measuring, correct):
            seconds += timings.result.seconds
            report = _with_timings(grading.report, timings)
            grading.tell(TIMING, replace(report, stages={**report.stages, "time": seconds}))


def _explained(report: Report, failed: FailedCases, kernel: CompiledKernel) -> Report:
    """Run again what failed, and tell what happened there, or with which call it is correct."""
    with _clock("explain") as spent:
        explained = failed.explained(report.results)
        results = other_calls.failed(failed.trying, kernel.artifact, explained, report.results)
    return replace(report, results=results, stages={**report.stages, "explain": spent()})


def _with_counters(report: Report, counters: Count) -> Report:
    """Count what a launch does; the advice on speed rests on it."""
    with _clock("count") as spent:
        counted = counters()
    return replace(report, counters=counted, stages={**report.stages, "count": spent()})


def _with_profile(conditions: Conditions, report: Report, kernel: CompiledKernel, shape: Shape) -> Report:
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
    """Whether the answers at a size are correct; a size that is only timed counts as correct if every checked one is.

    Results of hidden sizes do not count for visible ones.
    """
    only_timed = shape not in report.rubric.sizes
    report = report if shape in report.rubric.hidden_sizes else without_hidden_results(report)
    verdicts = [result.verdict for result in report.results if only_timed or result.case.shape == shape]
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
