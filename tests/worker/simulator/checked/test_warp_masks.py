"""Warp operations in lanes that their mask leaves out, on traces written by hand."""

from __future__ import annotations

from grader.worker.simulator.checked.warp_masks import LeftOut, first_left_out
from tests.worker.simulator.checked.traces import reads, trace, warp_barrier


def test_a_mask_names_all_lanes_that_make_the_call():
    assert first_left_out(trace(reads({0: 1}), warp_barrier(), warp_barrier(lanes=16, mask=0xFFFF))) is None
    assert first_left_out(trace(warp_barrier(lanes=8, mask=0xFFFF))) is None


def test_a_lane_that_its_mask_leaves_out_is_found():
    events = trace(warp_barrier(), warp_barrier(warp=2, mask=0xFFFF), warp_barrier(mask=1))
    assert first_left_out(events) == LeftOut(1, 2 * 32 + 16, 0xFFFF)


def test_each_lane_has_a_mask_of_its_own():
    halves = warp_barrier()
    halves["words"][0, :16], halves["words"][0, 16:] = 0xFFFF, 0xFFFF0000
    assert first_left_out(halves) is None
    halves["words"][0, 20] = 0xFFFF
    assert first_left_out(halves) == LeftOut(0, 20, 0xFFFF)
