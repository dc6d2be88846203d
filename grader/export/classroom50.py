"""Classroom 50: result.json, schema classroom50/result/v1 (wiki of foundation50/classroom50, "Advanced Autograding").

The runner says whose result it is and checks that; nothing is taken from the submission. Points are whole numbers.
After a grader error there is no result: the command then fails, which the runner records as an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from grader.errors import UsageError
from grader.export import feedback, points
from grader.export.json_text import document
from grader.model import Report
from grader.text.clean import shorten

SCHEMA = "classroom50/result/v1"
LONGEST_OUTPUT = 2000  # what Classroom 50 keeps


def render(report: Report, submission: Mapping[str, str]) -> str:
    """Return result.json.

    `submission` has the fields with which the runner describes it: among them `datetime`, the time of submission, which
    a regrade keeps. The runner fills in what is empty.

    Raises InfrastructureError if there is no grade, UsageError for a date that is none.
    """
    points.check_graded(report)
    criteria = points.to_add_up(report, digits=0)
    tests = [
        {
            "test-name": criterion.title,
            "passed": criterion.passed,
            "score": int(criterion.earned),
            "max-score": int(criterion.points),
            "output": shorten(output, LONGEST_OUTPUT),
        }
        for criterion, output in zip(criteria, points.explained(criteria, feedback.explanation(report)), strict=True)
    ]
    return document(
        {
            "schema": SCHEMA,
            **{name: value for name, value in submission.items() if value},
            "datetime": _utc(submission["datetime"]),
            "graded_at": _utc(report.started),
            "score": int(sum(criterion.earned for criterion in criteria)),
            "max-score": int(sum(criterion.points for criterion in criteria)),
            "tests": tests,
        }
    )


def _utc(time: str) -> str:
    """Return the time as Classroom 50 requires it: in UTC, to the second, with a Z."""
    try:
        return datetime.fromisoformat(time).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError) as error:
        hint = "Give it as `git log -1 --format=%cI` prints it."
        raise UsageError(f"“{time}” is not a date with a time and its offset from UTC.", hint) from error
