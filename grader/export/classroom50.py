"""Classroom 50: result.json, schema classroom50/result/v1 (wiki of foundation50/classroom50, "Advanced Autograding").

The runner says whose result it is and checks that; nothing is taken from the submission. Points are whole numbers.
After a grader error there is no result: the command then fails, which the runner records as an error.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from grader.export import feedback, points
from grader.export.json_text import document
from grader.model import Report
from grader.text.clean import shorten

SCHEMA = "classroom50/result/v1"
LONGEST_OUTPUT = 2000  # what Classroom 50 keeps


@dataclass(frozen=True, slots=True)
class Repository:
    """The submission, as the runner describes it. `datetime` is the time of submission, which a regrade keeps.

    The runner fills in `owner` and `assignment_type` if they are empty.
    """

    classroom: str
    assignment: str
    submission: str
    commit: str
    release: str
    review: str
    datetime: str
    owner: str = ""
    assignment_type: str = ""


def render(report: Report, repository: Repository) -> str:
    """Return result.json. Raises InfrastructureError if there is no grade."""
    points.check_graded(report)
    measured = points.measured(report)
    tests = [
        {
            "test-name": one.title,
            "passed": one.passed,
            "score": round(one.earned),
            "max-score": round(one.points),
            "output": one.reason,
        }
        for one in measured
    ]
    return document(
        {
            "schema": SCHEMA,
            **{name: value for name, value in asdict(repository).items() if value},
            "graded_at": _utc(report.started),
            "score": sum(round(one.earned) for one in measured),
            "max-score": sum(round(one.points) for one in measured),
            "tests": tests,
            "output": shorten(feedback.explanation(report), LONGEST_OUTPUT),
        }
    )


def _utc(started: str) -> str:
    with suppress(ValueError, OverflowError):
        return datetime.fromisoformat(started).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return started
