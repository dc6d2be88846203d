"""Races between warps that arrive at different barriers, on traces written by hand."""

from __future__ import annotations

from grader.worker.simulator.checked.accesses import every_access
from grader.worker.simulator.checked.part_barriers import arrive_as_warps, knowledge
from grader.worker.simulator.checked.races import races_between_warps
from grader.worker.simulator.engine.trace import Events
from tests.worker.simulator.checked.traces import arrival, atomics, reads, trace, writes

THREADS = 96
WRITE, READ = writes({0: (5, 7)}), reads({3: 5}, warp=1)


def found(*parts: Events) -> int:
    events = trace(*parts)
    assert arrive_as_warps(events, THREADS)
    return len(list(races_between_warps(every_access(events), knowledge(events, THREADS))))


def test_a_barrier_orders_those_that_arrive():
    assert found(WRITE, READ) == 1
    assert found(WRITE, arrival(1, 64, warp=0), arrival(1, 64, warp=1), READ) == 0
    assert found(WRITE, arrival(1, 64, warp=0), arrival(1, 64, warp=2), READ) == 1
    assert found(WRITE, arrival(1, 64, warp=0), arrival(2, 64, warp=1), READ) == 1


def test_who_only_arrives_is_heard_and_does_not_hear():
    assert found(WRITE, arrival(1, 64, warp=0, waits=False), arrival(1, 64, warp=1), READ) == 0
    assert found(READ, arrival(1, 64, warp=1), arrival(1, 64, warp=0, waits=False), WRITE) == 1
    again = writes({0: (5, 8)})
    assert found(WRITE, arrival(1, 64, warp=0, waits=False), again, arrival(1, 64, warp=1), READ) == 1


def test_what_a_warp_has_heard_it_passes_on():
    first = arrival(1, 64, warp=0), arrival(1, 64, warp=2)
    second = arrival(2, 64, warp=2), arrival(2, 64, warp=1)
    assert found(WRITE, *first, *second, READ) == 0
    assert found(WRITE, *second, *first, READ) == 1


def test_a_barrier_opens_again_for_the_next_round():
    handed = arrival(1, 64, warp=0, waits=False), arrival(1, 64, warp=1)
    returned = arrival(2, 64, warp=1, waits=False), arrival(2, 64, warp=0)
    assert found(WRITE, *handed, READ, *returned, writes({0: (5, 8)}), *handed, READ) == 0
    assert found(WRITE, *handed, READ, writes({0: (5, 8)}), *handed, READ) == 1


def test_threads_that_have_returned_are_not_waited_for():
    all_threads = arrival(0, 96, warp=0), arrival(0, 96, warp=1)
    assert found(WRITE, *all_threads, READ) == 0


def test_atomics_and_equal_values_do_not_race():
    assert found(atomics({0: 5}), atomics({0: 5}, warp=1)) == 0
    assert found(WRITE, writes({0: (5, 7)}, warp=1)) == 0
    assert found(WRITE, writes({0: (5, 8)}, warp=1)) == 1


def test_nothing_is_known_of_warps_whose_lanes_arrive_one_by_one():
    assert not arrive_as_warps(trace(WRITE, arrival(1, 64, warp=0, lanes=16), READ), THREADS)
