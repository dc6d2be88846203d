"""The exit status of a grade. Apart from the console, which commands that load no report print to as well."""

from __future__ import annotations

from grader.cli.console import FAILED, GRADER_ERROR, NOT_HERE, PASSED
from grader.model import Report
from grader.rubric.outcome import GradeOutcome, outcome

STATUS = {GradeOutcome.CORRECT: PASSED, GradeOutcome.WRONG: FAILED, GradeOutcome.NOT_HERE: NOT_HERE}


def status(report: Report) -> int:
    """Return the exit status for a report."""
    return STATUS.get(outcome(report), GRADER_ERROR)
