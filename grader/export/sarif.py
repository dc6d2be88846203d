"""SARIF 2.1.0 (OASIS): mistakes with their lines, for GitHub code scanning and editors.

A submission that cannot be graded here, and a grader error, are notifications of the tool and not results: neither is a
mistake in the code.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from grader.export import feedback, points
from grader.export.json_text import Json, document
from grader.model import Fault, Report, Verdict
from grader.text.clean import shorten

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION = "2.1.0"
LONGEST_MESSAGE, MOST_RESULTS = 2000, 1000

HELP = "Each result says what happened, where, and what to try."


def render(report: Report, path: str) -> str:
    """Return the log with one run. `path` is relative to the root of the repository."""
    why = points.why_no_grade(report)
    invocation: Json = {"executionSuccessful": not why}
    if why:
        invocation["toolExecutionNotifications"] = [{"level": "error", "message": {"text": why}}]
    mistakes = feedback.every_mistake(report)[:MOST_RESULTS]
    run = {
        "tool": {"driver": _driver(report, mistakes)},
        "invocations": [invocation],
        "results": [_result(report, mistake, path) for mistake in mistakes],
    }
    return document({"$schema": SCHEMA, "version": VERSION, "runs": [run]})


def _driver(report: Report, mistakes: Sequence[Fault]) -> Json:
    rules = [_rule(verdict) for verdict in dict.fromkeys(mistake.verdict for mistake in mistakes)]
    return {"name": "matmul-grader", "version": report.grader_version, "rules": rules}


def _rule(verdict: Verdict) -> Json:
    """Return a rule with what GitHub's code scanning requires."""
    words = verdict.words.capitalize()
    return {
        "id": verdict,
        "shortDescription": {"text": words},
        "fullDescription": {"text": f"{words}."},
        "help": {"text": HELP},
    }


def _result(report: Report, mistake: Fault, path: str) -> Json:
    line = feedback.line_to_show(report, mistake)
    places = {report.source.place(access.line): access.does for access in mistake.accesses if access.line}
    others = {at: does for (name, at), does in places.items() if name == report.source.name and at != line}
    result: Json = {
        "ruleId": mistake.verdict,
        "level": "error",
        "message": {"text": shorten(feedback.with_hint(mistake, mistake.sentence), LONGEST_MESSAGE)},
        "locations": [_location(path, line)],
    }
    if others:
        result["relatedLocations"] = [_location(path, at) | {"message": {"text": does}} for at, does in others.items()]
    return result


def _location(path: str, line: int) -> Json:
    place = {"artifactLocation": {"uri": quote(path.removeprefix("./"))}, "region": {"startLine": line}}
    return {"physicalLocation": place}
