"""The points of a class, from the reports of its students."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from grader.errors import InfrastructureError, UsageError
from grader.export import points
from grader.model import Report
from grader.text.clean import one_line


@dataclass(frozen=True, slots=True)
class Grades:
    """Points out of `maximum`; of the others, why there is no grade. `left_out` says what nobody's points are for."""

    maximum: float
    points: dict[str, float]
    missing: dict[str, str]
    left_out: str


def grades(reports: Mapping[str, Report]) -> Grades:
    """Points that compare: what is measured for anybody counts for everybody, and who lacks a part of it has no grade.

    Raises UsageError where the reports are of different rubrics, InfrastructureError where there is no grade at all.
    """
    if len({report.rubric.sha256 for report in reports.values()}) > 1:
        hint = "Grade all of them again with one rubric."
        raise UsageError("These reports were made with different rubrics, so their points do not compare.", hint)
    graded = {student: report for student, report in reports.items() if not points.why_no_grade(report)}
    if not graded:
        why = points.why_no_grade(next(iter(reports.values())))
        hint = "`grade batch --retry infrastructure` grades again what failed; speed needs a machine with a GPU."
        raise InfrastructureError(f"There is no grade among these reports. {why}", hint)
    counted = {one.id for report in graded.values() for one in points.measured(report)}
    whole = {student: report for student, report in graded.items() if counted <= _measured(report)}
    missing = {student: _why(report, counted) for student, report in reports.items() if student not in whole}
    any_report = next(iter(graded.values()))
    criteria = any_report.rubric.criteria
    rest = [one for one in criteria if one.id not in counted]
    named = ", ".join(f"{one_line(one.title, points.LONGEST_TITLE)} ({one.points:g})" for one in rest)
    return Grades(
        maximum=math.fsum(one.points for one in criteria if one.id in counted),
        points={student: points.earned(report) for student, report in whole.items()},
        missing=missing,
        left_out=f"Not measured for anybody, and not part of these points: {named}." if rest else "",
    )


def _measured(report: Report) -> set[str]:
    return {one.id for one in points.measured(report)}


def _why(report: Report, counted: set[str]) -> str:
    lacking = [points.title(one) for one in points.not_measured(report) if one.id in counted]
    return points.why_no_grade(report) or f"Not measured, but it was for others: {', '.join(lacking)}."
