"""PrairieLearn: /grade/results/results.json (docs/externalGrading.md of PrairieLearn).

`score` is a share of the question's points, so a question should be worth what can be measured where it is graded. A
file that does not compile is not gradable, and neither is one after a grader error: no points, and no attempt used up.
"""

from __future__ import annotations

from grader.export import feedback, points
from grader.export.json_text import document
from grader.model import Report


def render(report: Report) -> str:
    """Return results.json, at most 1 MB."""
    mistakes = [feedback.paragraph(mistake, report.source) for mistake in feedback.mistakes(report)]
    if why := points.why_no_grade(report):
        return _not_gradable(why, *mistakes)
    if report.fault is not None:
        return _not_gradable(*mistakes)
    tests = [
        {"name": each.title, "points": each.earned, "max_points": each.points, "message": each.reason}
        for each in points.to_add_up(report)
    ]
    return document(
        {
            "gradable": True,
            "score": points.share(report),
            "message": f"{feedback.total(report)} {points.not_measured_sentence(report)}".strip(),
            "output": feedback.bounded_explanation(report),
            "tests": tests,
        }
    )


def _not_gradable(*errors: str) -> str:
    return document({"gradable": False, "format_errors": list(errors), "message": "This attempt was not graded."})
