"""Classroom 50: result.json, schema classroom50/result/v1 (wiki of foundation50/classroom50, "Advanced Autograding").

Who handed in what comes from the runner and is checked there; nothing of it is taken from the submission. Points are
whole numbers. A fault of ours is no result: the grader then ends with an error, which the runner records as one.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from grader.export import feedback, points
from grader.model import CriterionScore, Report
from grader.text.clean import one_line, shorten

SCHEMA = "classroom50/result/v1"
LONGEST_OUTPUT = 2000  # what Classroom 50 keeps


@dataclass(frozen=True, slots=True)
class Repository:
    """Whose result it is, as the runner says. `datetime` is when it was handed in, and stays at a regrade.

    The runner itself fills in the owner and the type of the assignment where they are empty.
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


def result(report: Report, repository: Repository) -> dict[str, Any]:
    """Return the whole of result.json. Raises InfrastructureError where there is no grade."""
    points.check_graded(report)
    tests = [_test(report, one) for one in points.measured(report)]
    return {
        "schema": SCHEMA,
        **{name: value for name, value in asdict(repository).items() if value},
        "graded_at": _utc(report.started),
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
        "output": shorten(feedback.explanation(report), LONGEST_OUTPUT),
    }


def render(report: Report, repository: Repository) -> str:
    """Return result.json as text."""
    return json.dumps(result(report, repository), indent=2, allow_nan=False) + "\n"


def _test(report: Report, one: CriterionScore) -> dict[str, Any]:
    return {
        "test-name": points.title(one),
        "passed": points.passed(report, one),
        "score": round(points.rounded(one)),
        "max-score": round(one.points),
        "output": one_line(one.reason, feedback.LONGEST_SENTENCE),
    }


def _utc(started: str) -> str:
    with suppress(ValueError, OverflowError):
        return datetime.fromisoformat(started).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return started
