"""The points of a class, from the same criteria for all students."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from grader.errors import InfrastructureError, UsageError
from grader.export import points
from grader.model import Report
from grader.rubric.rounding import difference, exact, shown, total
from grader.text.clean import one_line


@dataclass(frozen=True, slots=True)
class Grades:
    """Points by student, out of `maximum`, not rounded.

    `missing` says why the other students have no grade; `left_out` names the criteria that are not in the points, and
    is empty if all are.
    """

    maximum: float
    points: dict[str, float]
    missing: dict[str, str]
    left_out: str


def grades(reports: Mapping[str, Report]) -> Grades:
    """Return points that compare: a criterion that was measured for one student counts for all.

    A student without one of these criteria has no grade. Raises UsageError if the reports have different rubrics or
    naive kernels, InfrastructureError if there is no grade at all.
    """
    if what := difference(reports.values()):
        sentence = f"These reports have different {what}s, so their points do not compare."
        raise UsageError(sentence, "Grade all submissions again with `grade batch --apply`.")
    graded = {student: report for student, report in reports.items() if not points.why_no_grade(report)}
    if not graded:
        why = points.why_no_grade(next(iter(reports.values())))
        hint = "`grade batch --retry infrastructure` grades failed submissions again; speed needs a machine with a GPU."
        raise InfrastructureError(f"There is no grade among these reports. {why}", hint)
    counted = {criterion.id for report in graded.values() for criterion in points.measured(report)}
    complete = {student: report for student, report in graded.items() if not _lacking(report, counted)}
    criteria = next(iter(graded.values())).rubric.criteria
    rest = [each for each in criteria if each.id not in counted]
    names = ", ".join(f"{one_line(each.title, points.LONGEST_TITLE)} ({shown(each.points)})" for each in rest)
    return Grades(
        maximum=total(criterion.points for criterion in criteria if criterion.id in counted),
        points={student: report.score.earned for student, report in complete.items() if report.score},
        missing={student: _why(report, counted) for student, report in reports.items() if student not in complete},
        left_out=f"Not measured for any student, and not part of these points: {names}." if rest else "",
    )


def scaled(grades: Grades, maximum: float) -> Grades:
    """Return the same shares of another maximum."""
    factor = exact(maximum) / exact(grades.maximum)
    points = {student: float(exact(earned) * factor) for student, earned in grades.points.items()}
    return replace(grades, maximum=maximum, points=points)


def _lacking(report: Report, counted: set[str]) -> list[str]:
    return [criterion.title for criterion in points.not_measured(report) if criterion.id in counted]


def _why(report: Report, counted: set[str]) -> str:
    lacking = ", ".join(_lacking(report, counted))
    return points.why_no_grade(report) or f"Not measured here, but for other students: {lacking}."
