"""How far all warps of a block are recorded, on traces written by hand."""

from __future__ import annotations

from grader.ptxsim.checked.settled import in_step, is_settled
from tests.ptxsim.checked.traces import barrier, lost, reads, trace, writes

WRITE, READ = writes({0: (5, 7)}, warp=1), reads({3: 5})


def test_where_all_is_recorded_all_is_settled():
    events = trace(READ, barrier(0), READ)
    assert is_settled(events, 2)
    assert in_step(events) is events


def test_what_a_warp_reads_is_settled_if_all_that_end_have_reached_the_barrier_behind_it():
    assert not is_settled(trace(READ, barrier(0), WRITE, lost(1)), 0)
    assert is_settled(trace(READ, barrier(0), WRITE, barrier(1), lost(1)), 0)


def test_other_blocks_do_not_matter():
    assert is_settled(trace(READ, barrier(0), lost(1, block=1)), 0)


def test_events_behind_a_barrier_that_a_warp_is_not_recorded_to_reach_are_out_of_step():
    ahead = trace(READ, barrier(0), READ)
    assert len(in_step(trace(WRITE, lost(1), ahead))) == len(trace(WRITE, lost(1), READ, barrier(0)))
    reached = trace(WRITE, barrier(1), lost(1), ahead)
    assert len(in_step(reached)) == len(reached)
