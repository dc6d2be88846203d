"""Launches that are refused, in words."""

import pytest

from grader.explain.answers import Asked, fault_of
from grader.model import Interface, Limits, Shape
from grader.model.launches import NoValue


@pytest.mark.parametrize(
    ("parameter", "sentence"),
    [
        ("half = tile_x / 2", "no value for the parameter half: `tile_x / 2` is 2.5, which is not a whole number"),
        ("n = N // (block_x - 8)", "no value for the parameter n: `N // (block_x - 8)` divides by zero"),
        ("p = {A, tile_x / 2}", "no value for the parameter p: `tile_x / 2` is 2.5, which is not a whole number"),
        ("n = N", "no value for a parameter."),
    ],
)
def test_a_launch_without_a_value_says_of_which_parameter_and_why(parameter: str, sentence: str):
    asked = Asked(Interface("matmul", ("A", "B", "C", parameter)), Shape(4, 4, 4), Limits())
    assert sentence in fault_of(NoValue((8, 1, 1), (5, 5)), asked).sentence


def test_a_launch_without_a_value_for_a_variable_names_it():
    interface = Interface("matmul", ("A", "B", "C"), symbols=("size = N / tile_x",))
    fault = fault_of(NoValue((8, 1, 1), (5, 5)), Asked(interface, Shape(4, 4, 4), Limits()))
    assert "size: `N / tile_x` is 0.8" in fault.sentence
