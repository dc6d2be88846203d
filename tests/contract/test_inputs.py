from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from grader.comparison.expectation import exact_result
from grader.contract.freivalds import signs
from grader.contract.inputs import (
    CHECKED,
    EXACT,
    FAMILIES,
    MIXED,
    Inputs,
    blocks,
    draw,
)
from grader.explain.wrong_elements.hypotheses import rounded
from grader.model import Case, Interface, Shape
from tests.benchmarks import accuracy, fit_shares

FLOAT32 = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
LABS = {
    "float32": FLOAT32,
    "float64": replace(FLOAT32, type_a="float64", type_b="float64", type_c="float64"),
    "half in, float out": replace(FLOAT32, type_a="float16", type_b="float16"),
    "bfloat16 in, float out": replace(FLOAT32, type_a="bfloat16", type_b="bfloat16"),
    "float in, half out": replace(FLOAT32, type_c="float16"),
    "int32": replace(FLOAT32, type_a="int32", type_b="int32", type_c="int32"),
    "int8": replace(FLOAT32, type_a="int8", type_b="int8", type_c="int32"),
    "uint8 and int8": replace(FLOAT32, type_a="uint8", type_b="int8", type_c="int32"),
    "alpha and beta": replace(FLOAT32, alpha=1.5, beta=-0.5),
}
LARGEST = {"float16": 2**11, "float32": 2**24, "float64": 2**53, "int32": 2**31 - 1}

SHORT = [("bfloat16 in, float out", 8), ("int8", 7), ("uint8 and int8", 7)]  # types that NumPy lacks, or of few bits

some = st.sampled_from
depths = some((1, 2, 33, 257, 1025, 2049, 4097))
seeds = st.integers(0, 2**32)


def drawn(interface: Interface, family: str, K: int = 257, seed: int = 1, lines: int = 5) -> Inputs:
    return draw(Case(Shape(lines, lines, K), family, seed), interface)


@settings(max_examples=60, deadline=None)
@given(some(sorted(LABS)), some(EXACT), depths, seeds)
def test_no_sum_of_an_exact_family_leaves_the_accumulator(lab: str, family: str, K: int, seed: int) -> None:
    interface = LABS[lab]
    inputs = drawn(interface, family, K, seed)
    sums = np.abs(inputs.A.astype(float)) @ np.abs(inputs.B.astype(float))
    whole = abs(interface.alpha) * sums / (unit(inputs.A) * unit(inputs.B)) + 8 * abs(interface.beta)
    scale = 2 if interface.beta else 1  # halves are exact as long as twice the value is a whole number
    assert inputs.exact
    assert (scale * whole).max() <= LARGEST[interface.type_c]


def unit(matrix: NDArray[np.generic]) -> float:
    """The largest power of two of which all elements are multiples, at most 1; 1 without any."""
    values = np.abs(matrix[matrix != 0].astype(float))
    powers = 2.0 ** np.arange(-80.0, 1.0)
    return next((float(power) for power in powers[::-1] if (values % power == 0).all()), 1.0)


@pytest.mark.parametrize("seed", range(10))
def test_one_mixed_family_has_whole_numbers_and_the_other_very_small_ones(seed: int) -> None:
    whole, small = (drawn(FLOAT32, family, 33, seed) for family in MIXED)
    assert (unit(whole.A), unit(whole.B)) == (1.0, 1.0)
    assert np.abs(small.A).max() * np.abs(small.B).max() < 2.0**-5
    assert unit(small.A) * unit(small.B) <= 2.0**-44


def test_mixed_values_stay_within_the_range_of_half_precision() -> None:
    every = [drawn(LABS["half in, float out"], "mixed-2", 9, seed) for seed in range(9)]
    assert all(unit(each.A) == unit(each.B) == 1.0 for each in every)


@settings(max_examples=30, deadline=None)
@given(some(EXACT), depths, seeds, st.integers(1, 64))
def test_any_order_of_float32_summation_gives_the_same_bits(family: str, K: int, seed: int, block: int) -> None:
    inputs = drawn(FLOAT32, family, K, seed)
    order = np.random.default_rng(seed).permutation(K)
    total = np.zeros((5, 5), np.float32)
    for first in range(0, K, block):
        chosen = order[first : first + block]
        part = np.zeros((5, 5), np.float32)
        for k in chosen:
            part += np.outer(inputs.A[:, k], inputs.B[k])
        total += part
    assert np.array_equal(total, exact_result(inputs, FLOAT32))


@pytest.mark.parametrize("bits", [23, 22, 16, 13, 11, 8])
@pytest.mark.parametrize("narrow", ["A", "B"])
@pytest.mark.parametrize("K", [2, 33, 257])
def test_the_mixed_families_detect_every_lost_bit_of_a_factor_and_of_the_sum(bits: int, narrow: str, K: int) -> None:
    lost_in_factor = lost_in_sum = 0
    for inputs in (drawn(FLOAT32, family, K, lines=65) for family in MIXED):
        want = exact_result(inputs, FLOAT32)
        A, B = (
            rounded(matrix.astype(float), bits, None) if name == narrow else matrix.astype(float)
            for name, matrix in (("A", inputs.A), ("B", inputs.B))
        )
        lost_in_factor += int(np.count_nonzero(want != A @ B))
        lost_in_sum += int(np.count_nonzero(rounded(want, bits, None) != want))
    assert min(lost_in_factor, lost_in_sum) > 65 * 65 / 20


@pytest.mark.parametrize("size", [(1, 1, 1), (2, 3, 5), (64, 64, 64), (65, 33, 257)])
@pytest.mark.parametrize("family", MIXED)
@pytest.mark.parametrize("seed", range(3))
def test_strassen_and_winograd_are_exact_for_mixed_families(family: str, size: tuple[int, int, int], seed: int) -> None:
    inputs = draw(Case(Shape(*size), family, seed), FLOAT32)
    A, B = inputs.A.astype(np.float32), inputs.B.astype(np.float32)
    for algorithm in (accuracy.strassen, accuracy.winograd):
        for way in (algorithm(accuracy.plain), fit_shares.edges_apart(algorithm(accuracy.plain), accuracy.plain)):
            assert np.array_equal(way(A, B), exact_result(inputs, FLOAT32))


def from_few_elements(matrix: NDArray[np.generic]) -> NDArray[np.float64]:
    """What the first elements of the rows tell: signs and sizes, without the power of two of all."""
    first = np.abs(matrix[:, :16].astype(float)) / unit(matrix)
    return np.column_stack([(first == 0).mean(1), np.log2(first + 1).mean(1), np.log2(first + 1).max(1)])


@settings(max_examples=5, deadline=None)
@given(seeds, st.integers(0, 63), st.floats(0.1, 0.9))
def test_few_elements_of_a_row_do_not_tell_which_matrix_has_all_bits(seed: int, place: int, threshold: float) -> None:
    """For any threshold of what they tell, as many rows are above it in either matrix, but for those with all bits."""
    apart = []
    for launch in range(8):
        inputs = draw(Case(Shape(128, 128, 1024), "mixed-1", seed), FLOAT32, launch)
        sides = sorted((inputs.A, inputs.B.T), key=lambda matrix: float(np.abs(matrix).max()))
        plain, wide = (from_few_elements(np.roll(side, 16 * place, axis=1)) for side in sides)
        limits = np.quantile(np.concatenate([plain, wide]), threshold, axis=0)
        apart.append((wide > limits).mean(axis=0) - (plain > limits).mean(axis=0))
    assert np.abs(np.mean(apart, axis=0)).max() < 0.25


@pytest.mark.parametrize("K", [65, 257, 1025])
@pytest.mark.parametrize("seed", range(3))
def test_terms_that_are_small_in_a_few_rows_of_real_inputs_are_large_in_others(K: int, seed: int) -> None:
    inputs = drawn(FLOAT32, "real", K, seed, lines=129)
    for matrix in (inputs.A, inputs.B.T):
        small = np.abs(matrix[:4]).max(axis=0) < 2.0**-12
        assert np.abs(matrix[:, small]).max(axis=0, initial=0.0).min(initial=1.0) > 2.0**-12
        assert small.any()


@pytest.mark.parametrize("family", MIXED)
def test_products_beside_a_zero_have_several_terms(family: str) -> None:
    inputs = drawn(FLOAT32, family, 257, lines=129)
    of_a, of_b = (matrix.astype(bool).astype(float) for matrix in (inputs.A, inputs.B))
    assert ((of_a @ of_b)[inputs.A[:, 0] == 0] > 1).mean() > 0.5


@pytest.mark.parametrize(("math", "bits"), [("tf32", 11), ("bf16", 8)])
@pytest.mark.parametrize("family", FAMILIES)
def test_rounding_to_the_bits_that_a_lab_allows_is_exact_and_to_one_bit_less_is_not(
    math: str, bits: int, family: str
) -> None:
    interface = replace(FLOAT32, math=math)
    inputs = drawn(interface, family, 65, lines=65)
    factors = (inputs.A, inputs.B)
    assert all(np.array_equal(rounded(factor.astype(float), bits, None), factor) for factor in factors)
    A, B = (rounded(factor.astype(float), bits - 1, None) for factor in factors)
    if family != "balanced":  # so many terms leave its factors fewer bits
        assert (exact_result(inputs, interface) != A @ B).mean() > 0.05


@pytest.mark.parametrize(
    ("lab", "bits"), [("float32", 24), ("float64", 53), ("half in, float out", 11), ("int32", 31), *SHORT]
)
def test_one_operand_has_numbers_with_every_bit_of_its_type(lab: str, bits: int) -> None:
    for family in MIXED:
        inputs = drawn(LABS[lab], family, 64, lines=65)
        largest = max(np.abs(matrix.astype(float)).max() / unit(matrix) for matrix in (inputs.A, inputs.B))
        assert 2.0 ** (bits - 1) <= largest < 2.0**bits


def test_every_term_of_a_balanced_sum_counts() -> None:
    inputs = drawn(FLOAT32, "balanced", 4097, lines=65)
    assert inputs.A.all()
    assert inputs.B.all()


@pytest.mark.parametrize("family", FAMILIES)
def test_inputs_are_the_same_for_the_same_seed_and_differ_for_another(family: str) -> None:
    case = Case(Shape(8, 8, 8), family, 7)
    same, other, later = draw(case, FLOAT32), draw(replace(case, seed=8), FLOAT32), draw(case, FLOAT32, launch=1)
    assert np.array_equal(draw(case, FLOAT32).A, same.A)
    assert not np.array_equal(other.A, same.A)
    assert not np.array_equal(later.B, same.B)


def test_every_bit_of_a_seed_counts() -> None:
    shape = Shape(9, 9, 9)
    drawn_from = {draw(Case(shape, "balanced", 1 ^ 1 << bit), FLOAT32).A.tobytes() for bit in range(128)}
    signs_from = {signs(shape, 1 ^ 1 << bit, 1, 8).a_rows.tobytes() for bit in range(128)}
    assert (len(drawn_from), len(signs_from)) == (128, 128)


def test_real_inputs_have_rows_of_one_norm_and_are_not_exact() -> None:
    inputs = drawn(FLOAT32, "real", 257, lines=65)
    assert not inputs.exact
    assert np.ptp(np.linalg.norm(inputs.A, axis=1)) < 1e-5


def test_real_inputs_have_every_bit_of_float32() -> None:
    inputs = drawn(FLOAT32, "real", 257, lines=65)
    for bit in range(22):
        assert 0.4 < np.mean(inputs.B.view(np.uint32) >> bit & 1) < 0.6


def test_whole_numbers_are_exact_in_every_family() -> None:
    assert all(drawn(LABS["int32"], family).exact for family in FAMILIES)


def test_an_alpha_that_cannot_be_multiplied_exactly_is_not_compared_exactly() -> None:
    assert not drawn(replace(FLOAT32, alpha=0.1), "mixed-1").exact
    assert drawn(replace(FLOAT32, alpha=-2.0), "mixed-1").exact


def test_c_is_given_only_where_beta_counts() -> None:
    assert drawn(FLOAT32, "mixed-1").C is None
    C = drawn(LABS["alpha and beta"], "mixed-1").C
    assert C is not None
    assert np.abs(C).max() <= 8


@given(st.integers(1, 80), st.integers(1, 80), st.integers(1, 3), seeds)
def test_the_dense_families_share_out_the_tiles_with_all_their_blocks(x: int, y: int, z: int, seed: int) -> None:
    ran = np.zeros((len(FAMILIES), z, y, x), bool)
    for family, marks in zip(FAMILIES, ran, strict=True):
        numbers = blocks(Case(Shape(2048, 2048, 2048), family, seed, shared_out=True), (x, y, z))
        assert numbers is not None
        marks.reshape(-1)[numbers] = True
        assert np.array_equal(numbers, np.unique(numbers))
    assert (ran == ran[:, :1]).all()
    assert ran[:, :, -1].all()
    assert ran[:, :, :, -1].all()
    dense, wide = ran[:2, 0, :-1, :-1], ran[2:, 0, :-1, :-1]
    assert (dense.sum(0) == 1).all()
    assert dense.sum((1, 2)).max() <= x * y / 2 + 1
    assert wide.sum((1, 2)).max() <= x * y / 8 + 1


def test_another_seed_distributes_the_blocks_differently() -> None:
    seeds = (1, 1, 2)
    first, again, second = (blocks(Case(Shape(9, 9, 9), "real", seed, shared_out=True), (50, 50, 1)) for seed in seeds)
    assert first is not None and again is not None and second is not None  # noqa: PT018 - for the types
    assert np.array_equal(first, again)
    assert not np.array_equal(first, second)


def test_the_edges_and_the_neighbours_of_the_first_tile_of_a_large_size_are_checked() -> None:
    case = Case(Shape(1024, 1024, 1024), CHECKED, 1, shared_out=True)
    assert blocks_of(case, (8, 4, 1)) == [0, 1, 7, 8, 24, 31]
    assert blocks_of(case, (8, 4, 2)) == [0, 1, 7, 8, 24, 31, 32, 33, 39, 40, 56, 63]
    assert blocks_of(case, (5, 1, 1)) == [0, 1, 4]
    assert blocks_of(case, (1, 1, 1)) == [0]


def blocks_of(case: Case, grid: tuple[int, int, int]) -> list[int]:
    chosen = blocks(case, grid)
    assert chosen is not None
    return [int(number) for number in chosen]


def test_checked_inputs_are_balanced() -> None:
    assert drawn(FLOAT32, CHECKED).exact
    assert drawn(FLOAT32, CHECKED).A.all()


def test_all_blocks_run_if_a_list_of_their_numbers_would_need_much_memory() -> None:
    case = Case(Shape(32768, 32768, 1), "real", 1, shared_out=True)
    assert blocks(case, (32768, 32768, 1)) is None
