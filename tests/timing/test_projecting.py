"""Outputs of timed launches are checked: by equality, or with a tolerance that rounding never exceeds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.contract import freivalds
from grader.contract.inputs import FAMILIES
from grader.model import Interface, Shape
from grader.timing import projecting
from tests.benchmarks import accuracy

SHAPE = Shape(64, 96, 512)
INTERFACE = Interface("matmul", ("A", "B", "C", "M", "N", "K"))
SEED, NUMBER, LAUNCHES = 2**127 + 7, 3, 4


def outputs(family: str, way: accuracy.Way = accuracy.plain, interface: Interface = INTERFACE) -> list[np.ndarray]:
    """The outputs of a kernel that multiplies in this way."""
    pair, fresh = freivalds.base(SHAPE, interface, SEED, family), freivalds.signs(SHAPE, SEED, NUMBER, LAUNCHES)
    kind, diagonals = np.dtype(interface.type_c), (fresh.a_rows, fresh.a_columns, fresh.b_rows, fresh.b_columns)
    products = []
    for a_rows, a_columns, b_rows, b_columns in zip(*diagonals, strict=True):
        a, b = a_rows[:, None] * pair.A * a_columns, b_rows[:, None] * pair.B * b_columns
        products.append(way(a.astype(kind), b.astype(kind)).astype(np.float64))
    return products


def wrong_rows(outputs: list[np.ndarray], family: str, interface: Interface = INTERFACE) -> int:
    x = projecting.fresh_vector(SHAPE, interface)
    got = np.array([C @ x for C in outputs])
    fresh = freivalds.signs(SHAPE, SEED, NUMBER, LAUNCHES)
    return projecting.wrong_rows(got, projecting.base(SHAPE, interface, SEED, family), fresh, x)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("way", ["plain", "pairwise", "Kahan", "Strassen, one level", "Winograd, one level"])
def test_correct_outputs_have_no_wrong_rows(family: str, way: str) -> None:
    assert wrong_rows(outputs(family, accuracy.WAYS[way]), family) == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_float64_leaves_room_for_the_rounding_of_the_projection(family: str) -> None:
    double = replace(INTERFACE, type_a="float64", type_b="float64", type_c="float64")
    right = outputs(family, np.matmul, double)
    assert wrong_rows(right, family, double) == 0
    assert wrong_rows([C.astype(np.float32).astype(np.float64) * (1 + 2**-23) for C in right], family, double) > 0


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("by", [np.nan, np.inf, 8.0])  # more than the tolerance, even times an x of 1
def test_each_wrong_row_of_each_launch_counts(family: str, by: float) -> None:
    left = outputs(family)
    left[1][5, 7] += by
    left[3][0, 9] += by
    assert wrong_rows(left, family) == 2


@pytest.mark.parametrize("bits", [11, 8])
def test_factors_of_tf32_and_bfloat16_show_in_real_inputs(bits: int) -> None:
    narrow = outputs("real", lambda a, b: accuracy.plain(accuracy.cut(a, bits), accuracy.cut(b, bits)))
    assert wrong_rows(narrow, "real") > 0


@pytest.mark.parametrize("family", FAMILIES)
def test_a_result_of_zeros_is_wrong(family: str) -> None:
    assert wrong_rows([np.zeros((SHAPE.M, SHAPE.N))] * LAUNCHES, family) > SHAPE.M


def test_every_vector_is_a_new_one() -> None:
    first, second = (projecting.fresh_vector(SHAPE, INTERFACE) for _ in range(2))
    assert not np.array_equal(first, second)
