"""PrairieLearn: /grade/results/results.json (docs/externalGrading.md of PrairieLearn).

`score` is the share of the question's points, so a question is worth what can be measured where it is graded. What does
not compile, and what failed on our side, is not gradable: it earns nothing and uses up no attempt.
"""

from __future__ import annotations

import json
from typing import Any

from grader.export import feedback, points
from grader.model import CriterionScore, Report
from grader.text.clean import one_line, shorten


def results(report: Report) -> dict[str, Any]:
    """Return the whole of results.json."""
    mistakes = [feedback.paragraph(one, report.source.name) for one in feedback.mistakes(report)]
    if why := points.why_no_grade(report):
        return _not_gradable(why, *mistakes)
    if report.fault is not None:
        return _not_gradable(*mistakes)
    share = points.earned(report) / points.maximum(report)
    return {
        "gradable": True,
        "score": min(1.0, max(0.0, share)),
        "message": " ".join(part for part in (feedback.total(report), points.said_of_unmeasured(report)) if part),
        "output": shorten(feedback.explanation(report), feedback.LONGEST_EXPLANATION),
        "tests": [_test(one) for one in points.measured(report)],
    }


def render(report: Report) -> str:
    """Return results.json as text, at most 1 MB of it."""
    return json.dumps(results(report), indent=2, allow_nan=False) + "\n"


def _not_gradable(*errors: str) -> dict[str, Any]:
    return {"gradable": False, "format_errors": list(errors), "message": "This attempt was not graded."}


def _test(one: CriterionScore) -> dict[str, Any]:
    return {
        "name": points.title(one),
        "points": points.rounded(one),
        "max_points": one.points,
        "message": one_line(one.reason, feedback.LONGEST_SENTENCE),
    }
