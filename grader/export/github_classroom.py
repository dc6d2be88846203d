"""GitHub Classroom: what a grader step hands to the reporter, and the two notices that the reporter writes.

The form is that of classroom-resources/autograding-grading-reporter, which takes points from any runner whose maximum
is not zero; so a fault of ours has the maximum zero, is an error, and leaves the points as they are.
"""

from __future__ import annotations

import base64
import json
from typing import Any

from grader.export import feedback, points
from grader.export.github_actions import command
from grader.model import CriterionScore, Report
from grader.text.clean import one_line

VERSION = 1


def result(report: Report) -> dict[str, Any]:
    """Return what the reporter reads: one test for each criterion that was measured."""
    if why := points.why_no_grade(report):
        return {"version": VERSION, "status": "error", "max_score": 0, "tests": [_test("Grading", "error", 0, why)]}
    tests = [_criterion(report, one) for one in points.measured(report)]
    status = "pass" if points.all_right(report) else "fail"
    return {"version": VERSION, "status": status, "max_score": points.maximum(report), "tests": tests}


def encoded(report: Report) -> str:
    """Return the value of the step's output `result`: JSON in base64, on one line."""
    return base64.b64encode(json.dumps(result(report), allow_nan=False).encode()).decode() + "\n"


def notices(report: Report) -> str:
    """Return the two notices, where no reporter follows; nothing where there is no grade."""
    if points.why_no_grade(report):
        return ""
    earned, maximum = points.earned(report), points.maximum(report)
    totals = f'{{"totalPoints":{earned:g},"maxPoints":{maximum:g}}}'
    complete = command("notice", f"Points {earned:g}/{maximum:g}", title="Autograding complete")
    return f"{complete}\n{command('notice', totals, title='Autograding report')}\n"


def _criterion(report: Report, one: CriterionScore) -> dict[str, Any]:
    status = "pass" if points.passed(report, one) else "fail"
    message = one_line(one.reason, feedback.LONGEST_SENTENCE)
    line = next((found.line for found in feedback.mistakes(report) if found.line), None) if status == "fail" else None
    test = _test(points.title(one), status, points.rounded(one), message)
    return {**test, "filename": one_line(report.source.name, 200), "line_no": line or 0}


def _test(name: str, status: str, score: float, message: str) -> dict[str, Any]:
    empty = {"test_code": "", "filename": "", "line_no": 0, "duration": 0}
    return {"name": name, "status": status, "score": score, "message": message, **empty}
