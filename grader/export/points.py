"""What a grade is worth elsewhere: points that were measured, points that were not, and whether there is a grade.

Three rules for every place. Only criteria that this machine can measure are part of a score and of its maximum. The
others are named beside it, and are neither full nor zero. Where the grader failed there is no score at all.
"""

from __future__ import annotations

import math

from grader.errors import InfrastructureError
from grader.model import CriterionScore, Report, State
from grader.rubric.criteria import KINDS
from grader.rubric.score import is_full
from grader.text.clean import one_line

LONGEST_TITLE = 200


def why_no_grade(report: Report) -> str:
    """Return the sentence that says why there is no grade, and nothing where there is one."""
    if report.state is not State.FINISHED or report.score is None:
        why = report.infrastructure or f"The report is not complete: its state is {report.state}."
        return f"The grader could not finish. {one_line(why, 500)} This costs no points."
    unknown = [one for one in not_measured(report) if _is_answer(report, one)]
    if unknown:  # without it the little that was measured would look like all of it
        why = report.fault.sentence if report.fault is not None else unknown[0].reason
        return f"“{title(unknown[0])}” cannot be measured on this machine. {one_line(why, 500)} This costs no points."
    return "" if maximum(report) else "Nothing that has points can be measured on this machine. This costs no points."


def check_graded(report: Report) -> None:
    """Raise InfrastructureError where there is no grade, for places that would take any file for one."""
    if why := why_no_grade(report):
        raise InfrastructureError(f"There is no grade to export. {why}", "Grade it where all of it can be measured.")


def measured(report: Report) -> list[CriterionScore]:
    """The criteria that have points, in the rubric's order.

    Speed is none of them on the simulator, though a wrong kernel is known to earn nothing for it: the maximum is to be
    the same for the whole class.
    """
    return [one for one in _criteria(report) if _is_measured(report, one)]


def not_measured(report: Report) -> list[CriterionScore]:
    """The criteria that this machine could not measure."""
    return [one for one in _criteria(report) if not _is_measured(report, one)]


def earned(report: Report) -> float:
    """Points out of `maximum`."""
    return math.fsum(rounded(one) for one in measured(report))


def maximum(report: Report) -> float:
    """All points that were measured."""
    return math.fsum(one.points for one in measured(report))


def rounded(one: CriterionScore) -> float:
    """Points as every gradebook keeps them, in hundredths."""
    return min(one.points, round(one.earned or 0.0, 2))


def passed(report: Report, one: CriterionScore) -> bool:
    """An answer passes where it is complete. Speed passes where it earns anything: a slower kernel is no broken one."""
    return is_full(one) if _is_answer(report, one) else bool(one.earned)


def all_right(report: Report) -> bool:
    """Whether nothing of the submission failed, so that its speed may be compared with others'."""
    verdicts = {one.verdict for one in report.results} | ({report.fault.verdict} if report.fault else set())
    return bool(report.results) and not any(verdict.is_students_fault for verdict in verdicts)


def title(one: CriterionScore) -> str:
    """The criterion's title as one short line."""
    return one_line(one.title, LONGEST_TITLE) or one.id


def said_of_unmeasured(report: Report) -> str:
    """Return the sentence about points that are no part of the score, and nothing where there are none."""
    rest = not_measured(report)
    if not rest:
        return ""
    points = math.fsum(one.points for one in rest)
    names = ", ".join(f"{title(one)} ({one.points:g})" for one in rest)
    whole = maximum(report) + points
    return f"{points:g} of {whole:g} points were not measured and are no part of this score: {names}."


def _criteria(report: Report) -> tuple[CriterionScore, ...]:
    return () if report.score is None else report.score.criteria


def _is_measured(report: Report, one: CriterionScore) -> bool:
    measurable = _is_answer(report, one) or report.machine.backend.capabilities.measures_speed
    return one.earned is not None and measurable


def _is_answer(report: Report, one: CriterionScore) -> bool:
    kinds = {criterion.id: KINDS[criterion.kind] for criterion in report.rubric.criteria}
    return one.id in kinds and not kinds[one.id].needs_timing
