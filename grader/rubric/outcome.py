"""The outcome of a submission: correct, wrong, not gradable on this machine, or a grader error; and what to do next.

Every view and every format uses this module, so that none confuses them.
"""

from enum import StrEnum

from grader.model import CriterionScore, Fault, Report, Score, State, Verdict
from grader.model.reports import leading_faults
from grader.rubric.criteria import KINDS


class GradeOutcome(StrEnum):
    """The outcome of a submission. Only WRONG costs points."""

    CORRECT = "correct"
    WRONG = "wrong"
    NOT_HERE = "cannot-be-graded-here"
    GRADER_ERROR = "grader-error"
    UNFINISHED = "unfinished"


ELSEWHERE = "Grade it on a machine with a GPU."
_NEXT = {
    GradeOutcome.CORRECT: "",
    GradeOutcome.WRONG: "Fix the first mistake, and submit the file again.",
    GradeOutcome.NOT_HERE: ELSEWHERE,
    GradeOutcome.GRADER_ERROR: "Grade it again when the cause is fixed; the file need not change.",
    GradeOutcome.UNFINISHED: "Grade it again; the file need not change.",
}


def outcome(report: Report) -> GradeOutcome:
    """Return the outcome of the submission, which is WRONG after any fault, even if other cases could not run."""
    if report.state is State.INFRASTRUCTURE_FAULT:
        return GradeOutcome.GRADER_ERROR
    if report.state is not State.FINISHED:
        return GradeOutcome.UNFINISHED
    if any(verdict.is_students_fault for verdict in report.verdicts):
        return GradeOutcome.WRONG
    return GradeOutcome.CORRECT if set(report.verdicts) == {Verdict.OK} else GradeOutcome.NOT_HERE


def next_step(report: Report) -> str:
    """Return what to do next, as a sentence; empty for a correct submission."""
    ended = outcome(report)
    return next((fault.hint for fault in leading_faults(report) if _decides(fault, ended) and fault.hint), _NEXT[ended])


def grade(report: Report) -> Score | None:
    """Return the score that counts; None if the report is not finished, or part of the answers could not be checked.

    Such a partial score would look like a complete one.
    """
    score = report.score
    if report.state is not State.FINISHED or score is None or unchecked(report) or score.points == score.not_measured:
        return None
    return score


def unchecked(report: Report) -> list[str]:
    """Return the ids of the criteria other than speed that could not be checked on this machine."""
    answers = {criterion.id for criterion in report.rubric.criteria if not KINDS[criterion.kind].needs_timing}
    criteria = report.score.criteria if report.score else ()
    return [criterion.id for criterion in criteria if criterion.earned is None and criterion.id in answers]


def _decides(fault: Fault, ended: GradeOutcome) -> bool:
    if ended is GradeOutcome.WRONG:
        return fault.verdict.is_students_fault
    return ended is GradeOutcome.NOT_HERE and fault.verdict is Verdict.NOT_SUPPORTED


def own_reason(criterion: CriterionScore, score: Score) -> str:
    """Return its reason without that of the criterion it depends on, which has a row of its own in the same table."""
    others = (other.reason for other in score.criteria if other.reason != criterion.reason)
    ending = next((reason for reason in others if reason and criterion.reason.endswith(reason)), "")
    return criterion.reason.removesuffix(ending).rstrip()
