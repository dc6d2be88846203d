"""Autolab: feedback, a line for the formatted view, and the scores in the last line of standard output.

The problems of the assessment are called like the ids of the rubric's criteria. Autolab turns a last line that it
cannot read, or that has no scores, into zeros (autolab/Autolab, saveAutograde); so there always is one, and it says
null where nothing is known: for what was not measured, and for everything where the grader failed.
"""

from __future__ import annotations

import json
from typing import Any

from grader.export import feedback, points
from grader.model import CriterionScore, Report
from grader.text.clean import one_line, shorten


def render(report: Report) -> str:
    """Return all that the grader prints."""
    said = shorten(feedback.explanation(report), feedback.LONGEST_EXPLANATION)
    return f"{said}\n{_line(presentation(report))}\n{_line(autoresult(report))}\n"


def presentation(report: Report) -> dict[str, Any]:
    """Return the formatted view: a stage for the criteria, and one for the speeds."""
    stages: dict[str, Any] = {}
    if not points.why_no_grade(report):
        stages["Points"] = {points.title(one): _outcome(report, one) for one in points.measured(report)}
        stages["GFLOPS"] = {str(one.shape): round(one.gflops.median, 1) for one in report.measurements}
    filled = {name: tests for name, tests in stages.items() if tests}
    return {"_presentation": "semantic", "stages": list(filled), **filled}


def autoresult(report: Report) -> dict[str, Any]:
    """Return the scores, null where they are unknown, and the row of the scoreboard: GFLOPS and points."""
    known = {} if points.why_no_grade(report) else {one.id: points.rounded(one) for one in points.measured(report)}
    scores = {one.id: known.get(one.id) for one in report.rubric.criteria}
    fastest = feedback.largest(report)
    row = {} if fastest is None else {"scoreboard": [round(fastest.gflops.median, 1), points.earned(report)]}
    return {"scores": scores, **row}


def _outcome(report: Report, one: CriterionScore) -> dict[str, Any]:
    said = f"{points.rounded(one):g} of {one.points:g}. {one_line(one.reason, feedback.LONGEST_SENTENCE)}"
    return {"passed": points.passed(report, one), "hint": said}


def _line(values: dict[str, Any]) -> str:
    return json.dumps(values, allow_nan=False)
