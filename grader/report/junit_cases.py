"""A report as test cases: one for the build, one per size, one per timed size, one per criterion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from grader.model import CaseResult, CriterionScore, Fault, Measurement, Report, Shape, State
from grader.model.answers import by_size
from grader.rubric.criteria import KINDS
from grader.rubric.outcome import next_step
from grader.rubric.rounding import rounded, shown
from grader.rubric.score import NOT_HERE, is_full
from grader.text.remarks import hidden_note


class Ended(StrEnum):
    """The result of a test case, in JUnit's words."""

    PASSED = "passed"
    FAILURE = "failure"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """One test case. A case that did not pass has a message; a failure or an error has a type too."""

    group: str
    name: str
    ended: Ended = Ended.PASSED
    type: str = ""
    message: str = ""
    text: str = ""
    line: int | None = None
    printed: str = ""
    seconds: float = 0.0


_AFTER_COMPILE = "Skipped, because “compile” failed."


def outcomes(report: Report) -> list[CaseOutcome]:
    """Return every test case. A grader error is an error and never a failure; the cases after it are skipped."""
    return [*_grader_error(report), _compile(report), *_answers(report), *_speeds(report), *_points(report)]


def _grader_error(report: Report) -> Iterator[CaseOutcome]:
    if report.state is not State.FINISHED or report.infrastructure:
        sentence = report.infrastructure or f"The report is not complete: its state is {report.state}."
        yield CaseOutcome(
            "grading", "grading", Ended.ERROR, "Infrastructure", sentence, f"This costs no points. {next_step(report)}"
        )


def _compile(report: Report) -> CaseOutcome:
    seconds = report.stages.get("compile", 0.0)
    if report.fault is not None:
        return replace(_faulty("build", "compile", report.fault), seconds=seconds)
    if report.build is None:
        return _skipped("build", "compile", "The file was not compiled.")
    return CaseOutcome("build", "compile", printed=report.build.log, seconds=seconds)


def _answers(report: Report) -> Iterator[CaseOutcome]:
    for shape, results in by_size(report.results).items():
        yield _answer(shape, results)
    if not report.results:
        for shape in report.rubric.sizes:
            yield _skipped("correctness", str(shape), _not_reached(report))
    if note := hidden_note(report.rubric):
        yield _skipped("correctness", "more sizes", note)


def _answer(shape: Shape, results: Sequence[CaseResult]) -> CaseOutcome:
    """Return the first fault of a size, if it has any; one that the submission is not to blame for comes last."""
    name, printed = str(shape), next((result.printed for result in results if result.printed), "")
    bad = sorted((result for result in results if result.fault), key=lambda result: result.verdict.is_undecided)
    outcome = CaseOutcome("correctness", name)
    if bad and (fault := bad[0].fault):
        outcome = _faulty("correctness", name, fault, f"{len(bad)} of {len(results)} runs failed.")
    return replace(outcome, printed=printed, seconds=sum(result.seconds for result in results))


def _speeds(report: Report) -> Iterator[CaseOutcome]:
    for shape in report.rubric.timed_sizes:
        name, measurement = f"speed {shape}", report.speeds.get(shape)
        yield _timed(name, measurement) if measurement else _skipped("speed", name, _not_timed(report, shape))


def _timed(name: str, measurement: Measurement) -> CaseOutcome:
    gflops, speedup, fraction = measurement.gflops, measurement.speedup, measurement.library_fraction
    lines = [f"{gflops.median:,.1f} GFLOPS (95 % interval {gflops.low:,.1f} to {gflops.high:,.1f})"]
    if speedup is not None:
        lines.append(f"{speedup.median:.3f} times the naive kernel")
    if fraction is not None:
        lines.append(f"{fraction.median:.1%} of the library")
    spent = measurement.seconds.median * measurement.launches * measurement.rounds
    return CaseOutcome("speed", name, printed="\n".join(lines), seconds=spent)


def _not_timed(report: Report, shape: Shape) -> str:
    if report.fault is None and not report.machine.backend.capabilities.measures_speed:
        return NOT_HERE
    if report.fault is None and report.build is not None:
        return f"{shape} was not timed."
    return _not_reached(report)


def _not_reached(report: Report) -> str:
    return _AFTER_COMPILE if report.fault is not None else "Grading ended before this case."


def _points(report: Report) -> Iterator[CaseOutcome]:
    scores = {} if report.score is None else {score.id: score for score in report.score.criteria}
    for criterion in report.rubric.criteria:
        if score := scores.get(criterion.id):
            gates = [scores[gate] for gate in criterion.requires if gate in scores]
            missed = next((gate.title for gate in gates if not is_full(gate)), "")
            yield _criterion(score, KINDS[criterion.kind].junit_type, missed, compiled=report.fault is None)


def _criterion(score: CriterionScore, failure: str, missed: str, *, compiled: bool) -> CaseOutcome:
    """Return a pass for any points, because a slower kernel is not a broken one, and a failure for none.

    `missed` is the title of a criterion that it requires and that lacks points, or empty.
    """
    name = f"points: {score.title}"
    if score.earned is None:
        return _skipped("points", name, score.reason)
    if not compiled:
        return _skipped("points", name, _AFTER_COMPILE)
    if missed:
        return _skipped("points", name, f"It depends on “{missed}”, which is not complete.")
    points = f"{rounded(score.earned):.2f} of {shown(score.points)} points. {score.reason}"
    if score.earned > 0:
        return CaseOutcome("points", name, printed=points)
    return CaseOutcome("points", name, Ended.FAILURE, failure, points, score.reason)


def _faulty(group: str, name: str, fault: Fault, runs: str = "") -> CaseOutcome:
    if fault.verdict.is_undecided:
        sentences = (fault.sentence or str(fault.verdict), fault.hint)
        return _skipped(group, name, " ".join(part for part in sentences if part))
    kind = "".join(word.capitalize() for word in fault.verdict.split("-"))
    text = "\n".join(part for part in (fault.hint, runs, fault.detail) if part)
    return CaseOutcome(group, name, Ended.FAILURE, kind, fault.sentence, text, fault.line)


def _skipped(group: str, name: str, why: str) -> CaseOutcome:
    return CaseOutcome(group, name, Ended.SKIPPED, message=why)
