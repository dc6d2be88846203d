"""What a report says, as test cases: one to compile, one per answer, one per timed size, one per criterion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from grader.model import (
    Case,
    CaseResult,
    CriterionScore,
    Fault,
    Measurement,
    Mismatch,
    Report,
    Shape,
    State,
)
from grader.rubric.criteria import KINDS
from grader.rubric.score import NOT_HERE, is_full


class Ended(StrEnum):
    """How a test case ended, in JUnit's words."""

    PASSED = "passed"
    FAILURE = "failure"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One test case. Whatever did not pass has a message, and a type where it is a failure or an error."""

    group: str
    name: str
    ended: Ended = Ended.PASSED
    type: str = ""
    message: str = ""
    text: str = ""
    line: int | None = None
    printed: str = ""
    seconds: float = 0.0


_AFTER_COMPILE = "It depends on “compile”, which failed."


def outcomes(report: Report) -> list[Outcome]:
    """Every test case of a report. A fault of ours is an error and never a failure; what depends on it is skipped."""
    return [*_ours(report), _compile(report), *_answers(report), *_speeds(report), *_points(report)]


def _ours(report: Report) -> Iterator[Outcome]:
    if report.state is not State.FINISHED or report.infrastructure:
        sentence = report.infrastructure or f"The report is not complete: its state is {report.state}."
        yield Outcome("grading", "grading", Ended.ERROR, "Infrastructure", sentence, "This costs no points.")


def _compile(report: Report) -> Outcome:
    seconds = report.stages.get("compile", 0.0)
    if report.fault is not None:
        return replace(_faulty("build", "compile", report.fault), seconds=seconds)
    if report.build is None:
        return _skipped("build", "compile", "The file was not compiled.")
    return Outcome("build", "compile", printed=report.build.log, seconds=seconds)


def _answers(report: Report) -> Iterator[Outcome]:
    for result in report.results:
        yield _answer(result)
    if not report.results:
        for shape in report.rubric.sizes:
            yield _skipped("correctness", str(shape), _not_reached(report))


def _answer(result: CaseResult) -> Outcome:
    name = _name(result.case)
    where = "" if result.mismatch is None else _where(result.mismatch)
    passed = Outcome("correctness", name)
    ended = passed if result.fault is None else _faulty("correctness", name, result.fault, where)
    return replace(ended, printed=result.printed, seconds=result.seconds)


def _name(case: Case) -> str:
    return str(case) if case.order == "forward" else f"{case} {case.order}"


def _speeds(report: Report) -> Iterator[Outcome]:
    timed = {one.shape: one for one in report.measurements}
    for shape in report.rubric.timed_sizes:
        name = f"speed {shape}"
        if shape in timed:
            yield _timed(name, timed[shape])
        else:
            yield _skipped("speed", name, _not_timed(report, shape))


def _timed(name: str, one: Measurement) -> Outcome:
    said = [f"{one.gflops.median:.1f} GFLOPS (95 % interval {one.gflops.low:.1f} to {one.gflops.high:.1f})"]
    if one.speedup is not None:
        said.append(f"{one.speedup.median:.3f} times the naive kernel")
    if one.library_fraction is not None:
        said.append(f"{one.library_fraction.median:.1%} of the library")
    spent = one.seconds.median * one.launches * one.rounds
    return Outcome("speed", name, printed="\n".join(said), seconds=spent)


def _not_timed(report: Report, shape: Shape) -> str:
    if report.fault is None and not report.machine.backend.capabilities.measures_speed:
        return NOT_HERE
    if report.fault is None and report.build is not None:
        return f"{shape} was not timed."
    return _not_reached(report)


def _not_reached(report: Report) -> str:
    return _AFTER_COMPILE if report.fault is not None else "Grading did not get this far."


def _points(report: Report) -> Iterator[Outcome]:
    scores = {} if report.score is None else {one.id: one for one in report.score.criteria}
    for criterion in report.rubric.criteria:
        if (one := scores.get(criterion.id)) is None:
            continue
        shut = [scores[gate].title for gate in criterion.requires if gate in scores and not is_full(scores[gate])]
        yield _criterion(one, KINDS[criterion.kind].junit_type, shut, compiled=report.fault is None)


def _criterion(one: CriterionScore, kind: str, shut: list[str], *, compiled: bool) -> Outcome:
    """Part of the points is a pass, because a slower kernel is no broken one; none of them is a failure."""
    name = f"points: {one.title}"
    if one.earned is None:
        return _skipped("points", name, one.reason)
    if not compiled:
        return _skipped("points", name, _AFTER_COMPILE)
    if shut:
        return _skipped("points", name, f"It depends on “{shut[0]}”, which is not complete.")
    said = f"{one.earned:.2f} of {one.points:g} points. {one.reason}"
    if one.earned > 0:
        return Outcome("points", name, printed=said)
    return Outcome("points", name, Ended.FAILURE, kind, said, one.reason)


def _faulty(group: str, name: str, fault: Fault, where: str = "") -> Outcome:
    if fault.verdict.is_undecided:
        return _skipped(group, name, fault.sentence or str(fault.verdict))
    kind = "".join(word.capitalize() for word in fault.verdict.split("-"))
    text = "\n".join(part for part in (fault.hint, where, fault.detail) if part)
    return Outcome(group, name, Ended.FAILURE, kind, fault.sentence, text, fault.line)


def _where(mismatch: Mismatch) -> str:
    region, first, worst = mismatch.region, mismatch.first, mismatch.worst
    return (
        f"{region.wrong} of {region.total} elements are wrong: {region.where}.\n"
        f"First: C[{first.row}][{first.column}] is {first.got:g}, expected {first.expected:g}.\n"
        f"Worst: C[{worst.row}][{worst.column}] is {worst.got:g}, expected {worst.expected:g}."
    )


def _skipped(group: str, name: str, why: str) -> Outcome:
    return Outcome(group, name, Ended.SKIPPED, message=why)
