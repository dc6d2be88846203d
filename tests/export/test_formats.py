"""What every format says of each kind of report, and what all of them have in common."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from grader.errors import InfrastructureError, UsageError
from grader.export import classroom50, collected, feedback, gitlab, gradescope, points
from grader.export.gradescope import DisplayOptions, Visibility
from grader.model import Report
from grader.model.scenes import Story
from tests.export import golden_files, grades
from tests.report import examples


@pytest.mark.parametrize("name", golden_files.RENDER)
def test_a_format_gives_its_golden_file(name: str):
    assert golden_files.document(name) == golden_files.path(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("made", grades.UNGRADED.values(), ids=grades.UNGRADED)
@pytest.mark.parametrize(
    "render", [gradescope.render, lambda report: classroom50.render(report, golden_files.IDENTITY)]
)
def test_a_grader_error_writes_nothing_where_any_file_counts_as_a_score(render: Callable[[Report], str], made: Any):
    with pytest.raises(InfrastructureError, match="This costs no points"):
        render(made())


@pytest.mark.parametrize("made", grades.GRADED.values(), ids=grades.GRADED)
def test_the_points_add_up_to_those_of_the_report(made: Any):
    report = made()
    rest = sum(criterion.points for criterion in points.not_measured(report))
    assert points.earned(report) == pytest.approx(report.score.earned)
    assert points.maximum(report) + rest == pytest.approx(report.score.points)


def test_correct_and_wrong_kernels_have_the_same_maximum_on_the_simulator():
    right, wrong = grades.on_simulator(), grades.wrong_on_simulator()
    assert points.maximum(right) == points.maximum(wrong) == 60


def test_a_kernel_that_the_simulator_cannot_check_has_no_grade_although_it_compiles():
    unchecked = examples.failed(examples.SMALL, "second", grades.Verdict.NOT_SUPPORTED, "Tensor cores need a GPU.")
    report = examples.simulated(results=(unchecked,))
    assert points.earned(report) == 10
    assert "cannot be measured on this machine" in points.why_no_grade(report)


@pytest.mark.parametrize("name", ["prairielearn", "autolab", "github-annotations", "github-summary"])
def test_where_nothing_can_be_measured_the_mistakes_are_still_shown(name: str):
    results = (*examples.right(), examples.wrong(examples.LARGE, "second"))
    rubric = grades.only_speed_on_simulator().rubric
    said = golden_files.RENDER[name](examples.simulated(rubric=rubric, results=results))
    assert "The last row of C is wrong" in said
    assert "can be measured on this machine" in said


def test_a_class_of_which_nothing_can_be_measured_gets_the_reason():
    with pytest.raises(InfrastructureError, match="No criterion with points can be measured"):
        collected.grades({"ada": grades.only_speed_on_simulator()})


def test_a_score_never_exceeds_its_maximum():
    report = examples.report(rubric=examples.rubric(criteria=(grades.Criterion("c", "C", "compiles", 33.336),)))
    (test,) = json.loads(gradescope.render(report))["tests"]
    assert test["score"] <= test["max_score"]


@pytest.mark.parametrize("name", golden_files.RENDER)
def test_any_amount_of_text_is_bounded(name: str):
    assert len(golden_files.RENDER[name](grades.huge()).encode()) < 1_000_000


def test_text_that_no_terminal_may_get_is_in_no_format():
    for render in golden_files.RENDER.values():
        assert not {"\x1b", "\ud800", "\u202e"} & set(render(grades.hostile()))


def test_gradescope_gets_what_its_specification_asks():
    for made in grades.GRADED.values():
        values = json.loads(gradescope.render(made()), parse_constant=pytest.fail)
        assert isinstance(values["output"], str)
        assert values["visibility"] in {"hidden", "after_due_date", "after_published", "visible"}
        assert "score" not in values  # it would override the tests
        for test in values["tests"]:
            assert 0 <= test["score"] <= test["max_score"]
            assert test["status"] in {"passed", "failed"}
            assert all(isinstance(test[key], str) for key in ("name", "number", "output"))
        assert all({"name", "value", "order"} == set(column) for column in values["leaderboard"])


@pytest.mark.parametrize("visibility", Visibility)
def test_gradescope_knows_when_students_see_what(visibility: Visibility):
    shown = DisplayOptions(visibility, visibility)
    values = json.loads(gradescope.render(grades.wrong(), shown))
    assert values["visibility"] == values["stdout_visibility"] == visibility.value


def test_the_visibilities_are_those_that_gradescope_knows():
    assert {visibility.value for visibility in Visibility} == {"hidden", "after_due_date", "after_published", "visible"}


def test_unless_the_instructor_chooses_tests_are_visible_and_output_is_for_staff():
    values = json.loads(gradescope.render(grades.wrong()))
    assert (values["visibility"], values["stdout_visibility"]) == ("visible", "hidden")


@pytest.mark.parametrize(
    "visibility", [visibility for visibility in Visibility if visibility is not Visibility.VISIBLE]
)
def test_where_tests_wait_nothing_outside_them_reveals_the_result(visibility: Visibility):
    values = json.loads(gradescope.render(grades.wrong(), DisplayOptions(visibility)))
    tests = {test["name"]: test["output"] for test in values.pop("tests")}
    assert "The last row of C is wrong" in tests["Correct answers"]
    assert "output" not in values
    assert "points" not in json.dumps(values)


def test_a_correct_kernel_has_its_explanation_in_the_first_test_where_tests_wait():
    first, *others = json.loads(gradescope.render(grades.right_and_fast(), DisplayOptions(Visibility.AFTER_PUBLISHED)))[
        "tests"
    ]
    assert "GFLOPS" in first["output"]
    assert not [test for test in others if "80 of 100 points." in test["output"]]


def test_a_leaderboard_reveals_nothing_of_tests_that_wait():
    waiting = DisplayOptions(Visibility.AFTER_PUBLISHED)
    assert "leaderboard" not in json.loads(gradescope.render(grades.right_and_fast(), waiting))
    assert "leaderboard" in json.loads(gradescope.render(grades.right_and_fast(), replace(waiting, leaderboard=True)))


def test_gradescope_gets_no_leaderboard_where_the_course_wants_none():
    assert "leaderboard" not in json.loads(
        gradescope.render(grades.right_and_fast(), DisplayOptions(leaderboard=False))
    )


def test_an_explanation_says_how_many_mistakes_there_are_where_it_has_not_all_of_them():
    said = feedback.explanation(grades.many_mistakes(14))
    assert "There are 14 different mistakes. These are the first 10:" in said
    assert said.count("Mistake ") == 10
    assert "different mistakes" not in feedback.explanation(grades.many_mistakes(10))


def test_a_mistake_whose_line_or_story_is_known_is_not_told_again_without_one():
    explained, plain = (examples.wrong(examples.LARGE, run) for run in ("first", "second"))
    explained = replace(explained, fault=replace(explained.fault, line=8, sentence="The loop in line 8 ended early."))
    stored = replace(plain, fault=replace(plain.fault, line=9))
    told = replace(explained, fault=replace(explained.fault, story=Story(0, 0, 8, 65, 65)))
    for results in ((plain, explained), (stored, told)):
        assert [each.line for each in feedback.every_mistake(examples.report(results=results))] == [8]
    assert len(feedback.every_mistake(examples.report(results=(plain,)))) == 1


def test_gitlab_gets_every_mistake():
    assert len(json.loads(gitlab.render(grades.many_mistakes(14), "matmul.cu"))) == 14


def test_gradescope_ranks_correct_kernels_that_were_timed_and_no_others():
    ranked = {kind for kind, made in grades.GRADED.items() if json.loads(gradescope.render(made()))["leaderboard"]}
    assert ranked == {"right and fast"}


def test_classroom50_accepts_the_result():
    """The rules are those of its score collector."""
    for made in grades.GRADED.values():
        result = json.loads(classroom50.render(made(), golden_files.IDENTITY))
        assert result["schema"] == "classroom50/result/v1"
        assert all(
            result[key] and isinstance(result[key], str) for key in ("submission", "commit", "release", "review")
        )
        assert type(result["score"]) is int
        assert result["score"] == sum(test["score"] for test in result["tests"])
        assert result["max-score"] == sum(test["max-score"] for test in result["tests"])
        assert all(type(test["passed"]) is bool and test["score"] <= test["max-score"] for test in result["tests"])


def test_classroom50_keeps_when_it_was_submitted_and_says_when_it_was_graded():
    result = json.loads(classroom50.render(grades.right_and_fast(), golden_files.IDENTITY))
    assert result["datetime"] == golden_files.IDENTITY["datetime"]
    assert result["graded_at"] == "2025-03-01T08:30:00Z"


def test_classroom50_keeps_two_thousand_characters():
    tests = json.loads(classroom50.render(grades.huge(), golden_files.IDENTITY))["tests"]
    assert max(len(test["output"]) for test in tests) == 2000


UTC_TIME = r"\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ"


@pytest.mark.parametrize("made", grades.GRADED.values(), ids=grades.GRADED)
def test_classroom50_has_the_fields_of_its_published_schema_and_no_others(made: Any):
    """foundation50/classroom50, schemas/result-v1.schema.json: no other field, and every time in UTC with a Z."""
    identity = golden_files.IDENTITY | {"datetime": "2025-03-01T09:00:00+01:00", "assignment_type": "individual"}
    result = json.loads(classroom50.render(made(), identity))
    needed = {
        *("schema", "classroom", "assignment", "assignment_type", "owner", "submission", "commit", "release"),
        *("review", "datetime", "score", "max-score", "tests"),
    }
    assert set(result) == needed | {"graded_at"}
    assert all(re.fullmatch(UTC_TIME, result[name]) for name in ("datetime", "graded_at"))
    assert result["datetime"] == "2025-03-01T08:00:00Z"
    assert result["submission"].startswith("submit/")
    assert any("points." in test["output"] for test in result["tests"])


def test_a_date_that_is_none_is_refused_in_a_sentence():
    with pytest.raises(UsageError, match="is not a date"):
        classroom50.render(grades.right_and_fast(), golden_files.IDENTITY | {"datetime": "yesterday"})
