"""Gradescope: /autograder/results/results.json (gradescope-autograders.readthedocs.io, "Autograder Specifications").

Gradescope reads any file as the student's score, so there is no file after a grader error: Gradescope then shows that
the autograder failed, gives no score, and lets staff run it again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from grader.export import feedback, points
from grader.export.json_text import Json, document
from grader.model import Report

ONE_FILE = "Submit one file that ends in .cu, with the files that it includes."


class Visibility(StrEnum):
    """When Gradescope shows something to students."""

    VISIBLE = "visible"
    HIDDEN = "hidden"
    AFTER_DUE_DATE = "after_due_date"
    AFTER_PUBLISHED = "after_published"


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """When students see the tests and the autograder's output, and whether there is a leaderboard.

    A leaderboard reveals who has a correct kernel, so by default there is one only if the tests are visible.
    """

    visibility: Visibility = Visibility.VISIBLE
    stdout_visibility: Visibility = Visibility.HIDDEN
    leaderboard: bool | None = None

    @property
    def has_leaderboard(self) -> bool:
        return self.visibility is Visibility.VISIBLE if self.leaderboard is None else self.leaderboard

    @property
    def words(self) -> tuple[str, ...]:
        """The same as options of the command."""
        leaderboard = "--leaderboard" if self.has_leaderboard else "--no-leaderboard"
        return (f"--visibility={self.visibility}", f"--stdout-visibility={self.stdout_visibility}", leaderboard)


DEFAULT = DisplayOptions()


def render(report: Report, display: DisplayOptions = DEFAULT) -> str:
    """Return results.json. Points that were not measured are in no maximum; the explanation names them.

    Raises InfrastructureError if there is no grade.
    """
    points.check_graded(report)
    visible = display.visibility is Visibility.VISIBLE
    explanation = feedback.bounded_explanation(report)
    return document(
        {
            **({"output": explanation} if visible else {}),
            "output_format": "text",
            "test_output_format": "text",
            "visibility": display.visibility,
            "stdout_visibility": display.stdout_visibility,
            "execution_time": round(math.fsum(report.stages.values()), 3),
            "tests": _tests(report, "" if visible else explanation),
            **({"leaderboard": _leaderboard(report)} if display.has_leaderboard else {}),
            "extra_data": {"seed": report.seed, "backend": report.machine.backend, "grader": report.grader_version},
        }
    )


def without_one_file(maximum: float) -> str:
    """Return results.json for a submission without a .cu file to grade, or with several.

    Students see it at once whatever else is hidden: it reveals nothing about the tests, and they can still fix it.
    """
    test = {"name": "Submission", "score": 0, "max_score": maximum, "status": "failed", "output": ONE_FILE}
    return document({"output": ONE_FILE, "output_format": "text", "tests": [test]})


def _tests(report: Report, explanation: str) -> list[Json]:
    """Return the tests, whose scores Gradescope adds up. The explanation in one of them is hidden with it."""
    criteria = points.to_add_up(report)
    outputs = points.explained(criteria, explanation)
    return [
        {
            "name": criterion.title,
            "name_format": "text",
            "number": str(number),
            "score": criterion.earned,
            "max_score": criterion.points,
            "status": "passed" if criterion.passed else "failed",
            "output": output,
        }
        for number, (criterion, output) in enumerate(zip(criteria, outputs, strict=True), 1)
    ]


def _leaderboard(report: Report) -> list[Json]:
    """Return speed first, because Gradescope sorts by the first column; empty if a result is incorrect or untimed."""
    fastest = feedback.largest(report)
    if fastest is None:
        return []
    columns = {f"GFLOPS at {fastest.shape}": fastest.gflops, "Speed-up": fastest.speedup}
    columns |= {"Fraction of the library": fastest.library_fraction}
    return [
        {"name": name, "value": round(value.median, 4), "order": "desc"}
        for name, value in columns.items()
        if value is not None and math.isfinite(value.median)
    ]
