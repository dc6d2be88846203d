"""The progress of a study and the time left."""

from dataclasses import replace

import pytest

from grader.model import Verdict
from grader.study.measure import progress
from grader.study.measure.progress import Progress
from grader.study.measure.sweep import Point
from grader.text.numbers import duration
from tests.study import examples

SHAPES = (examples.square(256), examples.square(2048))
ROW = examples.kernel("tiled.cu", {"BLOCK": "16"}, 8200.0, 256, 16)


def begin() -> Progress:
    return Progress(4, 2 * sum(map(progress.cost, SHAPES)))


def test_nothing_is_estimated_before_something_was_measured():
    run = begin()
    run.take(Point("a", SHAPES[0], (ROW,), kept=True), SHAPES)
    assert (run.done, run.left(5.0)) == (1, "")


def test_half_of_the_work_takes_as_long_as_the_other_half():
    run = begin()
    for shape in SHAPES:
        run.take(Point("a", shape, (ROW,)), SHAPES)
    assert run.left(10.0) == "about 10 s left"


def test_what_does_not_compile_ends_all_of_its_sizes():
    run = begin()
    run.take(Point("a", None, (ROW,)), SHAPES)
    assert run.done == 2


def test_a_large_size_costs_more():
    assert progress.cost(SHAPES[1]) > progress.cost(SHAPES[0])


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "about 1 s"), (42, "about 42 s"), (89, "about 1 min"), (150, "about 2 min"), (7500, "about 2 h 5 min")],
)
def test_durations_are_in_the_unit_that_a_person_would_use(seconds: float, words: str):
    assert duration(seconds) == words


def test_a_line_says_what_was_measured_and_how_long_the_rest_takes():
    run = begin()
    point = Point("tiled BLOCK=16", SHAPES[0], (ROW,))
    run.take(point, SHAPES)
    speed = "2,777 GFLOPS, 1.21 times the naive kernel, 16.1 % of the library"
    assert progress.line(point, run, 1.0).startswith(f"[1/4] tiled BLOCK=16 at N=256: {speed}; about")


def test_a_line_of_what_failed_says_why():
    row = replace(ROW, verdict=Verdict.WRONG_ANSWER, reason="The last row of C is wrong.", measurement=None)
    line = progress.line(Point("tiled", SHAPES[0], (row,)), begin(), 1.0)
    assert "wrong answer. The last row of C is wrong." in line
