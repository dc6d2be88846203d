"""Which size `grade run --profile` measures."""

from dataclasses import replace

import pytest

from grader.cli.options import check_backend, sizes_to_profile
from grader.errors import UsageError
from grader.model import Backend, Shape
from tests.report import examples
from tests.report.examples import LARGE, SMALL

WIDE = Shape(512, 768, 1024)
RUBRIC = examples.rubric(timed_sizes=(SMALL, LARGE, WIDE))


def test_nothing_is_profiled_without_the_option():
    assert sizes_to_profile(RUBRIC, "", "", wanted=False) == ()


def test_any_timed_size_may_be_the_largest_correct_one():
    assert sizes_to_profile(RUBRIC, "", "", wanted=True) == (SMALL, LARGE, WIDE)


@pytest.mark.parametrize(("text", "shape"), [("256", SMALL), ("512x768x1024", WIDE)])
def test_a_size_is_named_as_the_rubric_names_it(text: str, shape: Shape):
    assert sizes_to_profile(RUBRIC, text, "", wanted=False) == (shape,)


def test_a_hidden_size_is_never_profiled_or_listed():
    hidden = replace(RUBRIC, hidden_sizes=(LARGE,), visible_after="2100-01-01T00:00:00+00:00")
    assert LARGE not in sizes_to_profile(hidden, "", "", wanted=True)
    with pytest.raises(UsageError) as refused:
        sizes_to_profile(hidden, "1024", "", wanted=False)
    assert "1024" not in refused.value.hint.replace("512x768x1024", "")


def test_a_backend_without_a_gpu_is_refused_only_with_the_option():
    check_backend(Backend.SIMULATOR, ())
    check_backend(Backend.CUDA, (SMALL,))
    with pytest.raises(UsageError):
        check_backend(Backend.SIMULATOR, (SMALL,))
