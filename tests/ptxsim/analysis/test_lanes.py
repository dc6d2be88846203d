"""Shapes: what a rule predicts is true of all 32 lanes."""

import operator

import numpy as np
import pytest

from grader.ptxsim.analysis import lanes
from grader.ptxsim.analysis.shape import (
    LANES,
    VARYING,
    Geometry,
    LaneShape,
    constant,
    flat,
    joined,
    leader,
    of_lanes,
    refined,
    special_shape,
)

ROWS = LaneShape(1, tuple(16 * (lane // 16) for lane in range(LANES)), 32, 0, 10_000)
RAMP = LaneShape(1, tuple(range(LANES)), 32, 0, 10_000)
OPERATIONS = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "shl": operator.lshift,
    "shr": operator.rshift,
    "and": operator.and_,
    "or": operator.or_,
}


def values(shape: LaneShape, first: int) -> list[int]:
    return [first + offset for offset in shape.offsets]


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize(
    "shape", [ROWS, RAMP, constant(7), LaneShape(1, step=64, low=0, high=640), LaneShape(1, step=64, low=0)]
)
@pytest.mark.parametrize("number", [0, 1, 3, 5, 8, 31])
def test_the_other_lanes_differ_from_the_first_as_the_rule_says(name, shape, number):
    predicted = lanes.RULES[name]((shape, constant(number)), 32)
    for first in (0, 64, 640) if shape.constant is None else (7,):
        results = [OPERATIONS[name](value, number) for value in values(shape, first)]
        if not predicted.is_varying:
            leaders = [results[leader(lane, predicted.groups)] for lane in range(LANES)]
            assert results == [a + b for a, b in zip(leaders, predicted.offsets, strict=True)]
            assert all(base % predicted.step == 0 for base in leaders)
            if predicted.low is not None and predicted.high is not None:
                assert predicted.low <= min(results) <= max(results) <= predicted.high


def test_rows_times_a_number_that_is_not_known_are_two_groups():
    assert lanes.multiply((ROWS, LaneShape(1)), 32).groups == 2
    assert lanes.multiply((RAMP, LaneShape(1)), 32) == VARYING


def test_a_product_is_known_not_to_be_negative_only_if_no_factor_is():
    least = LaneShape(1, low=0, high=9)
    assert lanes.multiply((least, least), 32).is_not_negative
    assert not lanes.multiply((least, LaneShape(1)), 32).is_not_negative


def test_a_mask_of_all_bits_keeps_the_step():
    assert lanes.bitwise_and((RAMP, constant(-1)), 32).step == RAMP.step


def test_a_lane_within_its_warp_is_known_whatever_the_warp() -> None:
    thread = special_shape("tid.x", Geometry((256, 1, 1)))
    warp = lanes.bitwise_and((thread, constant(-32)), 32)
    lane = lanes.subtract((thread, warp), 32)
    assert (lane.offsets, lane.low, lane.high) == (tuple(range(LANES)), 0, 31)
    assert lanes.shift_right((thread, constant(7)), 32).is_uniform


def test_an_index_that_may_wrap_is_checked_before_it_is_widened():
    assert lanes.widens(LaneShape(1, RAMP.offsets), signed=True)
    assert not lanes.widens(RAMP, signed=False)
    assert not lanes.widens(LaneShape(1), signed=True)


def test_joining_keeps_what_both_have():
    assert joined(RAMP, RAMP) == RAMP
    assert joined(RAMP, constant(0)) == VARYING
    assert joined(constant(4), constant(12)).step == 4


@pytest.mark.parametrize("block", [(16, 16, 1), (32, 8, 1), (8, 8, 4), (256, 1, 1), (24, 4, 1), (3, 5, 2), (7, 1, 1)])
@pytest.mark.parametrize("axis", "xyz")
def test_coordinates_have_the_shape_that_the_rule_predicts(block, axis):
    geometry = Geometry(block)
    shape = special_shape(f"tid.{axis}", geometry)
    if shape.is_varying:
        return
    coordinates = geometry.coordinates()[:, "xyz".index(axis), :]
    threads = np.arange(geometry.warps * LANES).reshape(-1, LANES) < geometry.threads
    expected = coordinates[:, :1] + np.array(shape.offsets)
    assert (coordinates == expected)[threads].all()


def test_rows_of_a_block_are_flat_in_groups():
    assert flat(refined(ROWS, 1)).groups == 2
    assert of_lanes(tuple(range(LANES))).offsets == RAMP.offsets


def test_a_wide_product_of_unsigned_numbers_takes_a_large_constant_as_it_is_written():
    factor = lanes.as_unsigned(constant(-1431655765), 32)
    product = lanes.multiply((of_lanes(tuple(range(32))), factor), 64)
    assert product.offsets == tuple(lane * 0xAAAAAAAB for lane in range(32))
