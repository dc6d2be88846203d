"""A rubric is checked at sizes that show its mistakes."""

from pathlib import Path

from grader.judge.rubric_kernel import checked_sizes
from tests.judge.test_other_calls import OBLONG, mistakes, product, rubric_in


def test_a_wrong_order_shows_at_a_size_that_is_not_square(tmp_path: Path) -> None:
    kernel = product("const float *A, const float *B, float *C, int h, int w, int d")
    rubric = rubric_in(tmp_path, OBLONG.replace('"M", "N"', '"N", "M"'), [64], correctness=[700, 64, [100, 50, 70]])
    assert list(map(str, checked_sizes(rubric))) == ["N=64", "100x50x70"]
    assert mistakes(kernel, rubric)[1:] == ['kernel.parameters: it is correct with ["A", "B", "C", "M", "N", "K"]']


def test_a_size_of_parts_of_tiles_is_checked_where_every_size_is_square(tmp_path: Path) -> None:
    rubric = rubric_in(tmp_path, OBLONG, [64, 700], correctness=[64, 1, 33, 129, 700])
    assert list(map(str, checked_sizes(rubric))) == ["N=64", "N=33"]
    rubric = rubric_in(tmp_path, OBLONG, [900, 800])
    assert list(map(str, checked_sizes(rubric))) == ["N=800"]
