"""GitHub Classroom: the result of a grading step for the reporter, and the two notices that the reporter writes.

The format is that of classroom-resources/autograding-grading-reporter, which takes points from every runner whose
maximum is not zero. After a grader error the maximum is zero and the status is error, so the points stay as they are.
"""

from __future__ import annotations

import base64

from grader.export import feedback, points
from grader.export.github_actions import command
from grader.export.json_text import Json, line
from grader.model import Report
from grader.text.clean import one_line

VERSION = 1


def result(report: Report) -> Json:
    """Return what the reporter reads: one test for each measured criterion."""
    if why := points.why_no_grade(report):
        return {
            "version": VERSION,
            "status": "error",
            "max_score": 0,
            "tests": [_test(points.why_title(report), "error", 0, why)],
        }
    first = next((mistake.line for mistake in feedback.mistakes(report) if mistake.line), 0)
    source = one_line(report.source.name, 200)
    tests = [
        _test(criterion.title, "pass" if criterion.passed else "fail", criterion.earned, criterion.reason)
        | {"filename": source, "line_no": 0 if criterion.passed else first}
        for criterion in points.measured(report)
    ]
    status = "pass" if points.all_correct(report) else "fail"
    return {"version": VERSION, "status": status, "max_score": points.maximum(report), "tests": tests}


def encoded(report: Report) -> str:
    """Return the value of the step's output `result`: JSON in base64, on one line."""
    return base64.b64encode(line(result(report)).encode()).decode() + "\n"


def notices(report: Report) -> str:
    """Return the two notices, for workflows without a reporter; empty if there is no grade."""
    if points.why_no_grade(report):
        return ""
    earned, maximum = points.earned(report), points.maximum(report)
    totals = f'{{"totalPoints":{earned:g},"maxPoints":{maximum:g}}}'
    complete = command("notice", f"Points {earned:g}/{maximum:g}", title="Autograding complete")
    return f"{complete}\n{command('notice', totals, title='Autograding report')}\n"


def _test(name: str, status: str, score: float, message: str) -> Json:
    empty = {"test_code": "", "filename": "", "line_no": 0, "duration": 0}
    return {"name": name, "status": status, "score": score, "message": message, **empty}
