"""Races between lanes of a warp whose operations name some lanes only, on traces written by hand."""

from grader.ptxsim.analysis.ordering import AccessOrder
from grader.ptxsim.checked.accesses import accesses
from grader.ptxsim.checked.epochs import MOST_OPERATIONS, partial_waits
from grader.ptxsim.checked.race_search import races
from grader.ptxsim.engine.trace import Events
from tests.ptxsim.checked.traces import reads, trace, warp_barrier, writes

LOWER, UPPER = 0xFFFF, 0xFFFF0000
WRITE = writes({0: (5, 7)})
LATER = reads(dict.fromkeys(range(32), 9))  # all lanes act in the end


def halves() -> Events:
    """Return __syncwarp() with the mask of the own half of the warp."""
    event = warp_barrier()
    event["words"][0, :16], event["words"][0, 16:] = LOWER, UPPER
    return event


def found(*parts: Events) -> int:
    events = trace(*parts, LATER)
    return len(list(races(accesses(events), AccessOrder(), partial_waits(events))))


def test_an_operation_orders_the_lanes_that_it_names():
    assert found(WRITE, reads({3: 5})) == 1
    assert found(WRITE, halves(), reads({3: 5})) == 0
    assert found(WRITE, halves(), reads({20: 5})) == 1
    assert found(WRITE, warp_barrier(), reads({20: 5})) == 0


def test_the_order_passes_from_lane_to_lane():
    pairs = warp_barrier(mask=1 << 15 | 1 << 16)
    pairs["mask"] = 1 << 15 | 1 << 16
    assert found(WRITE, halves(), pairs, halves(), reads({20: 5})) == 0
    assert found(WRITE, pairs, halves(), reads({20: 5})) == 1


def test_what_a_lane_wrote_before_it_returned_is_not_ordered_by_the_others():
    events = trace(writes({20: (5, 7)}), warp_barrier(lanes=16, mask=LOWER), reads({3: 5}))
    assert len(list(races(accesses(events), AccessOrder(), partial_waits(events)))) == 1


def test_lanes_that_never_act_need_not_be_named():
    events = trace(WRITE, warp_barrier(lanes=16, mask=LOWER), reads({3: 5}))
    assert list(races(accesses(events), AccessOrder(), partial_waits(events))) == []
    assert not len(partial_waits(events).numbers())


def test_very_many_operations_are_taken_for_an_order():
    assert found(WRITE, *[halves()] * MOST_OPERATIONS, reads({20: 5})) == 1
    assert found(WRITE, *[halves()] * (MOST_OPERATIONS + 1), reads({20: 5})) == 0
