"""Whatever the points of a rubric and the shares that were earned, every view states the same points."""

import base64
import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.batch.intake.source_entry import Submission
from grader.batch.present.student_summary import StudentResult
from grader.export import canvas, collected, mail_merge, points
from grader.model import CriterionScore, Report, Score
from grader.rubric.rounding import rounded, total
from grader.text.csv_cells import parse
from tests.every_format import for_instructors, for_students
from tests.report import examples

worth = st.decimals("0.001", "100", places=3).map(float) | st.sampled_from([0.125, 33.333, 0.1, 1 / 3])
earned = st.lists(st.tuples(worth, st.sampled_from([0.0, 1.0]) | st.floats(0, 1)), min_size=1, max_size=10)
ROSTER = parse("Student,ID,SIS User ID,SIS Login ID,Section,Lab (1)\nAda,1,,ada,A,\n", "roster")


def graded(shares: list[tuple[float, float]]) -> Report:
    """A report whose criteria have these points, of which these shares are earned."""
    one = examples.rubric().criteria[1]
    criteria = tuple(replace(one, id=f"c{place}", points=most) for place, (most, _) in enumerate(shares))
    scores = tuple(
        CriterionScore(
            criterion.id, f"Criterion {criterion.id}", criterion.points, criterion.points * share, "Because."
        )
        for criterion, (_, share) in zip(criteria, shares, strict=True)
    )
    score = Score(total(each.earned or 0.0 for each in scores), total(each.points for each in scores), 0.0, scores)
    return examples.simulated(rubric=examples.rubric(criteria=criteria), score=score)


def summed(tests: list[dict[str, Any]], name: str) -> float:
    """What a platform makes of the tests: a sum in floating point, rounded for display."""
    return rounded(sum(test[name] for test in tests))


def classroom(text: str) -> Any:
    return json.loads(base64.b64decode(text))


def junit(text: str) -> Any:
    return ET.fromstring(text).find(".//property[@name='points earned']").get("value")  # noqa: S314 - our own


def row(text: str, column: str) -> str:
    return next(csv.DictReader(io.StringIO(text)))[column]


def found(pattern: str) -> Callable[[str], str]:
    return lambda text: re.findall(pattern, re.sub(r"<[^>]*>", "", text))[0]


STATED: dict[str, Callable[[str], Any]] = {
    "grade run": found(r"total +([\d.]+) /"),
    "report.json": lambda text: rounded(json.loads(text)["score"]["earned"]),
    "report.html": found(r"([\d.]+) of [\d.]+ points"),
    "junit.xml": junit,
    "gradebook.csv": lambda text: row(text, "earned"),
    "index.html": found(r"median ([\d.]+) of"),
    "gradescope": lambda text: summed(json.loads(text)["tests"], "score"),
    "prairielearn": lambda text: summed(json.loads(text)["tests"], "points"),
    "autolab": lambda text: rounded(sum(json.loads(text.splitlines()[-1])["scores"].values())),
    "github-classroom": lambda text: sum(test["score"] for test in classroom(text)["tests"]),  # shown without rounding
    "github-notices": found(r"Points ([\d.]+)/"),
    "github-annotations": found(r"([\d.]+) of [\d.]+ points"),
    "github-outputs": found(r"earned=([\d.]+)"),
    "github-summary": lambda text: found(r"Total \| ([\d.]+) /")(text.replace("&#46;", ".").replace("&#47;", "/")),
}


@given(earned)
@settings(max_examples=10, deadline=None)
def test_every_view_states_the_same_points(shares: list[tuple[float, float]]):
    report = graded(shares)
    once = points.earned(report)
    for name, text in {**for_students(report), **for_instructors(report)}.items():
        if name in STATED:
            assert float(STATED[name](text)) == once, name
        if name == "classroom50":
            assert json.loads(text)["score"] == rounded(report.score.earned, 0)
    grades = collected.grades({"ada": report})
    assert f",{once:.2f}\r\n" in canvas.render(ROSTER, "Lab (1)", {0: grades.points["ada"]}, grades.maximum)
    table = mail_merge.layout([StudentResult(Submission("ada"), report)])
    assert float(row(next(text for path, text in table.items() if path.suffix == ".csv"), "points")) == once


@pytest.mark.parametrize("shares", [[(0.125, 1.0)] * 8, [(33.333, 1.0)] * 3, [(0.1, 1.0)] * 10, [(0.005, 1.0)] * 3])
def test_a_perfect_kernel_has_all_points_of_every_test(shares: list[tuple[float, float]]):
    for criterion in points.to_add_up(graded(shares)):
        assert criterion.earned == criterion.points
    texts = for_students(graded(shares))
    tests = json.loads(texts["gradescope"])["tests"]
    assert summed(tests, "score") == summed(tests, "max_score") == points.maximum(graded(shares))
    assert json.loads(texts["prairielearn"])["score"] == 1.0
    assert classroom(texts["github-classroom"])["max_score"] == points.earned(graded(shares))
