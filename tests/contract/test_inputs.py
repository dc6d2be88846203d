from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.contract.inputs import (
    EXACT,
    FAMILIES,
    REPEATED,
    REPEATS,
    Inputs,
    blocks,
    cases,
    draw,
)
from grader.judge.compare import expected, wrong_elements
from grader.judge.hypotheses import rounded
from grader.model import Backend, Case, Interface, Shape

FLOAT32 = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
LABS = {
    "float32": FLOAT32,
    "float64": replace(FLOAT32, type_a="float64", type_b="float64", type_c="float64"),
    "half in, float out": replace(FLOAT32, type_a="float16", type_b="float16"),
    "float in, half out": replace(FLOAT32, type_c="float16"),
    "int32": replace(FLOAT32, type_a="int32", type_b="int32", type_c="int32"),
    "alpha and beta": replace(FLOAT32, alpha=1.5, beta=-0.5),
}
LARGEST = {"float16": 2**11, "float32": 2**24, "float64": 2**53, "int32": 2**31 - 1}

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
    whole = abs(interface.alpha) * sums + 8 * abs(interface.beta)
    scale = 2 if interface.beta else 1  # halves are exact as long as twice the value is a whole number
    assert inputs.exact
    assert (scale * whole).max() <= LARGEST[interface.type_c]


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
    assert not wrong_elements(total.astype(float), expected(inputs, FLOAT32), None).any()


@pytest.mark.parametrize("bits", [11, 8], ids=["TF32 or half", "bfloat16"])
@pytest.mark.parametrize("family", EXACT)
def test_rounded_operands_change_most_elements(bits: int, family: str) -> None:
    inputs = drawn(FLOAT32, family, 65 if family == "balanced" else 257, lines=65)
    A, B = (rounded(one.astype(float), bits, None) for one in (inputs.A, inputs.B))
    same = wrong_elements(A @ B, expected(inputs, FLOAT32), None)
    if family != "balanced" or bits == 8:
        assert same.mean() > 0.5


@pytest.mark.parametrize(("math", "bits"), [("tf32", 11), ("bf16", 8)])
@pytest.mark.parametrize("family", FAMILIES)
def test_factors_that_a_lab_allows_to_be_rounded_lose_nothing_and_with_a_bit_less_they_do(
    math: str, bits: int, family: str
) -> None:
    interface = replace(FLOAT32, math=math)
    inputs = drawn(interface, family, 65, lines=65)
    factors = (inputs.A, inputs.B)
    assert all(np.array_equal(rounded(one.astype(float), bits, None), one) for one in factors)
    A, B = (rounded(one.astype(float), bits - 2, None) for one in factors)
    if family != "balanced":  # so many terms leave its factors fewer bits
        assert (expected(inputs, interface) != A @ B).mean() > 0.5


def test_the_wide_operand_has_odd_values_of_13_bits() -> None:
    wide = drawn(FLOAT32, "wide-a", 2049, lines=65).A.astype(int)
    assert (wide % 2 == 1).all()
    assert 8000 < np.abs(wide).max() < 2**13


@pytest.mark.parametrize("K", [257, 4097])
def test_the_narrow_operand_is_minus_one_zero_or_one_and_not_empty(K: int) -> None:
    narrow = drawn(FLOAT32, "wide-a", K, lines=65).B
    assert set(np.unique(narrow)) == {-1.0, 0.0, 1.0}
    assert (narrow != 0).mean() > 0.3


@pytest.mark.parametrize("family", FAMILIES)
def test_inputs_are_the_same_for_the_same_seed_and_fresh_otherwise(family: str) -> None:
    case = Case(Shape(8, 8, 8), family, 7)
    same, other, later = draw(case, FLOAT32), draw(replace(case, seed=8), FLOAT32), draw(case, FLOAT32, launch=1)
    assert np.array_equal(draw(case, FLOAT32).A, same.A)
    assert not np.array_equal(other.A, same.A)
    assert not np.array_equal(later.B, same.B)


def test_real_inputs_fill_the_interval_and_are_not_exact() -> None:
    inputs = drawn(FLOAT32, "real", 257, lines=65)
    assert not inputs.exact
    assert -1 <= inputs.A.min() < -0.99
    assert 0.99 < inputs.A.max() <= 1


def test_whole_numbers_are_exact_in_every_family() -> None:
    assert all(drawn(LABS["int32"], family).exact for family in FAMILIES)


def test_an_alpha_that_cannot_be_multiplied_exactly_is_not_compared_exactly() -> None:
    assert not drawn(replace(FLOAT32, alpha=0.1), "wide-a").exact
    assert drawn(replace(FLOAT32, alpha=-2.0), "wide-a").exact


def test_c_is_given_only_where_beta_counts() -> None:
    assert drawn(FLOAT32, "wide-a").C is None
    C = drawn(LABS["alpha and beta"], "wide-a").C
    assert C is not None
    assert np.abs(C).max() <= 8


@given(st.integers(1, 80), st.integers(1, 80), st.integers(1, 3), seeds)
def test_the_families_share_out_the_tiles_with_all_their_blocks(x: int, y: int, z: int, seed: int) -> None:
    shared = [Case(Shape(2048, 2048, 2048), family, seed, shares=len(FAMILIES)) for family in FAMILIES]
    ran = np.zeros((len(FAMILIES), z, y, x), bool)
    for case, marks in zip(shared, ran, strict=True):
        numbers = blocks(case, (x, y, z))
        assert numbers is not None
        marks.reshape(-1)[numbers] = True
        assert np.array_equal(numbers, np.unique(numbers))
    assert (ran == ran[:, :1]).all()
    assert ran[:, :, -1].all()
    assert ran[:, :, :, -1].all()
    assert (ran[:, 0, :-1, :-1].sum(0) == 1).all()
    inner = ran[:, 0, :-1, :-1].sum((1, 2))
    assert inner.max(initial=0) <= x * y / len(FAMILIES) + 1


def test_other_seeds_share_the_blocks_otherwise() -> None:
    seeds = (1, 1, 2)
    first, again, second = (blocks(Case(Shape(9, 9, 9), "real", seed, shares=4), (50, 50, 1)) for seed in seeds)
    assert first is not None and again is not None and second is not None  # noqa: PT018 - for the types
    assert np.array_equal(first, again)
    assert not np.array_equal(first, second)


def test_each_size_has_every_family_and_the_smallest_is_repeated() -> None:
    small, large = Shape(33, 33, 33), Shape(2048, 2048, 2048)
    found = list(cases((large, small), 1, Backend.SIMULATOR))
    assert [one.family for one in found] == [*FAMILIES, *FAMILIES, REPEATED]
    assert (found[-1].shape, found[-1].launches) == (small, REPEATS)
    assert [one.shares for one in found] == [len(FAMILIES)] * 4 + [1] * 5
    assert {one.order for one in found if one.shape == large} == {"forward", "reverse"}


def test_a_gpu_runs_all_blocks_and_has_one_order() -> None:
    gpu = list(cases((Shape(2048, 2048, 2048),), 1, Backend.CUDA))
    assert {(one.shares, one.order) for one in gpu} == {(1, "forward")}
    assert blocks(gpu[0], (128, 128, 1)) is None
