from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.contract import freivalds
from grader.judge.hypotheses import rounded
from grader.model import Interface, Shape

FLOAT32 = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
SHAPE = Shape(33, 21, 47)
LAUNCHES = 3


def fresh_pair(shape: Shape, number: int, launch: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """A' and B' as the device makes them."""
    pair = freivalds.base(shape, FLOAT32, seed)
    signs = freivalds.signs(shape, seed, number, LAUNCHES)
    A = signs.a_rows[launch][:, None] * pair.A.astype(float) * signs.a_columns[launch]
    B = signs.b_rows[launch][:, None] * pair.B.astype(float) * signs.b_columns[launch]
    return A, B


def wanted(shape: Shape, number: int, seed: int = 1) -> np.ndarray:
    pair = freivalds.base(shape, FLOAT32, seed)
    x = freivalds.vector(shape, seed, number)
    return freivalds.projections(pair, freivalds.signs(shape, seed, number, LAUNCHES), x)


def is_caught(C: np.ndarray, launch: int = 1) -> bool:
    return bool((C @ freivalds.vector(SHAPE, 1, 5) != wanted(SHAPE, 5)[launch]).any())


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.integers(0, 99))
def test_projections_are_those_of_the_true_products(M: int, N: int, K: int, seed: int) -> None:
    shape = Shape(M, N, K)
    x = freivalds.vector(shape, seed, 2)
    for launch in range(LAUNCHES):
        A, B = fresh_pair(shape, 2, launch, seed)
        assert np.array_equal((A @ B) @ x, wanted(shape, 2, seed)[launch])


def test_a_right_product_passes() -> None:
    A, B = fresh_pair(SHAPE, 5, 1)
    assert not is_caught(A @ B)


@given(st.integers(0, SHAPE.M - 1), st.integers(0, SHAPE.N - 1), st.sampled_from((1.0, -1.0, 2.0**-4, np.nan)))
def test_a_single_wrong_element_is_caught(row: int, column: int, by: float) -> None:
    A, B = fresh_pair(SHAPE, 5, 1)
    C = A @ B
    C[row, column] += by
    assert is_caught(C)


@pytest.mark.parametrize(("number", "launch"), [(5, 0), (5, 2), (4, 1), (1, 1)])
def test_the_result_of_another_launch_is_caught(number: int, launch: int) -> None:
    A, B = fresh_pair(SHAPE, number, launch)
    assert is_caught(A @ B)


def test_a_product_of_rounded_operands_is_caught() -> None:
    A, B = fresh_pair(SHAPE, 5, 1)
    assert is_caught(rounded(A, 8, None) @ B)


@pytest.mark.parametrize("stale", ["A", "B"])
def test_one_operand_of_another_launch_is_caught(stale: str) -> None:
    A, B = fresh_pair(SHAPE, 5, 1)
    old_A, old_B = fresh_pair(SHAPE, 4, 1)
    assert is_caught(old_A @ B if stale == "A" else A @ old_B)


def test_every_sum_of_a_projection_is_exact_in_float64() -> None:
    shape = Shape(3, 2**14, 5)
    assert np.abs(freivalds.vector(shape, 1, 1)).max() * 2**24 * shape.N <= 2**53


@given(st.integers(1, 9), st.integers(0, 99))
def test_alpha_and_beta_are_projected_as_well(N: int, seed: int) -> None:
    interface = Interface("matmul", ("A", "B", "C", "N", "alpha", "beta"), alpha=2.0, beta=-3.0)
    shape = Shape(N, N, N)
    pair, x = freivalds.base(shape, interface, seed), freivalds.vector(shape, seed, 2)
    signs = freivalds.signs(shape, seed, 2, 1)
    A = signs.a_rows[0][:, None] * pair.A.astype(float) * signs.a_columns[0]
    B = signs.b_rows[0][:, None] * pair.B.astype(float) * signs.b_columns[0]
    C = 2.0 * (A @ B) - 3.0 * pair.C.astype(float)
    assert np.array_equal(C @ x, freivalds.projections(pair, signs, x, 2.0, -3.0)[0])
