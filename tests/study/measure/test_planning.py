"""Which sizes of a study are checked, which are only timed, and what is left of it without a GPU."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.model import Backend, Machine, Rubric, Shape
from grader.rubric import load as rubrics
from grader.study.measure import planning
from grader.study.measure.planning import StudyPlan

SMALLEST, TIMED, LARGE = (Shape(n, n, n) for n in (64, 2048, 8192))
GPU = Machine(Backend.CUDA, "", "", "a GPU")
LAPTOP = Machine(Backend.SIMULATOR, "", "", "a laptop")
RUBRIC = rubrics.load(Path(__file__).parents[3] / "rubrics" / "techniques.toml")


def plan(*shapes: Shape, checked: bool = True, rubric: Rubric = RUBRIC) -> StudyPlan:
    return StudyPlan(rubric, (), shapes, b"", library=False, blas=False, seed=1, checked=checked)


def test_a_size_that_the_rubric_only_times_is_not_checked_ahead():
    study = plan(TIMED, LARGE)
    assert study.only_timed == {LARGE}
    assert study.ahead(study.shapes) == (TIMED,)


def test_without_checks_the_smallest_size_is_still_checked():
    shapes = Shape(512, 512, 512), TIMED
    assert plan(checked=False).ahead(shapes) == shapes[:1]


@pytest.mark.parametrize("checked", [True, False])
def test_where_only_large_sizes_are_requested_the_rubrics_smallest_is_checked(checked: bool):
    rubric = replace(RUBRIC, sizes=(TIMED, SMALLEST))
    assert plan(checked=checked, rubric=rubric).ahead((LARGE,)) == (SMALLEST,)


def test_a_gpu_measures_all_that_was_requested():
    asked = plan(TIMED, LARGE, checked=False)
    assert planning.as_far_as_possible(asked, GPU) == (asked, "")


def test_the_simulator_leaves_out_what_is_only_timed_and_says_so():
    possible, left_out = planning.as_far_as_possible(plan(TIMED, LARGE), LAPTOP)
    assert possible.shapes == (TIMED,)
    assert left_out.endswith("only times it: N=8192.")
    assert planning.as_far_as_possible(plan(TIMED), LAPTOP) == (plan(TIMED), "")


def test_a_study_of_which_the_simulator_can_do_nothing_is_refused():
    with pytest.raises(UsageError, match="only times N=8192"):
        planning.as_far_as_possible(plan(LARGE), LAPTOP)
    with pytest.raises(UsageError, match="nothing to do"):
        planning.as_far_as_possible(plan(TIMED, checked=False), LAPTOP)


@pytest.mark.parametrize(("text", "expected"), [("", ()), ("320", (320.0,)), ("320, 220", (320.0, 220.0))])
def test_bandwidths_are_none_or_the_one_in_theory_and_the_sustained_one(text: str, expected: tuple[float, ...]):
    assert planning.bandwidths(text) == expected


@pytest.mark.parametrize("text", ["fast", "320,220,100", "0", "nan", "-1", "320,"])
def test_other_bandwidths_are_wrong_usage(text: str):
    with pytest.raises(UsageError, match="--bandwidth"):
        planning.bandwidths(text)
