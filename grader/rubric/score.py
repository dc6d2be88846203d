"""Turn what a report measured into points. Pure: the same report always gives the same score."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from grader.contract.inputs import TIMED
from grader.model import CaseResult, Criterion, CriterionScore, Report, Score, Shape, Verdict
from grader.rubric.criteria import COMPILES, DEFINED, KINDS, Quantity
from grader.rubric.rounding import total

NOT_HERE = "Speed is not measured on this machine."
_ALWAYS_FAILS = {Verdict.OUT_OF_BOUNDS, Verdict.BARRIER}  # undefined behaviour too
FULL = 1e-9  # points that a complete criterion may lack because of rounding


@dataclass(frozen=True, slots=True)
class _Mark:
    """The share of the points that one size earns, None if it was not measured, and the reason."""

    share: float | None
    reason: str


def score(report: Report) -> Score:
    """Points for every criterion of the report's rubric, in the rubric's order."""
    criteria = tuple(_scored(report, criterion) for criterion in report.rubric.criteria)
    return Score(
        earned=total(scored.earned for scored in criteria if scored.earned is not None),
        points=total(scored.points for scored in criteria),
        not_measured=total(scored.points for scored in criteria if scored.earned is None),
        criteria=criteria,
    )


def share(curve: tuple[tuple[float, float], ...], value: float) -> float:
    """Return the share of the points that `value` earns: linear between the curve's points, constant outside them."""
    if value <= curve[0][0]:
        return curve[0][1]
    for (left, low), (right, high) in pairwise(curve):
        if value <= right:
            between = low + (high - low) * ((value - left) / (right - left))
            return max(low, min(high, between))  # rounding must not leave the segment
    return curve[-1][1]


def is_full(score: CriterionScore) -> bool:
    """Whether a criterion earned all its points, as criteria that require it demand."""
    return score.earned is not None and score.earned >= score.points - FULL


def undefined_behaviour(report: Report) -> str:
    """Return each undefined behaviour of a report and its first size, such as "data race at N=33"; or nothing."""
    first: dict[str, Shape] = {}
    for result in report.results:
        found = result.tolerated.verdict if result.tolerated else result.verdict
        if found.is_undefined or found in _ALWAYS_FAILS:
            first.setdefault(found.words, result.case.shape)
    return " and ".join(f"{words} at {shape}" for words, shape in first.items())


def _scored(report: Report, criterion: Criterion) -> CriterionScore:
    quantity = KINDS[criterion.kind].quantity
    if quantity is not None and not quantity.possible(report.machine):  # for all kernels, which have the same maximum
        measures = report.machine.backend.capabilities.measures_speed
        why = f"It needs {quantity.needs}, which is unknown on this machine." if measures else NOT_HERE
        return _open(criterion, why)
    return _closed_by_gate(report, criterion) or _by_kind(report, criterion)


def _by_kind(report: Report, criterion: Criterion) -> CriterionScore:
    kind = KINDS[criterion.kind]
    if kind.quantity is not None:
        return _speed(report, criterion, kind.quantity)
    if kind is DEFINED:
        return _defined(report, criterion)
    return _compiles(report, criterion) if kind is COMPILES else _correct(report, criterion)


def _closed_by_gate(report: Report, criterion: Criterion) -> CriterionScore | None:
    gates = [_scored(report, other) for other in report.rubric.criteria if other.id in criterion.requires]
    for gate in gates:
        if gate.earned is not None and not is_full(gate):
            return _earned(criterion, 0.0, f"It counts once “{gate.title}” is complete. {gate.reason}")
    for gate in gates:
        if gate.earned is None:
            return _open(criterion, f"It depends on “{gate.title}”, which was not measured. {gate.reason}")
    return None


def _compiles(report: Report, criterion: Criterion) -> CriterionScore:
    if report.build is not None:
        return _earned(criterion, 1.0, "The file compiles.")
    if _broken(report):
        return _earned(criterion, 0.0, _why_broken(report))
    return _open(criterion, "The file was not compiled.")


def _defined(report: Report, criterion: Criterion) -> CriterionScore:
    """Judge whether undefined behaviour was found; a launch that could not be searched costs no points."""
    if found := undefined_behaviour(report):
        return _earned(criterion, 0.0, f"{found[:1].upper()}{found[1:]}.")
    if _broken(report):
        return _earned(criterion, 0.0, f"Nothing could run. {_why_broken(report)}")
    if all(result.verdict.is_undecided for result in report.results):
        return _open(criterion, "No launch was searched.")
    return _earned(criterion, 1.0, "No undefined behaviour was found.")


def _correct(report: Report, criterion: Criterion) -> CriterionScore:
    for result in report.results:
        if result.verdict.is_undefined:
            reason = f"{result.verdict.words.capitalize()} at {result.case.shape}: no answer is reliable."
            return _earned(criterion, 0.0, reason)
    if _broken(report):
        return _earned(criterion, 0.0, f"No answer was checked. {_why_broken(report)}")
    marks = [(shape, _answer(report, shape)) for shape in criterion.sizes]
    unknown = [shape for shape, mark in marks if mark.share is None]
    if unknown:
        return _open(criterion, f"Not measured: {_list(unknown)}.")
    wrong = [shape for shape, mark in marks if mark.share == 0.0]
    if not wrong:
        return _earned(criterion, 1.0, f"The answer is correct at every size ({len(marks)} of {len(marks)}).")
    right = len(marks) - len(wrong)
    reason = f"The answer is correct at {right} of {len(marks)} sizes; not at {_list(wrong)}."
    return _earned(criterion, right / len(marks), reason)


def _answer(report: Report, shape: Shape) -> _Mark:
    """Judge one size, which is correct if all of its cases are.

    A case that was skipped or never started loses its points if the submission's own failure is the reason, and is
    not measured otherwise: what the machine could not do costs no points.
    """
    verdicts = {result.verdict for result in _of(report.results, shape)}
    if any(verdict.is_students_fault for verdict in verdicts) or (not verdicts and _broken(report)):
        return _Mark(0.0, "wrong")
    if verdicts == {Verdict.OK}:
        return _Mark(1.0, "right")
    if verdicts and Verdict.NOT_SUPPORTED not in verdicts and _any_fault(report):
        return _Mark(0.0, "skipped after a failure")
    return _Mark(None, "not measured")


def _speed(report: Report, criterion: Criterion, quantity: Quantity) -> CriterionScore:
    if _broken(report):
        return _earned(criterion, 0.0, _why_broken(report))
    marks = [_speed_mark(report, criterion, quantity, shape) for shape in criterion.sizes]
    for mark in marks:
        if mark.share is None:
            return _open(criterion, mark.reason)
    average = math.fsum(mark.share or 0.0 for mark in marks) / len(marks)
    return _earned(criterion, average, "; ".join(mark.reason for mark in marks) + ".")


def _speed_mark(report: Report, criterion: Criterion, quantity: Quantity, shape: Shape) -> _Mark:
    for result in _of(report.results, shape):
        if result.verdict.is_students_fault and result.fault is not None:
            why = result.fault.sentence.rstrip(". ") or "it failed"
            return _Mark(0.0, f"{shape}: no points, because {why}")
    measurement = report.speeds.get(shape)
    if shape not in report.rubric.sizes and (_any_wrong(report) or (measurement is None and _any_fault(report))):
        return _Mark(0.0, f"{shape}: no points, because a size that is only timed counts once every answer is correct")
    if measurement is None:
        return _Mark(None, f"{shape} was not timed on this machine.")
    interval = quantity.value(measurement, report.machine, report.rubric.interface)
    if interval is None or not math.isfinite(interval.median):
        return _Mark(None, f"{shape} was timed without {quantity.needs}.")
    return _Mark(share(criterion.curve, interval.median), f"{shape}: {quantity.text.format(interval.median)}")


def _broken(report: Report) -> bool:
    """Whether the submission failed before its first case, so that none could run."""
    return report.fault is not None and report.fault.verdict.is_students_fault


def _why_broken(report: Report) -> str:
    return report.fault.sentence if report.fault is not None else ""


def _any_fault(report: Report) -> bool:
    return _broken(report) or any(result.verdict.is_students_fault for result in report.results)


def _any_wrong(report: Report) -> bool:
    """Whether an answer is wrong; at a hidden size, that does not keep the others from being timed."""
    checks = (result for result in report.results if result.case.run != TIMED)
    return any(result.verdict.is_students_fault for result in checks)


def _of(results: Iterable[CaseResult], shape: Shape) -> list[CaseResult]:
    at_shape = (result for result in results if result.case.shape == shape)
    return sorted(at_shape, key=lambda result: (result.case.run, result.verdict))


def _earned(criterion: Criterion, part: float, reason: str) -> CriterionScore:
    return CriterionScore(criterion.id, criterion.title, criterion.points, criterion.points * part, reason)


def _open(criterion: Criterion, reason: str) -> CriterionScore:
    return CriterionScore(criterion.id, criterion.title, criterion.points, None, reason)


def _list(shapes: list[Shape]) -> str:
    return ", ".join(str(shape) for shape in shapes)
