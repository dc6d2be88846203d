"""What a person writes after --sizes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import UsageError
from grader.model import Shape
from grader.study.measure import sizes

RUBRIC = (Shape(33, 33, 33),)


def sides(text: str) -> list[int]:
    return [shape.N for shape in sizes.parse(text, RUBRIC)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("256", [256]),
        ("512,256", [512, 256]),
        ("255:264:3", [255, 258, 261, 264]),
        ("255:263:3", [255, 258, 261]),
        ("256:4096:*2", [256, 512, 1024, 2048, 4096]),
        ("255:2049/4", [255, 853, 1451, 2049]),
        ("rubric, 64", [33, 64]),
        ("64,64,64:65:1", [64, 65]),
        ("7:7:1", [7]),
    ],
)
def test_sizes_are_read(text: str, expected: list[int]):
    assert sides(text) == expected


def test_a_box_is_m_by_n_by_k():
    assert sizes.parse("512x768x1024", RUBRIC) == (Shape(512, 768, 1024),)


def test_the_curve_has_more_than_twenty_sizes_from_255_to_2049():
    lengths = sides("curve")
    assert len(lengths) > 20
    assert (min(lengths), max(lengths)) == (255, 2049)
    assert {255, 256, 511, 512, 768, 1023, 1024, 1025, 2047, 2048, 2049} <= set(lengths)


@pytest.mark.parametrize("text", ["", "0", "32769", "-1", "9:3:1", "1:9:0", "1:9:*1", "1:9/1", "1:9/0", "2x3", "many",
                                  "1:32768:1", "1,,2", "9" * 5000, "1:9:" + "9" * 20 + "x"])  # fmt: skip
def test_text_that_is_no_size_is_refused_with_a_sentence(text: str):
    with pytest.raises(UsageError, match="--sizes"):
        sizes.parse(text, RUBRIC)


@given(st.integers(1, 3000), st.integers(0, 3000), st.integers(2, 900))
def test_a_spread_has_both_ends_and_rises(first: int, width: int, count: int):
    lengths = sides(f"{first}:{first + width}/{count}")
    assert (lengths[0], lengths[-1]) == (first, first + width)
    assert lengths == sorted(set(lengths))
    assert len(lengths) == min(count, width + 1)


@given(st.text("0123456789:x*/,curvepows -", max_size=30))
def test_any_text_is_sizes_or_refused(text: str):
    try:
        parsed = sizes.parse(text, RUBRIC)
    except UsageError:
        return
    assert 0 < len(parsed) <= sizes.MOST
    assert all(1 <= side <= sizes.LARGEST for shape in parsed for side in (shape.M, shape.N, shape.K))
