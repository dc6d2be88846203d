"""Long traces are searched in bounded memory: the first events of each block."""

import numpy as np
import pytest

from grader.ptxsim.checked import synchronisation, vector_clocks
from grader.ptxsim.checked.searchable import CHANGE, MOST_UNITS, OF_BLOCK, in_step, is_settled, searchable
from grader.ptxsim.checked.synchronisation import knowledge
from grader.ptxsim.engine.trace import SHARED_OUT, Events
from grader.ptxsim.generate.traces import Event, How
from tests.ptxsim.checked.traces import arrival, atomics, barrier, lost, reads, trace, writes

LANES = range(32)
WIDE = reads(dict.fromkeys(LANES, 0), size=16)
BYTE = reads({0: 0}, size=1)  # an access makes as many units of another as it has bytes
WRITE, READ = writes({0: (5, 7)}, warp=1), reads({3: 5})


def rounds(event: Events, count: int, block: int) -> Events:
    events = np.repeat(event, count)
    events["block"] = block
    return events


def test_a_short_trace_is_searched_as_a_whole():
    events = trace(WIDE, BYTE)
    assert searchable(events) is events


def test_of_a_long_trace_the_first_events_of_each_block_are_searched():
    long, short = rounds(WIDE, 4000, 0), rounds(WIDE, 100, 1)
    kept = searchable(trace(BYTE, long, short))
    in_first = kept[kept["block"] == 0]
    assert len(in_first) == 1 + (OF_BLOCK - 1) // (32 * 16)
    assert np.array_equal(in_first, trace(BYTE, long)[: len(in_first)])
    assert (kept["block"] == 1).sum() == 100


def test_the_blocks_share_the_room():
    kept = searchable(trace(BYTE, *(rounds(WIDE, 3000, block) for block in range(9))))
    assert (len(kept) - 1) * 32 * 16 <= MOST_UNITS
    assert set(kept["block"]) == set(range(7))


def test_each_warp_has_a_share_of_the_room_of_its_block():
    ahead, behind = rounds(WIDE, 4000, 0), rounds(WIDE, 100, 0)
    behind["warp"] = 1
    events = trace(BYTE, ahead, behind)
    assert (searchable(events)["warp"] == 1).sum() == 0
    kept = searchable(events, warps=2)
    assert (kept["warp"] == 1).sum() == 100
    assert (len(kept) - 2) * 32 * 16 <= OF_BLOCK + OF_BLOCK // SHARED_OUT
    (end,) = np.flatnonzero(kept["kind"] == Event.LOST)
    assert kept["warp"][end] == 0


def test_where_a_warp_has_more_is_known_in_every_block():
    kept = searchable(trace(BYTE, rounds(WIDE, 4000, 0), rounds(WIDE, 4000, 1)), warps=2)
    assert kept["block"][kept["kind"] == Event.LOST].tolist() == [0, 1]


def test_a_change_takes_more_room_than_a_read():
    add, read = atomics(dict.fromkeys(LANES, 0)), reads(dict.fromkeys(LANES, 0))
    lengths = [len(searchable(rounds(event, 60_000, 0))) for event in (add, read)]
    assert lengths[0] == lengths[1] // CHANGE


def test_what_threads_know_takes_memory_for_each_arrival_only():
    known = knowledge(np.repeat(arrival(1, 32, warp=0), 1000))
    assert len(known.clocks) == len(known.numbers) == 1000 + 1


def test_a_launch_in_which_threads_tell_each_other_very_much_is_searched_in_part(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(synchronisation, "MOST_PUBLICATIONS", 100)
    everywhere = atomics({lane: lane for lane in LANES})
    known = knowledge(np.repeat(everywhere, 10))
    assert known.is_partial
    assert known.until == 100 // 32 + 1


def test_what_nobody_hears_takes_no_time(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(synchronisation, "MOST_PUBLICATIONS", 0)
    added = atomics(dict.fromkeys(LANES, 0), how=How.PUBLISHES)
    assert not knowledge(np.repeat(added, 10)).is_partial


def test_what_does_not_fit_is_taken_to_be_ordered(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(vector_clocks, "MOST_NUMBERS", 100)
    known = knowledge(np.repeat(arrival(1, 32, warp=0), 1000))
    assert known.until < 1000
    assert known.clocks.size <= 100


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
