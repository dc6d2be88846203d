"""The export for Autolab: its last line, parsed as Autolab's controller does."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.export import autolab
from grader.model import Report
from tests.export import grades
from tests.report import examples


def parsed(report: Report) -> dict[str, Any]:
    """The scores as parseAutoresult finds them, which first puts quotes around whatever it takes for a bare key."""
    last = autolab.render(report).rstrip().splitlines()[-1]
    return json.loads(re.sub(r"([a-zA-Z0-9]+):", r'"\1":', last))


@pytest.mark.parametrize("made", grades.EVERY.values(), ids=grades.EVERY)
def test_the_last_line_has_a_score_for_every_problem_so_that_none_becomes_zero(made: Any):
    report = made()
    assert list(parsed(report)["scores"]) == [criterion.id for criterion in report.rubric.criteria]


@pytest.mark.parametrize("made", grades.UNGRADED.values(), ids=grades.UNGRADED)
def test_a_grader_error_gives_no_score(made: Any):
    assert set(parsed(made())["scores"].values()) == {None}


def test_what_was_not_measured_is_null_and_the_rest_is_not():
    scores = parsed(grades.on_simulator())["scores"]
    assert scores == {"compiles": 10.0, "correct": 50.0, "speedup": None, "library": None, "gflops": None}


@given(st.text())
@settings(max_examples=30)
def test_no_text_can_reach_the_last_lines(words: str):
    crash = examples.failed(examples.SMALL, "repeated", grades.Verdict.CRASHED, words, printed=words)
    results = (*examples.right(), crash)
    report = examples.report(rubric=examples.rubric(title=words), results=results)
    said = autolab.render(report).rstrip("\n").split("\n")
    assert json.loads(said[-2])["_presentation"] == "semantic"
    assert parsed(report)["scores"]["compiles"] == 10.0


def test_every_stage_that_is_named_is_there():
    shown = json.loads(autolab.render(grades.right_and_fast()).splitlines()[-2])
    assert shown["stages"] == ["Points", "GFLOPS"]
    assert all(shown[stage] for stage in shown["stages"])


def test_only_correct_kernels_that_were_timed_are_on_the_scoreboard():
    assert parsed(grades.right_and_fast())["scoreboard"] == [500.0, 80.0]
    slow = replace(grades.wrong(), measurements=examples.report().measurements)
    assert "scoreboard" not in parsed(slow)
    assert "scoreboard" not in parsed(grades.on_simulator())
