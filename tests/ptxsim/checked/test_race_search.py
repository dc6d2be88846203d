"""Which pairs of accesses are races, on traces written by hand."""

from grader.ptxsim.analysis.ordering import AccessOrder
from grader.ptxsim.checked.accesses import accesses
from grader.ptxsim.checked.accesses import writes as writes_of
from grader.ptxsim.checked.race_search import RacingPair, equal_writes, races
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.traces import How
from tests.ptxsim.checked.traces import (
    MATRIX_C,
    atomics,
    barrier,
    reads,
    trace,
    writes,
)


def found(*parts: Events, order: AccessOrder | None = None) -> list[RacingPair]:
    return list(races(accesses(trace(*parts)), order or AccessOrder()))


def equal(*parts: Events) -> RacingPair | None:
    return equal_writes(writes_of(trace(*parts)), AccessOrder())


def threads(race: RacingPair) -> tuple[int, int]:
    return int(race.change.thread[0]), int(race.other.thread[0])


def test_lanes_that_arrive_at_a_barrier_later_are_still_before_it():
    late = barrier(0, mask=0xFFFF0000)
    early = barrier(0, mask=0x0000FFFF)
    assert found(early, writes({20: (5, 7)}), late, barrier(1), reads({3: 5}, warp=1)) == []
    assert len(found(early, writes({2: (5, 7)}), late, barrier(1), reads({3: 5}, warp=1))) == 1


def test_atomics_race_with_other_accesses_only():
    assert found(atomics({0: 1}), atomics({0: 1}, warp=1)) == []
    assert len(found(atomics({0: 1}), reads({0: 1}, warp=1))) == 1
    assert len(found(atomics({0: 1}), writes({0: (1, 4)}, warp=1))) == 1


def test_atomics_for_the_block_race_with_those_of_another_block():
    first, second = (atomics({0: 1}, block=block, start=MATRIX_C, how=How.PUBLISHES) for block in (0, 1))
    assert [race.between_blocks for race in found(first, second)] == [True]
    assert found(first, atomics({0: 1}, warp=1, start=MATRIX_C, how=How.PUBLISHES)) == []


def test_writes_of_one_value_are_no_fault():
    assert found(writes({0: (1, 4)}), writes({0: (1, 4)}, warp=1)) == []
    assert found(writes({0: (1, 4), 1: (1, 4)}), reads({0: 1, 1: 1})) == []
    assert len(found(writes({0: (1, 4)}), writes({0: (1, 5)}, warp=1))) == 1
    assert len(found(writes({0: (1, 4), 1: (1, 4)}), reads({2: 1}))) == 1


def test_writes_of_one_value_hide_no_race_at_another_place():
    own = [{lane: 32 * number + lane for lane in range(32)} for number in range(5)]
    alike = [writes({lane: (word, 4) for lane, word in words.items()}, warp=warp) for words in own for warp in (0, 1)]
    used = [reads(words, warp=warp) for words in own for warp in (0, 1)]
    assert found(*alike, *used) == []
    assert len(found(*alike, *used, writes({0: (200, 4)}), reads({0: 200}, warp=1))) == 1


def test_writes_of_one_value_by_two_warps_or_blocks_are_a_remark():
    assert equal(writes({0: (1, 4)}), writes({0: (1, 4)}, warp=1))
    of_blocks = equal(writes({0: (1, 4)}, start=MATRIX_C), writes({0: (1, 4)}, block=1, start=MATRIX_C))
    assert of_blocks.between_blocks
    assert not equal(writes({0: (1, 4)}), barrier(0, 1), writes({0: (1, 4)}, warp=1))
    assert not equal(writes({0: (1, 4)}), writes({0: (1, 4)}, block=1))  # each block has shared memory of its own
    assert not equal(writes({0: (1, 4), 1: (1, 4)}))
    assert not equal(writes({0: (1, 4)}), writes({0: (1, 5)}, warp=1))
    assert not equal(reads({0: 1}))


def test_neighbours_of_two_bytes_do_not_race():
    assert found(writes({0: (0, 4)}, size=2), writes({0: (1, 5)}, size=2, warp=1)) == []
    assert len(found(writes({0: (1, 4)}, size=2), reads({0: 0}, warp=1))) == 1


def test_wide_accesses_cover_all_their_words():
    assert len(found(writes({0: (3, 4)}), reads({0: 0}, size=16, warp=1))) == 1
    assert found(writes({0: (4, 4)}), reads({0: 0}, size=16, warp=1)) == []


def test_no_race_is_reported_where_more_than_barriers_orders_threads():
    assert found(writes({0: (5, 7)}), reads({3: 5}, warp=1), order=AccessOrder(by_signals=True)) == []


def test_an_empty_trace_has_no_races():
    assert found(barrier(0)) == []


def test_races_that_no_barrier_prevents_come_first():
    first, *_ = found(
        writes({0: (5, 7)}, start=MATRIX_C),
        reads({0: 5}, warp=1, start=MATRIX_C),
        reads({0: 5}, block=1, start=MATRIX_C),
    )
    assert first.between_blocks
