"""What orders threads besides barriers of the whole block, on traces written by hand."""

import numpy as np
import pytest

from grader.ptxsim.checked.accesses import accesses, every_access
from grader.ptxsim.checked.copy_waits import copy_ends
from grader.ptxsim.checked.epochs import partial_waits
from grader.ptxsim.checked.race_search import MOST_ATOMICS, races_between_warps, races_inside_warps
from grader.ptxsim.checked.signals import signalling, signals
from grader.ptxsim.checked.synchronisation import knowledge
from grader.ptxsim.engine.trace import Events, Integers
from grader.ptxsim.generate.traces import How
from tests.ptxsim.checked.traces import (
    EXCHANGES,
    MATRIX_C,
    arrival,
    atomics,
    fence,
    on_object,
    reads,
    trace,
    warp_barrier,
    writes,
)

WRITE, READ = writes({0: (5, 7)}), reads({3: 5}, warp=1)
OF_BLOCK, OF_NEXT_BLOCK = writes({0: (5, 7)}, start=MATRIX_C), reads({0: 5}, block=1, start=MATRIX_C)
RAISES, SEES = atomics({0: 9}, start=MATRIX_C), atomics({0: 9}, block=1, start=MATRIX_C)
INIT = on_object(How.INIT, 32, lanes=1)
READY = trace(INIT, arrival(0, 64, warp=0), arrival(0, 64, warp=1))
ARRIVES, WAITS = on_object(How.ARRIVE, 1), on_object(How.ACQUIRES, warp=1)


def each_at_a_line(events: Events) -> Integers:
    """Lines of events that all differ."""
    return np.arange(len(events))


def found(*parts: Events) -> int:
    events = trace(*parts)
    known = knowledge(events)
    table = signalling(every_access(events, known.are_alike()), events, signals(events))
    return len({int(race.change.place[0]) for race in races_between_warps(table, known, each_at_a_line(events))})


def found_inside_warps(*parts: Events) -> int:
    events = trace(*parts)
    table = signalling(accesses(events, copy_ends(events)), events, signals(events))
    return len(list(races_inside_warps(table, partial_waits(events), knowledge(events), each_at_a_line(events))))


def test_threads_that_have_returned_are_not_waited_for():
    all_threads = arrival(0, 96, warp=0), arrival(0, 96, warp=1)
    assert found(WRITE, *all_threads, READ) == 0


def test_what_other_lanes_of_a_warp_do_meanwhile_does_not_end_the_wait_for_threads_that_have_returned():
    arrived = arrival(0, 64, warp=0, lanes=16), arrival(0, 64, warp=1, lanes=16)
    assert found(WRITE, *arrived, reads({20: 100}, warp=1), READ) == 0


def test_atomics_and_equal_values_do_not_race():
    assert found(atomics({0: 5}), atomics({0: 5}, warp=1)) == 0
    assert found(WRITE, writes({0: (5, 7)}, warp=1)) == 0
    assert found(WRITE, writes({0: (5, 8)}, warp=1)) == 1


def test_lanes_that_arrive_at_a_barrier_one_by_one_are_ordered():
    halves = arrival(1, 64, warp=0, lanes=16), arrival(1, 64, warp=1)
    assert found(WRITE, *halves, READ) == 0
    assert found(WRITE, halves[0], READ) == 1


@pytest.mark.parametrize(
    ("how", "races"), [(EXCHANGES | How.RELEASES, 0), (How.ACQUIRES | How.PUBLISHES | How.RELEASES, 1)]
)
def test_a_release_needs_no_fence_and_has_a_scope(how: How, races: int):
    assert found(OF_BLOCK, atomics({0: 9}, start=MATRIX_C, how=how), SEES, OF_NEXT_BLOCK) == races


def test_only_the_lane_that_has_seen_the_value_knows():
    other_lane = reads({4: 5}, block=1, start=MATRIX_C)
    published = OF_BLOCK, fence(), RAISES, SEES
    assert found(*published, other_lane) == 1
    assert found(*published, warp_barrier(block=1), other_lane) == 0


def test_atomics_without_fences_order_atomics_only():
    counter, reset = atomics({0: 3}, start=MATRIX_C), writes({0: (3, 0)}, block=1, start=MATRIX_C)
    assert found(counter, RAISES, SEES, reset) == 0
    assert found(counter, reset) == 1


def test_an_mbarrier_is_to_be_initialised_before_others_use_it():
    assert found(INIT, on_object(How.ARRIVE, 1, warp=1))
    assert found(READY, on_object(How.ARRIVE, 1, warp=1)) == 0


def test_an_atomic_read_races_with_writes_only():
    looks = atomics({0: 5}, how=How.ACQUIRES | How.DEVICE)
    assert found(looks, READ) == 0
    assert found(READ, looks) == 0
    assert found(looks, writes({3: (5, 7)}, warp=1)) == 1


def test_an_access_is_compared_with_several_atomics_before_it():
    adds = How.PUBLISHES | How.DEVICE
    other, own = atomics({0: 5}, how=adds), atomics({3: 5}, warp=1, how=adds)
    assert found(other, own, READ) == 1
    assert found(other, arrival(0, 64, warp=0), arrival(0, 64, warp=1), own, READ) == 0


ALL_WRITE, OTHER_READS = writes({lane: (lane, 7) for lane in range(32)}), reads({0: 5}, warp=1)
ONE_ARRIVES = on_object(How.ARRIVE, 32, lanes=1)


def test_a_lane_tells_of_lanes_that_it_has_waited_for_only():
    assert found(READY, ALL_WRITE, ONE_ARRIVES, WAITS, OTHER_READS) == 1
    assert found(READY, ALL_WRITE, warp_barrier(), ONE_ARRIVES, WAITS, OTHER_READS) == 0
    assert found(READY, ALL_WRITE, warp_barrier(lanes=16, mask=0xFFFF), ONE_ARRIVES, WAITS, OTHER_READS) == 0
    assert found(READY, ALL_WRITE, warp_barrier(lanes=4, mask=0xF), ONE_ARRIVES, WAITS, OTHER_READS) == 1


def test_an_atomic_races_with_a_write_behind_more_atomics_than_are_compared():
    others = [atomics({0: 5}, warp=1, how=How.PUBLISHES)] * MOST_ATOMICS
    ordered = arrival(1, 64, warp=1), arrival(1, 64, warp=2)
    assert found(atomics({0: 5}, how=How.PUBLISHES), *others, *ordered, writes({0: (5, 7)}, warp=2)) == 1


def test_a_lane_tells_of_its_own_work():
    own = writes({0: (5, 7)})
    assert found(READY, own, ONE_ARRIVES, WAITS, OTHER_READS) == 0


def test_a_lane_tells_of_lanes_that_a_barrier_of_the_block_made_it_wait_for():
    barrier = trace(arrival(0, 64, warp=0), arrival(0, 64, warp=1))
    assert found(READY, ALL_WRITE, barrier, ONE_ARRIVES, WAITS, OTHER_READS) == 0


@pytest.mark.parametrize(("same_line", "races"), [(True, 1), (False, 2)])
def test_two_lines_have_one_race_between_warps_and_one_inside_a_warp(same_line: bool, races: int):
    stores = writes({0: (1, 5)}), writes({0: (2, 5)})
    events = trace(*stores, *(reads({3: place}, warp=warp) for warp in (0, 1) for place in (1, 2)))
    known, lines = knowledge(events), np.zeros(len(events), np.int64) if same_line else each_at_a_line(events)
    table = every_access(events, known.are_alike())
    assert len(list(races_between_warps(table, known, lines))) == races
    assert len(list(races_inside_warps(table, partial_waits(events), known, lines))) == races


def early_arrivals(*parts: Events) -> list[bool]:
    found = knowledge(trace(*parts)).early_arrival
    return [found.again] if found else []


def test_who_knows_nothing_of_the_end_of_a_phase_may_have_arrived_in_it():
    first_two, others = [arrival(1, 64, warp=0), arrival(1, 64, warp=1)], [arrival(1, 64, warp=2)]
    assert early_arrivals(*first_two, *first_two) == []
    assert early_arrivals(*first_two, *others) == [False]
    assert early_arrivals(*first_two, arrival(2, 64, warp=1), arrival(2, 64, warp=2), *others) == []
    assert early_arrivals(*first_two, arrival(2, 64, warp=2)) == []


def test_who_has_not_waited_may_arrive_twice_in_a_phase():
    arrives, waits_there = arrival(1, 64, warp=0, waits=False), arrival(1, 64, warp=1)
    back = [arrival(2, 64, warp=1, waits=False), arrival(2, 64, warp=0)]
    assert early_arrivals(arrives, waits_there, arrives) == [True]
    assert early_arrivals(arrives, waits_there, *back, arrives, waits_there) == []
    assert early_arrivals(arrives, arrives, waits_there) == [True]


def test_an_atomic_without_a_fence_tells_of_the_end_of_a_phase():
    first_two, raises, sees = [arrival(1, 64, warp=0), arrival(1, 64, warp=1)], atomics({0: 9}), atomics({0: 9}, warp=2)
    assert early_arrivals(*first_two, raises, atomics({0: 8}, warp=2), arrival(1, 64, warp=2)) == [False]
    assert early_arrivals(*first_two, raises, sees, arrival(1, 64, warp=2)) == []
