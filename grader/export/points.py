"""The points of a report as other places keep them: what was measured, what was not, and whether there is a grade.

Three rules for every place. A score and its maximum contain only criteria that this machine can measure. The others are
named beside the score, and count neither as full nor as zero. After a grader error there is no score at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.errors import InfrastructureError, NotGradableHereError
from grader.model import CriterionScore, Report, State
from grader.rubric import rounding
from grader.rubric.criteria import KINDS
from grader.rubric.outcome import ELSEWHERE, GradeOutcome, grade, next_step, outcome, unchecked
from grader.rubric.rounding import DIGITS, rounded, shown, total
from grader.rubric.score import is_full
from grader.text.clean import one_line
from grader.text.remarks import hidden_note

LONGEST_TITLE, LONGEST_REASON = 200, 500


@dataclass(frozen=True, slots=True)
class CriterionPoints:
    """One criterion in clean text of bounded length. Its points are rounded by themselves: see `to_add_up`."""

    id: str
    title: str
    earned: float
    points: float
    passed: bool
    reason: str


def why_no_grade(report: Report) -> str:
    """Return the sentence that says why there is no grade; empty if there is one."""
    if grade(report) is not None:
        return ""
    if report.state is not State.FINISHED or report.score is None:
        why = report.infrastructure or f"The report is not complete: its state is {report.state}."
        return f"The grader could not finish. {one_line(why, 500)} This costs no points. {next_step(report)}"
    if not report.score.criteria:
        return f"There are no points for the sizes that are shown. {hidden_note(report.rubric)}"
    unknown = [criterion for criterion in report.score.criteria if criterion.id in unchecked(report)]
    if not unknown:
        return f"No criterion with points can be measured on this machine. This costs no points. {ELSEWHERE}"
    why = report.fault.sentence if report.fault is not None else unknown[0].reason
    sentence = f"“{_title(unknown[0])}” cannot be measured on this machine. {one_line(why, 500)} This costs no points."
    return f"{sentence} {one_line(next_step(report), 500)}"


def check_graded(report: Report) -> None:
    """Raise InfrastructureError if there is no grade, for places that read any file as a grade.

    It is NotGradableHereError if another machine can grade the submission.
    """
    if why := why_no_grade(report):
        kind = InfrastructureError if _is_grader_error(report) else NotGradableHereError
        raise kind(f"There is no grade to export. {why}")


def why_title(report: Report) -> str:
    """Return the reason why there is no grade in a few words: a grader error, or this machine."""
    return "Grader error, no grade" if _is_grader_error(report) else "No grade on this machine"


def _is_grader_error(report: Report) -> bool:
    return outcome(report) in {GradeOutcome.GRADER_ERROR, GradeOutcome.UNFINISHED}


def measured(report: Report) -> list[CriterionPoints]:
    """Return the measured criteria, in the rubric's order."""
    return [_points(report, criterion) for criterion in _criteria(report, measured=True)]


def not_measured(report: Report) -> list[CriterionPoints]:
    """Return the criteria that this machine could not measure."""
    return [_points(report, criterion) for criterion in _criteria(report, measured=False)]


def earned(report: Report) -> float:
    """Return the points out of `maximum`: the exact sum, rounded once."""
    return rounded(report.score.earned) if report.score else 0.0


def maximum(report: Report) -> float:
    """Return the points of all measured criteria."""
    return rounded(total(criterion.points for criterion in _criteria(report, measured=True)))


def share(report: Report) -> float:
    """Return the unrounded points as a share of the unrounded maximum."""
    maximum = total(criterion.points for criterion in _criteria(report, measured=True))
    return min(1.0, report.score.earned / maximum) if report.score else 0.0


def to_add_up(report: Report, digits: int = DIGITS) -> list[CriterionPoints]:
    """Return the measured criteria for a platform that adds their points up: the sums are `earned` and `maximum`.

    Rounded one by one, eight times 0.125 points would be 1.04 or 0.96.
    """
    criteria = _criteria(report, measured=True)
    earned = rounding.parts([criterion.earned or 0.0 for criterion in criteria], digits)
    most = rounding.parts([criterion.points for criterion in criteria], digits)
    parts = zip(measured(report), earned, most, strict=True)
    return [replace(criterion, earned=part, points=whole) for criterion, part, whole in parts]


def explained(criteria: Sequence[CriterionPoints], explanation: str) -> list[str]:
    """Return the reason of each criterion; to that of the first that failed, or else the first, add the explanation."""
    place = next((place for place, criterion in enumerate(criteria) if not criterion.passed), 0)
    reasons = [criterion.reason for criterion in criteria]
    reasons[place] = f"{reasons[place]}\n\n{explanation}".strip()
    return reasons


def all_correct(report: Report) -> bool:
    """Whether no part of the submission failed, so that its speed may be compared with others."""
    return bool(report.results) and not any(verdict.is_students_fault for verdict in report.verdicts)


def not_measured_sentence(report: Report) -> str:
    """Return the sentence about the points that were not measured; empty if all were."""
    rest = not_measured(report)
    if not rest:
        return ""
    every = [_criteria(report, measured=False), report.score.criteria if report.score else ()]
    points, whole = (shown(total(criterion.points for criterion in criteria)) for criteria in every)
    names = ", ".join(f"{criterion.title} ({shown(criterion.points)})" for criterion in rest)
    return f"{points} of {whole} points were not measured and are not part of this score: {names}."


def _points(report: Report, criterion: CriterionScore) -> CriterionPoints:
    """Speed passes if it earns anything: a slow kernel is not a broken one."""
    passed = is_full(criterion) if _is_answer(report, criterion) else bool(criterion.earned)
    earned, points = rounded(criterion.earned or 0.0), rounded(criterion.points)
    reason = one_line(criterion.reason, LONGEST_REASON)
    return CriterionPoints(criterion.id, _title(criterion), earned, points, passed, reason)


def _title(criterion: CriterionScore) -> str:
    return one_line(criterion.title, LONGEST_TITLE) or criterion.id


def _criteria(report: Report, *, measured: bool) -> list[CriterionScore]:
    criteria = report.score.criteria if report.score else ()
    return [criterion for criterion in criteria if (criterion.earned is not None) is measured]


def _is_answer(report: Report, criterion: CriterionScore) -> bool:
    """Whether the criterion is passed or failed, and not more or less fast."""
    kinds = {criterion.id: KINDS[criterion.kind] for criterion in report.rubric.criteria}
    return criterion.id in kinds and not kinds[criterion.id].needs_timing
