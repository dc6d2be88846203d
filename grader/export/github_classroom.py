"""GitHub Classroom: the result of a grading step for the reporter, and the two notices that the reporter writes.

The format is that of classroom-resources/autograding-grading-reporter, which takes points from every runner whose
maximum is not zero. After a grader error the maximum is zero and the status is error, so the points stay as they are.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from itertools import accumulate

from grader.export import feedback, points
from grader.export.github_actions import command
from grader.export.json_text import Json, line
from grader.model import Report
from grader.rubric.rounding import rounded, shown
from grader.text.clean import one_line
from grader.text.remarks import hidden_note

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
    first = next((feedback.line_to_show(report, each) for each in feedback.mistakes(report) if each.line), 0)
    source, note = one_line(report.source.name, 200), hidden_note(report.rubric)
    tests = [
        _test(criterion.title, "pass" if criterion.passed else "fail", earned, f"{criterion.reason} {note}".strip())
        | {"filename": source, "line_no": 0 if criterion.passed else first}
        for criterion, earned in zip(points.measured(report), _summands(report), strict=True)
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
    earned, maximum = shown(points.earned(report)), shown(points.maximum(report))
    totals = f'{{"totalPoints":{earned},"maxPoints":{maximum}}}'
    complete = command("notice", f"Points {earned}/{maximum}", title="Autograding complete")
    note = hidden_note(report.rubric)
    more = [command("notice", note, title="More sizes")] if note else []
    return "".join(f"{each}\n" for each in (complete, command("notice", totals, title="Autograding report"), *more))


def _summands(report: Report) -> Iterator[float]:
    """Yield the tests' scores, which the reporter adds up in floating point and shows as they are, never one by one.

    Sums of binary fractions are exact, so 0.1 and 0.2 are 0.3 there and not 0.30000000000000004.
    """
    whole, running = points.earned(report), 0.0
    for after in accumulate(criterion.earned for criterion in points.to_add_up(report)):
        then = whole if rounded(after) == whole else round(after * 2**20) / 2**20
        yield then - running
        running = then


def _test(name: str, status: str, score: float, message: str) -> Json:
    empty = {"test_code": "", "filename": "", "line_no": 0, "duration": 0}
    return {"name": name, "status": status, "score": score, "message": message, **empty}
