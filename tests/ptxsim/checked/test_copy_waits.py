"""Asynchronous copies and the waits for them, on traces written by hand: what no submission shows."""

import pytest

from grader.ptxsim.analysis.ordering import AccessOrder
from grader.ptxsim.checked.accesses import accesses, unit_of
from grader.ptxsim.checked.accesses import writes as all_writes
from grader.ptxsim.checked.copy_races import first_changed_source, first_overlap
from grader.ptxsim.checked.copy_waits import EarlyCopyUse, copy_ends, first_early_use
from grader.ptxsim.checked.race_search import RacingPair, equal_writes, races
from grader.ptxsim.checked.synchronisation import knowledge
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.layout import ARRAY_BITS, ARRAYS
from grader.ptxsim.generate.traces import How
from tests.ptxsim.checked.traces import (
    MATRIX_C,
    atomics,
    barrier,
    commit,
    copied,
    copied_from,
    copies,
    on_object,
    reads,
    trace,
    wait,
    writes,
)


def early(*parts: Events) -> EarlyCopyUse | None:
    events = trace(*parts)
    return first_early_use(events, 4)


def found(*parts: Events) -> list[RacingPair]:
    events = trace(*parts)
    return list(races(accesses(events, copy_ends(events)), AccessOrder()))


@pytest.mark.parametrize("between", [[], [barrier(0, 1)]])
def test_a_copy_over_one_of_an_earlier_group_that_nobody_has_read_replaces_it(between: list[Events]):
    first, second = copies({0: 5}), copies({0: 5})
    use = early(first, commit(), *between, second, commit(), wait(1), barrier(0, 1), reads({3: 5}, warp=1))
    assert use.replaces_unread
    of_one_group = early(first, *between, second, commit(), wait(1), barrier(0, 1), reads({3: 5}, warp=1))
    assert not of_one_group.replaces_unread
    read = early(first, commit(), wait(0), reads({0: 5}), *between, second, commit(), reads({0: 5}))
    assert not read.replaces_unread


def test_the_groups_that_a_wait_leaves_are_no_size():
    assert unit_of(trace(copies({0: 5}), wait(1))) == 4


@pytest.mark.parametrize("array", [0, 2, ARRAYS - 1])
def test_every_array_of_shared_memory_is_searched(array: int):
    word = array << ARRAY_BITS - 2
    assert early(copies({0: word}), reads({0: word})).use == 1


def test_other_places_and_other_blocks_do_not_matter():
    assert early(copies({0: 5}), reads({0: 6})) is None
    assert early(copies({0: 5}), reads({0: 5}, block=1)) is None


def overlap(*parts: Events) -> tuple[int, int] | None:
    """The threads of two copies that overlap in time."""
    race = first_overlap(trace(*parts))
    return (int(race.change.thread[0]), int(race.other.thread[0])) if race else None


AWAITED = commit(), wait(0)


def test_copies_of_one_value_are_none():
    both = copied({0: (5, [7]), 1: (5, [7])}), copied({3: (5, [7])}, warp=1)
    assert overlap(*both) is None
    assert found(*both, *AWAITED) == []


def test_copies_of_one_value_by_two_warps_are_equal_writes():
    events = trace(copied({0: (5, [7])}), copied({3: (5, [7])}, warp=1))
    assert equal_writes(all_writes(events), AccessOrder())


@pytest.mark.parametrize("word", range(4))
def test_copies_of_different_sizes_overlap_where_their_words_differ(word: int):
    wide, other = copied({0: (4, [1, 2, 3, 4])}), copied({1: (4 + word, [9])})
    assert overlap(wide, other) == (0, 1)
    assert overlap(wide, copied({1: (4 + word, [1 + word])})) is None
    assert overlap(wide, copied({1: (8, [9])})) is None
    assert overlap(wide, copied({1: (6, [3, 4])})) is None
    assert overlap(wide, copied({1: (6, [3, 9])})) == (0, 1)


def test_copies_to_the_same_place_of_two_blocks_have_nothing_in_common():
    assert overlap(copied({0: (5, [1])}), copied({0: (5, [2])}, block=1)) is None


def test_a_store_beside_a_copy_is_a_race_unless_it_writes_what_is_copied():
    copy = copied({0: (5, [7])})
    assert early(copy, writes({3: (5, 8)}, warp=1), *AWAITED)
    assert early(copy, writes({3: (5, 7)}, warp=1), *AWAITED) is None
    assert len(found(writes({3: (5, 8)}, warp=1), copy, *AWAITED)) == 1
    assert found(writes({3: (5, 7)}, warp=1), copy, *AWAITED) == []


def changed(*parts: Events) -> tuple[int, int] | None:
    """The threads of a copy and of a write to its source."""
    change = first_changed_source(trace(*parts))
    return (int(change.other.thread[0]), int(change.change.thread[0])) if change else None


def stored(words: dict[int, tuple[int, int]], warp: int = 0, block: int = 0) -> Events:
    return writes(words, warp=warp, block=block, start=MATRIX_C)


def test_another_block_may_not_change_the_source_either():
    assert changed(copied_from({0: 5}), stored({0: (5, 8)}, block=1), *AWAITED) == (0, 0)


def test_the_value_that_is_copied_or_another_place_does_no_harm():
    copy = copied_from({0: 5}, value=7)
    assert changed(copy, stored({0: (5, 7)}), *AWAITED) is None
    assert changed(copy, stored({0: (6, 8)}), *AWAITED) is None
    assert changed(copy, atomics({0: 5}, start=MATRIX_C), *AWAITED) == (0, 0)


def test_of_several_copies_from_one_place_the_last_to_end_counts():
    both = copied_from({0: 5}), copied_from({3: 5}, warp=1), commit(warp=1), wait(0, warp=1)
    store = stored({0: (5, 8)}, block=1)
    assert changed(*both, store, *AWAITED) == (0, 0)
    assert changed(*both, *AWAITED, store) is None


def test_a_load_is_no_source():
    assert changed(reads({0: 5}, start=MATRIX_C), copied({0: (5, [7])}), stored({0: (5, 8)}), *AWAITED) is None


def test_an_arrival_at_an_mbarrier_waits_for_no_copy():
    first, second = copied({0: (5, [1])}), copied({0: (5, [2])})
    start = trace(on_object(How.INIT, 32, lanes=1), first, on_object(How.ARRIVE | How.COPIES, 1))
    for listens, race in ((), True), ((on_object(How.ACQUIRES),), False):
        events = trace(start, *listens, second)
        assert bool(first_overlap(events, knowledge(events))) is race
