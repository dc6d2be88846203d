"""Projections with fresh signs: which wrong products they detect, and that their sums are exact."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.contract import freivalds
from grader.contract.inputs import DENSE, EXACT, FAMILIES
from grader.explain.wrong_elements.hypotheses import rounded
from grader.model import Interface, Shape

FLOAT32 = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
SHAPE = Shape(33, 21, 47)
LAUNCHES = 3
LARGEST = {"float16": 2**11, "float32": 2**24, "int32": 2**31}
X = freivalds.vector(SHAPE, FLOAT32, np.random.default_rng(5))


def fresh_pair(
    shape: Shape, number: int, launch: int, family: str = "balanced", seed: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """A' and B' as the device makes them."""
    pair = freivalds.base(shape, FLOAT32, seed, family)
    signs = freivalds.signs(shape, seed, number, LAUNCHES)
    A = signs.a_rows[launch][:, None] * pair.A.astype(float) * signs.a_columns[launch]
    B = signs.b_rows[launch][:, None] * pair.B.astype(float) * signs.b_columns[launch]
    return A, B


def wanted(shape: Shape, number: int, x: np.ndarray, family: str = "balanced", seed: int = 1) -> np.ndarray:
    pair = freivalds.base(shape, FLOAT32, seed, family)
    return freivalds.projections(pair, freivalds.signs(shape, seed, number, LAUNCHES), x)


def is_detected(C: np.ndarray, launch: int = 1, family: str = "balanced") -> bool:
    return bool((wanted(SHAPE, 5, X, family)[launch] != C @ X).any())


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.integers(0, 99), st.sampled_from(EXACT))
def test_projections_are_those_of_the_true_products(M: int, N: int, K: int, seed: int, family: str) -> None:
    shape = Shape(M, N, K)
    x = freivalds.vector(shape, FLOAT32, np.random.default_rng(seed))
    for launch in range(LAUNCHES):
        A, B = fresh_pair(shape, 2, launch, family, seed)
        assert np.array_equal((A @ B) @ x, wanted(shape, 2, x, family, seed)[launch])


@pytest.mark.parametrize("family", EXACT)
def test_a_correct_product_passes(family: str) -> None:
    A, B = fresh_pair(SHAPE, 5, 1, family)
    assert not is_detected(A @ B, family=family)


@given(st.integers(0, SHAPE.M - 1), st.integers(0, SHAPE.N - 1), st.sampled_from((1.0, -1.0, 2.0**-4, np.nan)))
def test_a_single_wrong_element_is_detected(row: int, column: int, by: float) -> None:
    A, B = fresh_pair(SHAPE, 5, 1)
    C = A @ B
    C[row, column] += by
    assert is_detected(C)


@pytest.mark.parametrize(("number", "launch"), [(5, 0), (5, 2), (4, 1), (1, 1)])
def test_the_result_of_another_launch_is_detected(number: int, launch: int) -> None:
    A, B = fresh_pair(SHAPE, number, launch)
    assert is_detected(A @ B)


@pytest.mark.parametrize("bits", [23, 22, 16, 13, 11])
@pytest.mark.parametrize("family", ["mixed-1", "mixed-2"])
def test_a_product_of_rounded_operands_is_detected(bits: int, family: str) -> None:
    A, B = fresh_pair(SHAPE, 5, 1, family)
    assert is_detected(rounded(A, bits, None) @ rounded(B, bits, None), family=family)


@pytest.mark.parametrize("stale", ["A", "B"])
def test_an_operand_of_another_launch_is_detected(stale: str) -> None:
    A, B = fresh_pair(SHAPE, 5, 1)
    old_A, old_B = fresh_pair(SHAPE, 4, 1)
    assert is_detected(old_A @ B if stale == "A" else A @ old_B)


@pytest.mark.parametrize("kind", sorted(LARGEST))
@pytest.mark.parametrize("N", [1, 2048, 2**14, 2**15])
def test_every_sum_of_a_projection_is_exact_in_float64(kind: str, N: int) -> None:
    interface = replace(FLOAT32, type_a=kind, type_b=kind, type_c=kind)
    x = freivalds.vector(Shape(3, N, 5), interface, np.random.default_rng(1))
    of_scales = 1 if kind == "int32" else 4
    assert np.abs(x).max() * LARGEST[kind] * of_scales * N <= 2**53
    assert (x % 2 == 1).all()


@given(st.integers(1, 9), st.integers(0, 99))
def test_alpha_and_beta_are_projected_as_well(N: int, seed: int) -> None:
    interface = Interface("matmul", ("A", "B", "C", "N", "alpha", "beta"), alpha=2.0, beta=-3.0)
    shape = Shape(N, N, N)
    pair, x = (
        freivalds.base(shape, interface, seed, "balanced"),
        freivalds.vector(shape, interface, np.random.default_rng()),
    )
    signs = freivalds.signs(shape, seed, 2, 1)
    A = signs.a_rows[0][:, None] * pair.A.astype(float) * signs.a_columns[0]
    B = signs.b_rows[0][:, None] * pair.B.astype(float) * signs.b_columns[0]
    C = 2.0 * (A @ B) - 3.0 * pair.C.astype(float)
    assert np.array_equal(C @ x, freivalds.projections(pair, signs, x, 2.0, -3.0)[0])


def test_rounds_have_all_families_in_an_order_that_depends_on_the_seed() -> None:
    first, second = (list(islice(freivalds.order(SHAPE, seed), 40)) for seed in (2**100, 2**100 + 1))
    assert Counter(first) == Counter(second) == dict.fromkeys(FAMILIES, 10)
    assert first != second
    assert set(islice(freivalds.order(Shape(16384, 16384, 16384), 1), 4)) == set(DENSE)
