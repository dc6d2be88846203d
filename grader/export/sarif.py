"""SARIF 2.1.0 (OASIS): mistakes with their lines, for GitHub code scanning and editors.

A submission that cannot be graded here, and a grader error, are notifications of the tool and not results: neither is a
mistake in the code.
"""

from __future__ import annotations

from urllib.parse import quote

from grader.export import feedback, points
from grader.export.json_text import Json, document
from grader.model import Report, Verdict
from grader.text.clean import shorten

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION = "2.1.0"
LONGEST_MESSAGE, MOST_RESULTS = 2000, 1000


def render(report: Report, path: str) -> str:
    """Return the log with one run. `path` is relative to the root of the repository."""
    why = points.why_no_grade(report)
    invocation: Json = {"executionSuccessful": not why}
    if why:
        invocation["toolExecutionNotifications"] = [{"level": "error", "message": {"text": why}}]
    mistakes = feedback.every_mistake(report)[:MOST_RESULTS]
    run = {
        "tool": {"driver": _driver(report)},
        "invocations": [invocation],
        "results": [_result(report, mistake, path) for mistake in mistakes],
    }
    return document({"$schema": SCHEMA, "version": VERSION, "runs": [run]})


def _driver(report: Report) -> Json:
    rules = [verdict for verdict in Verdict if verdict.is_students_fault]
    return {
        "name": "matmul-grader",
        "version": report.grader_version,
        "rules": [{"id": rule, "shortDescription": {"text": rule.words.capitalize()}} for rule in rules],
    }


def _result(report: Report, mistake: feedback.Mistake, path: str) -> Json:
    return {
        "ruleId": mistake.verdict,
        "level": "error",
        "message": {"text": shorten(mistake.advice(mistake.sentence), LONGEST_MESSAGE)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(path.removeprefix("./"))},
                    "region": {"startLine": feedback.line_to_show(report, mistake)},
                }
            }
        ],
    }
