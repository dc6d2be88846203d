from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from grader.comparison.compare import compare
from grader.comparison.expectation import of_inputs
from grader.comparison.shortened_factors import bits_of_results
from grader.contract.inputs import RUNS, draw
from grader.model import Case, Interface, Shape
from tests.benchmarks.accuracy import WAYS, Matrix, cut, narrow_sum

FLOAT32 = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
ORDERS = (
    "plain",
    "pairwise",
    "Kahan",
    "float64, rounded once",
    "Strassen, one level",
    "plain, towards zero",
    "22 bits of A",
)


def bits(way: Callable[[Matrix, Matrix], Matrix], shape: Shape, interface: Interface = FLOAT32) -> int | None:
    inputs = draw(Case(shape, RUNS[1], 7), interface)
    left = way(inputs.A.astype(np.float32), inputs.B.astype(np.float32))
    return bits_of_results(compare(of_inputs(inputs, interface), left, np.full_like(left, np.nan)), interface)


@pytest.mark.parametrize("shape", [Shape(16, 16, 1), Shape(1, 200, 33), Shape(65, 64, 100)], ids=str)
@pytest.mark.parametrize("name", ORDERS)
def test_full_sums_use_every_bit(name: str, shape: Shape) -> None:
    assert bits(WAYS[name], shape) is None


@pytest.mark.parametrize("kept", [23, 22, 13, 1])
def test_sums_of_fewer_bits_are_found_with_their_number(kept: int) -> None:
    assert bits(narrow_sum(kept), Shape(33, 33, 33)) == kept


def test_few_results_may_be_even_by_chance() -> None:
    assert bits(narrow_sum(23), Shape(8, 8, 33)) is None


def test_only_elements_that_the_launch_had_to_write_count() -> None:
    inputs = draw(Case(Shape(64, 64, 33), RUNS[1], 7), FLOAT32)
    left = cut(WAYS["plain"](inputs.A.astype(np.float32), inputs.B.astype(np.float32)), 23)
    ran = np.zeros(left.shape, np.bool_)
    ran[:, :32] = True
    start = np.full_like(left, np.nextafter(np.float32(1), np.float32(2)))
    left[:, 32:] = start[:, 32:]
    assert bits_of_results(compare(of_inputs(inputs, FLOAT32), left, start, ran), FLOAT32) == 23


def test_labs_that_allow_tensor_cores_do_not_have_the_question() -> None:
    assert bits(narrow_sum(23), Shape(33, 33, 33), replace(FLOAT32, math="tf32")) is None


def test_zeros_alone_say_nothing() -> None:
    assert bits(lambda a, b: np.zeros((a.shape[0], b.shape[1]), np.float32), Shape(32, 32, 33)) is None
