"""Points are added exactly and rounded once."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.rubric import rounding

points = st.lists(st.decimals("0", "1000", places=4).map(float) | st.floats(0, 1000), max_size=12)


@pytest.mark.parametrize(("summands", "whole"), [
    ([0.1] * 10, 1.0), ([33.333] * 3, 99.999), ([33.333, 33.333, 33.334], 100.0), ([0.7, 0.1, 0.2], 1.0), ([], 0.0),
])  # fmt: skip
def test_sums_are_those_of_the_numbers_as_they_are_written(summands: list[float], whole: float):
    assert rounding.total(summands) == whole


@pytest.mark.parametrize(("value", "text"), [
    (1.005, "1.01"), (0.125, "0.13"), (99.999, "100"), (1e6, "1000000"), (12345.67, "12345.67"), (2 / 3, "0.67"),
])  # fmt: skip
def test_a_half_is_rounded_up_and_no_digit_is_lost(value: float, text: str):
    assert rounding.shown(value) == text


@given(points, st.sampled_from([0, 2]))
def test_parts_add_up_to_the_sum_rounded_once_and_each_is_near_its_number(summands: list[float], digits: int):
    parts = rounding.parts(summands, digits)
    assert round(math.fsum(parts), digits) == rounding.rounded(rounding.total(summands), digits)
    step = Fraction(1, 10**digits)
    for part, summand in zip(parts, summands, strict=True):
        assert part >= 0
        assert abs(rounding.exact(part) - rounding.exact(summand)) < step + Fraction(1, 10**6)
        assert part == 0 or summand


@given(points.map(lambda whole: [round(each, 2) for each in whole]))
def test_numbers_in_hundredths_are_their_own_parts(summands: list[float]):
    assert rounding.parts(summands) == summands
