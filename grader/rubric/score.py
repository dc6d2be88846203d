"""Turn what a report measured into points. Pure: the same report always gives the same score."""

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise

from grader.contract.inputs import TIMED
from grader.model import CaseResult, Criterion, CriterionScore, Report, Score, Shape, Verdict
from grader.rubric.criteria import COMPILES, DEFINED, KINDS, Quantity
from grader.rubric.rounding import total

Mark = tuple[float | None, str]  # the share of the points, None if it was not measured, and the reason
NOT_HERE = "Speed is not measured on this machine."
_ALWAYS_FAILS = {Verdict.OUT_OF_BOUNDS, Verdict.BARRIER}  # undefined behaviour too
FULL = 1e-9  # points that a complete criterion may lack because of rounding


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
    part, reason = _mark(report, criterion)
    earned = None if part is None else criterion.points * part
    return CriterionScore(criterion.id, criterion.title, criterion.points, earned, reason)


def _mark(report: Report, criterion: Criterion) -> Mark:
    kind = KINDS[criterion.kind]
    quantity = kind.quantity
    closed = _closed_by_gate(report, criterion)
    if quantity is not None and not quantity.possible(report.machine):  # for all kernels, which have the same maximum
        measures = report.machine.backend.capabilities.measures_speed
        reason = f"It needs {quantity.needs}, which is unknown on this machine." if measures else NOT_HERE
        return None, f"{reason} {closed[1]}" if closed and closed[0] == 0 else reason
    if closed:
        return closed
    if quantity is not None:
        return _speed(report, criterion, quantity)
    if kind is DEFINED:
        return _defined(report)
    return _compiles(report) if kind is COMPILES else _correct(report, criterion)


def _closed_by_gate(report: Report, criterion: Criterion) -> Mark | None:
    gates = [_scored(report, other) for other in report.rubric.criteria if other.id in criterion.requires]
    for gate in gates:
        if gate.earned is not None and not is_full(gate):
            return 0.0, f"It counts once “{gate.title}” is complete. {gate.reason}"
    for gate in gates:
        if gate.earned is None:
            return None, f"It depends on “{gate.title}”, which was not measured. {gate.reason}"
    return None


def _compiles(report: Report) -> Mark:
    if report.build is not None:
        return 1.0, "The file compiles."
    return (0.0, _why_broken(report)) if _broken(report) else (None, "The file was not compiled.")


def _defined(report: Report) -> Mark:
    """Judge whether undefined behaviour was found; a launch that could not be searched costs no points."""
    if found := undefined_behaviour(report):
        return 0.0, f"{found[:1].upper()}{found[1:]}."
    if _broken(report):
        return 0.0, f"Nothing could run. {_why_broken(report)}"
    if all(result.verdict.is_undecided for result in report.results):
        return None, "No launch was searched."
    return 1.0, "No undefined behaviour was found."


def _correct(report: Report, criterion: Criterion) -> Mark:
    for result in report.results:
        if result.verdict.is_undefined:
            return 0.0, f"{result.verdict.words.capitalize()} at {result.case.shape}: no answer is reliable."
    if _broken(report):
        return 0.0, f"No answer was checked. {_why_broken(report)}"
    right = {shape: _is_right(report, shape) for shape in criterion.sizes}
    if None in right.values():
        return None, f"Not measured: {_those(right, None)}."
    count, every = sum(map(bool, right.values())), len(right)
    if count == every:
        return 1.0, f"The answer is correct at every size ({every} of {every})."
    return count / every, f"The answer is correct at {count} of {every} sizes; not at {_those(right, False)}."


def _those(right: Mapping[Shape, bool | None], what: bool | None) -> str:
    return ", ".join(str(shape) for shape, is_right in right.items() if is_right is what)


def _is_right(report: Report, shape: Shape) -> bool | None:
    """Whether all cases of a size are correct; None if that was not measured.

    A case that was skipped or never started loses its points if the submission's own failure is the reason, and is
    not measured otherwise: what the machine could not do costs no points.
    """
    verdicts = {result.verdict for result in _of(report.results, shape)}
    if any(verdict.is_students_fault for verdict in verdicts) or (not verdicts and _broken(report)):
        return False
    if verdicts == {Verdict.OK}:
        return True
    return False if verdicts and Verdict.NOT_SUPPORTED not in verdicts and _any_fault(report) else None


def _speed(report: Report, criterion: Criterion, quantity: Quantity) -> Mark:
    if _broken(report):
        return 0.0, _why_broken(report)
    marks = [_speed_mark(report, criterion, quantity, shape) for shape in criterion.sizes]
    for part, reason in marks:
        if part is None:
            return None, reason
    average = math.fsum(part or 0.0 for part, _ in marks) / len(marks)
    return average, "; ".join(reason for _, reason in marks) + "."


def _speed_mark(report: Report, criterion: Criterion, quantity: Quantity, shape: Shape) -> Mark:
    for result in _of(report.results, shape):
        if result.verdict.is_students_fault and result.fault is not None:
            return 0.0, f"{shape}: no points, because {result.fault.sentence.rstrip('. ') or 'it failed'}"
    measurement = report.speeds.get(shape)
    if shape not in report.rubric.sizes and (_any_wrong(report) or (measurement is None and _any_fault(report))):
        return 0.0, f"{shape}: no points, because a size that is only timed counts once every answer is correct"
    if measurement is None:
        return None, f"{shape} was not timed on this machine."
    interval = quantity.value(measurement, report.machine, report.rubric.interface)
    if interval is None or not math.isfinite(interval.median):
        return None, f"{shape} was timed without {quantity.needs}."
    return share(criterion.curve, interval.median), f"{shape}: {quantity.text.format(interval.median)}"


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
