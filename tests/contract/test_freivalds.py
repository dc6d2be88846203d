"""Projections with fresh signs: which wrong products they detect, and that their sums are exact."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.contract import freivalds
from grader.contract.inputs import Inputs
from grader.model import Interface, Shape
from tests.benchmarks import accuracy
from tests.benchmarks.accuracy import rounded
from tests.timed_inputs import each_launch

FLOAT32 = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
SHAPE = Shape(34, 22, 47)
LAUNCHES = 3
LARGEST = {"float16": 2**11, "float32": 2**24, "int32": 2**31}


def pair_of(shape: Shape, seed: int = 1) -> Inputs:
    return freivalds.base(shape, FLOAT32, seed)


def vectors(pair: Inputs, interface: Interface = FLOAT32) -> list[np.ndarray]:
    """One x for the exact columns of either scale, and one for the others."""
    drawn = [freivalds.vector(pair, interface, np.random.default_rng(seed)) for seed in range(40)]
    return list({(x != 0).tobytes(): x for x in drawn}.values())


def fresh_pair(shape: Shape, number: int, launch: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """A' and B' as the device makes them."""
    pair = pair_of(shape, seed)
    return list(each_launch(pair, freivalds.changes(shape, pair.aligned, seed, number, LAUNCHES)))[launch]


def wanted(shape: Shape, number: int, x: np.ndarray, seed: int = 1) -> np.ndarray:
    pair = pair_of(shape, seed)
    return freivalds.projections(pair, freivalds.changes(shape, pair.aligned, seed, number, LAUNCHES), x)


def is_detected(C: np.ndarray) -> bool:
    """Whether an exact row of a launch has another projection."""
    pair = pair_of(SHAPE)
    return any((wanted(SHAPE, 5, x)[1] != C @ x)[freivalds.exact_rows(pair, x)].any() for x in vectors(pair))


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.integers(0, 99))
def test_projections_are_those_of_the_true_products(M: int, N: int, K: int, seed: int) -> None:
    shape = Shape(M, N, K)
    pair = pair_of(shape, seed)
    x = freivalds.vector(pair, FLOAT32, np.random.default_rng(seed))
    for launch in range(LAUNCHES):
        A, B = fresh_pair(shape, 2, launch, seed)
        got, want = (A @ B) @ x, wanted(shape, 2, x, seed)[launch]
        assert np.allclose(got, want, rtol=0, atol=1e-12 * (np.abs(A) @ np.abs(B) @ np.abs(x)).max())
        exact = freivalds.exact_rows(pair, x)
        assert np.array_equal(got[exact], want[exact])


def test_every_column_is_in_the_vectors_of_one_kind() -> None:
    pair = pair_of(SHAPE)
    chosen = np.array([x != 0 for x in vectors(pair)])
    assert len(chosen) == 5
    assert (chosen.sum(axis=0) == 1).all()
    assert {bool(pair.columns.exact[of].all()) for of in chosen} == {True, False}


@given(st.integers(0, 99), st.integers(0, 99), st.sampled_from((1.0, -1.0, 2.0**-4, np.nan)))
def test_a_single_wrong_exact_element_is_detected(row: int, column: int, by: float) -> None:
    A, B = fresh_pair(SHAPE, 5, 1)
    pair, C = pair_of(SHAPE), A @ B
    places = np.argwhere(pair.exact)
    row, column = places[(34 * row + column) % len(places)]
    C[row, column] += by * np.ldexp(1.0, pair.rows.exponents[row] + pair.columns.exponents[column])
    assert is_detected(C)


@pytest.mark.parametrize(("number", "launch"), [(5, 0), (5, 1), (5, 2), (4, 1), (1, 1)])
def test_the_result_of_another_launch_is_detected_and_of_this_one_is_right(number: int, launch: int) -> None:
    A, B = fresh_pair(SHAPE, number, launch)
    assert is_detected(A @ B) == ((number, launch) != (5, 1))


def test_hardly_a_product_of_elements_is_in_two_launches_whatever_their_signs() -> None:
    """Else the result of one launch would leave few terms to add for another one."""
    shape = Shape(8, 8, 1024)
    pair = pair_of(shape)
    orders = freivalds.changes(shape, pair.aligned, 1, 5, 50).b_order
    assert max((one == other).mean() for one, other in pairwise(orders)) < 0.2
    assert (np.sort(orders) == np.arange(1024)).all()


@pytest.mark.parametrize("launch", range(LAUNCHES))
def test_an_exact_product_stays_exact_in_fast_algorithms(launch: int) -> None:
    shape = Shape(96, 70, 257)
    for seed in range(6):
        A, B = fresh_pair(shape, 2, launch, seed)
        for algorithm in (accuracy.strassen, accuracy.winograd):
            C = algorithm(accuracy.plain)(A.astype(np.float32), B.astype(np.float32))
            assert (C == A @ B)[pair_of(shape, seed).exact].all()


@pytest.mark.parametrize("bits", [23, 22, 16, 13, 11])
def test_a_product_of_rounded_operands_is_detected(bits: int) -> None:
    A, B = fresh_pair(SHAPE, 5, 1)
    assert is_detected(rounded(A, bits, None) @ rounded(B, bits, None))


@pytest.mark.parametrize("stale", ["A", "B"])
def test_an_operand_of_another_launch_is_detected(stale: str) -> None:
    A, B = fresh_pair(SHAPE, 5, 1)
    old_A, old_B = fresh_pair(SHAPE, 4, 1)
    assert is_detected(old_A @ B if stale == "A" else A @ old_B)


@pytest.mark.parametrize("kind", sorted(LARGEST))
@pytest.mark.parametrize("N", [1, 2048, 2**14, 2**15])
def test_every_sum_of_a_projection_is_exact_in_float64(kind: str, N: int) -> None:
    interface = replace(FLOAT32, type_a=kind, type_b=kind, type_c=kind)
    pair = freivalds.base(Shape(4, N, 5), interface, 1)
    x = freivalds.vector(pair, interface, np.random.default_rng(1))
    of_scales = 1 if kind == "int32" else 4
    assert np.abs(x).max() * LARGEST[kind] * of_scales * N <= 2**53
    assert set(np.unique(x % 2)) <= {0.0, 1.0}
    assert x.any()


@given(st.integers(1, 9), st.integers(0, 99))
def test_alpha_and_beta_are_projected_as_well(N: int, seed: int) -> None:
    interface = Interface("matmul", ("A", "B", "C", "N", "alpha", "beta"), alpha=2.0, beta=-3.0)
    shape = Shape(N, N, N)
    pair = freivalds.base(shape, interface, seed)
    x = freivalds.vector(pair, interface, np.random.default_rng())
    fresh = freivalds.changes(shape, pair.aligned, seed, 2, 1)
    A, B = next(each_launch(pair, fresh))
    C = 2.0 * (A @ B) - 3.0 * pair.C.astype(float)
    assert np.allclose(C @ x, freivalds.projections(pair, fresh, x, 2.0, -3.0)[0], rtol=1e-9, atol=1e-6)
