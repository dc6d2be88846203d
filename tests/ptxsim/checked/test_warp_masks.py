"""Warp operations in lanes that their mask leaves out, on traces written by hand."""

from grader.ptxsim.checked.traced_launch import places_of
from grader.ptxsim.checked.undefined import first_left_out, first_missing_source
from grader.ptxsim.generate.traces import PLACE_BITS
from tests.ptxsim.checked.traces import reads, shuffle, trace, warp_barrier


def test_a_mask_names_all_lanes_that_make_the_call():
    assert first_left_out(trace(reads({0: 1}), warp_barrier(), warp_barrier(lanes=16, mask=0xFFFF))) is None
    assert first_left_out(trace(warp_barrier(lanes=8, mask=0xFFFF))) is None


def test_a_lane_that_its_mask_leaves_out_is_found():
    events = trace(warp_barrier(), warp_barrier(warp=2, mask=0xFFFF), warp_barrier(mask=1))
    assert first_left_out(events) == (1, 16, 0xFFFF)


def test_each_lane_has_a_mask_of_its_own():
    halves = warp_barrier()
    halves["words"][0, :16], halves["words"][0, 16:] = 0xFFFF, 0xFFFF0000
    assert first_left_out(halves) is None
    halves["words"][0, 20] = 0xFFFF
    assert first_left_out(halves) == (0, 20, 0xFFFF)


def test_a_shuffle_may_read_every_lane_that_takes_part():
    assert first_missing_source(trace(reads({0: 1}), warp_barrier(lanes=8, mask=0xFF))) is None
    assert first_missing_source(trace(shuffle({0: 31, 31: 0}), shuffle({3: 9, 9: 9}, mask=0x208))) is None


def test_a_shuffle_from_a_lane_that_is_elsewhere_or_not_in_the_mask_is_found():
    assert first_missing_source(trace(warp_barrier(), shuffle({0: 1}, mask=3))) == (1, 0, 1)
    assert first_missing_source(shuffle({8: 9, 9: 9}, mask=0x100, warp=1)) == (0, 8, 9)


def test_lanes_that_meet_are_each_in_a_place_of_their_own():
    both = shuffle({0: 5, 1: 0})
    both["where"] = 3
    for lane, place in enumerate((7, 3)):
        both["words"][0, lane] |= place + 1 << PLACE_BITS
    assert [places_of(both, lane).tolist() for lane in range(3)] == [[7], [3], [3]]
    assert first_missing_source(both) == (0, 0, 5)
