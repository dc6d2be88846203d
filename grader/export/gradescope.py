"""Gradescope: /autograder/results/results.json (gradescope-autograders.readthedocs.io, "Autograder Specifications").

Whatever the file holds becomes the student's score, so there is none for a fault of ours: Gradescope then says that the
autograder failed, gives no score, and lets staff run it again.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from grader.export import feedback, points
from grader.model import CriterionScore, Report
from grader.text.clean import one_line, shorten

NOTHING_HANDED_IN = "There must be exactly one file that ends in .cu among what is handed in."


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
    def ranks(self) -> bool:
        """Whether there is a leaderboard."""
        return self.visibility is Visibility.VISIBLE if self.leaderboard is None else self.leaderboard

    @property
    def words(self) -> tuple[str, ...]:
        """The same as options of the command."""
        leaderboard = "--leaderboard" if self.ranks else "--no-leaderboard"
        return (f"--visibility={self.visibility}", f"--stdout-visibility={self.stdout_visibility}", leaderboard)


DEFAULT = DisplayOptions()


def results(report: Report, display: DisplayOptions = DEFAULT) -> dict[str, Any]:
    """Return the whole of results.json. Points that were not measured are in no maximum; the text names them.

    Raises InfrastructureError where there is no grade.
    """
    points.check_graded(report)
    said = shorten(feedback.explanation(report), feedback.LONGEST_EXPLANATION)
    tests = [_test(report, number, one) for number, one in enumerate(points.measured(report), 1)]
    at_once = display.visibility is Visibility.VISIBLE
    return {
        **({"output": said} if at_once else {}),
        "output_format": "text",
        "test_output_format": "text",
        "visibility": display.visibility,
        "stdout_visibility": display.stdout_visibility,
        "execution_time": round(math.fsum(report.stages.values()), 3),
        "tests": tests if at_once else _explained(tests, said),
        **({"leaderboard": _leaderboard(report)} if display.ranks else {}),
        "extra_data": {"seed": report.seed, "backend": report.machine.backend, "grader": report.grader_version},
    }


def render(report: Report, display: DisplayOptions = DEFAULT) -> str:
    """Return results.json as text."""
    return json.dumps(results(report, display), indent=2, allow_nan=False) + "\n"


def nothing_handed_in(maximum: float) -> str:
    """Return results.json for a submission without the one file that is asked for.

    Everybody sees it at once, whatever else is hidden: it says nothing of the tests, and can still be mended.
    """
    test = {"name": "Hand-in", "score": 0, "max_score": maximum, "status": "failed", "output": NOTHING_HANDED_IN}
    return json.dumps({"output": NOTHING_HANDED_IN, "output_format": "text", "tests": [test]}, indent=2) + "\n"


def _explained(tests: list[dict[str, Any]], said: str) -> list[dict[str, Any]]:
    """The explanation in the first test that failed, or else in the first: Gradescope hides tests and nothing else."""
    place = next((place for place, test in enumerate(tests) if test["status"] == "failed"), 0)
    explained = tests[place] | {"output": f"{tests[place]['output']}\n\n{said}".strip()}
    return [*tests[:place], explained, *tests[place + 1 :]]


def _test(report: Report, number: int, one: CriterionScore) -> dict[str, Any]:
    return {
        "name": points.title(one),
        "name_format": "text",
        "number": str(number),
        "score": points.rounded(one),
        "max_score": one.points,
        "status": "passed" if points.passed(report, one) else "failed",
        "output": one_line(one.reason, feedback.LONGEST_SENTENCE),
    }


def _leaderboard(report: Report) -> list[dict[str, Any]]:
    """Speed first, which is what Gradescope sorts by; nothing where a kernel is wrong or was not timed."""
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
