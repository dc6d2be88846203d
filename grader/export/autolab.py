"""Autolab: feedback, a line for the formatted view, and the scores in the last line of standard output.

The problems of the assessment have the names of the ids of the rubric's criteria. Autolab reads a last line that is no
JSON, or has no scores, as zeros (autolab/Autolab, saveAutograde). So there always is one, and it contains null for what
is unknown: for criteria that were not measured, and for all after a grader error.
"""

from __future__ import annotations

from grader.export import feedback, points
from grader.export.json_text import Json, line
from grader.model import Report
from grader.rubric.rounding import shown


def render(report: Report) -> str:
    """Return all that the grader prints."""
    return f"{feedback.bounded_explanation(report)}\n{line(_presentation(report))}\n{line(_scores(report))}\n"


def _presentation(report: Report) -> Json:
    """Return the formatted view: a stage for the criteria, and one for the speeds."""
    if points.why_no_grade(report):
        return {"_presentation": "semantic", "stages": []}
    criteria = {
        criterion.title: {
            "passed": criterion.passed,
            "hint": f"{shown(criterion.earned)} of {shown(criterion.points)}. {criterion.reason}",
        }
        for criterion in points.measured(report)
    }
    speeds = {str(measurement.shape): round(measurement.gflops.median, 1) for measurement in report.measurements}
    stages = {name: stage for name, stage in (("Points", criteria), ("GFLOPS", speeds)) if stage}
    return {"_presentation": "semantic", "stages": list(stages), **stages}


def _scores(report: Report) -> Json:
    """Return the scores, null where they are unknown, and the row of the scoreboard: GFLOPS and points."""
    graded = [] if points.why_no_grade(report) else points.to_add_up(report)
    known = {criterion.id: criterion.earned for criterion in graded}
    scores = {criterion.id: known.get(criterion.id) for criterion in report.rubric.criteria}
    fastest = feedback.largest(report)
    if fastest is None:
        return {"scores": scores}
    return {"scores": scores, "scoreboard": [round(fastest.gflops.median, 1), points.earned(report)]}
