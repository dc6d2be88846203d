"""Outputs of timed launches are checked: by equality, or with a tolerance that rounding never exceeds."""

from dataclasses import replace

import numpy as np
import pytest

from grader.contract import freivalds
from grader.model import Interface, Shape
from grader.timing import projecting
from tests.benchmarks import accuracy
from tests.timed_inputs import each_launch

SHAPE = Shape(64, 96, 512)
SQUARE = Interface("matmul", ("A", "B", "C", "N"))
SHAPES = (Shape(16, 16, 16), Shape(17, 33, 5), Shape(64, 64, 64))
INTERFACE = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
SEED, NUMBER, LAUNCHES = 2**127 + 7, 3, 4


def outputs(way: accuracy.Way = accuracy.plain, interface: Interface = INTERFACE) -> list[np.ndarray]:
    """The outputs of a kernel that multiplies in this way."""
    pair, kind = freivalds.base(SHAPE, interface, SEED), np.dtype(interface.type_c)
    fresh = freivalds.changes(SHAPE, pair.aligned, SEED, NUMBER, LAUNCHES)
    return [way(a.astype(kind), b.astype(kind)).astype(np.float64) for a, b in each_launch(pair, fresh)]


def wrong_rows(outputs: list[np.ndarray], interface: Interface = INTERFACE) -> list[int]:
    """The wrong rows of several projections, some onto the exact columns and some onto the others."""
    base = projecting.base(SHAPE, interface, SEED)
    fresh = freivalds.changes(SHAPE, base.pair.aligned, SEED, NUMBER, LAUNCHES)
    drawn = [freivalds.vector(base.pair, interface, np.random.default_rng(seed)) for seed in range(8)]
    return [projecting.wrong_rows(np.array([C @ x for C in outputs]), base, fresh, x) for x in drawn]


@pytest.mark.parametrize("way", ["plain", "pairwise", "Kahan", "Strassen, one level", "Winograd, one level"])
def test_correct_outputs_have_no_wrong_rows(way: str) -> None:
    assert not any(wrong_rows(outputs(accuracy.WAYS[way])))


def test_float64_leaves_room_for_the_rounding_of_the_projection() -> None:
    double = replace(INTERFACE, type_a="float64", type_b="float64", type_c="float64")
    right = outputs(np.matmul, double)
    assert not any(wrong_rows(right, double))
    assert any(wrong_rows([C.astype(np.float32).astype(np.float64) * (1 + 2**-23) for C in right], double))


@pytest.mark.parametrize("by", [np.nan, 2.0**44])  # more than the tolerance, even of the largest rows
def test_each_wrong_row_of_each_launch_counts(by: float) -> None:
    left = outputs()
    for column in range(SHAPE.N):
        left[1][5, column] += by
        left[3][0, column] += by
    assert set(wrong_rows(left)) == {2}


@pytest.mark.parametrize("bits", [22, 11, 8])
def test_shorter_factors_show_in_the_exact_columns_and_short_ones_in_the_others(bits: int) -> None:
    narrow = wrong_rows(outputs(lambda a, b: accuracy.plain(accuracy.cut(a, bits), accuracy.cut(b, bits))))
    assert any(narrow)
    assert all(narrow) == (bits < 22)


def test_a_result_of_zeros_is_wrong() -> None:
    assert min(wrong_rows([np.zeros((SHAPE.M, SHAPE.N))] * LAUNCHES)) > 0


def test_every_vector_is_a_new_one() -> None:
    base = projecting.base(SHAPE, INTERFACE, SEED)
    first, second = (projecting.fresh_vector(base) for _ in range(2))
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("way", ["16 bits of B", "16 bits of A", "3 bfloat16 products"])
def test_factors_of_few_bits_show_in_the_projections_of_real_sums_alone(way: str) -> None:
    base = projecting.base(SHAPE, INTERFACE, SEED)
    fresh = freivalds.changes(SHAPE, base.pair.aligned, SEED, NUMBER, LAUNCHES)
    x = np.where(base.pair.columns.real, 1.0, 0.0)
    pairs = zip(outputs(accuracy.WAYS[way]), outputs(), strict=True)
    left = [np.where(base.pair.real_sums, short, right) @ x for short, right in pairs]
    assert projecting.wrong_rows(np.array(left), base, fresh, x)


def same(first: projecting.BaseInputs, other: projecting.BaseInputs) -> bool:
    return np.array_equal(first.pair.A, other.pair.A) and np.array_equal(first.pair.B, other.pair.B)


def test_every_size_comes_in_order_with_its_own_inputs():
    in_turn = list(projecting.sizes(SHAPES, SQUARE, seed=3))
    assert [size.shape for size in in_turn] == list(SHAPES)
    assert [size.following for size in in_turn] == [*SHAPES[1:], None]
    for size in in_turn:
        assert same(size.base(), projecting.single_size(size.shape, SQUARE, seed=3).base())
