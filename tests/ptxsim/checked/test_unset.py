"""Reads of shared memory before it is set, on traces written by hand."""

import numpy as np

from grader.ptxsim.checked.unset import first_unset_read, left_over
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.layout import GLOBALS, window
from grader.ptxsim.generate.traces import Event, How
from tests.ptxsim.checked.traces import MATRIX_C, WORDS, atomics, barrier, reads, trace, writes

VARIABLES = window(GLOBALS) + 256


def found(*parts: Events) -> tuple[int, int] | None:
    """The thread that reads, and the byte of shared memory."""
    events = trace(*parts)
    read = first_unset_read(events, np.isin(events["kind"], (Event.READ, Event.ATOMIC)))
    return (read.thread, read.address - WORDS) if read else None


def test_what_another_thread_has_written_is_set():
    assert found(writes({0: (5, 7)}), barrier(0, 1), reads({3: 5}, warp=1)) is None


def test_an_addition_to_what_nobody_has_set_is_a_read_of_it():
    assert found(atomics({0: 5}), reads({3: 5}, warp=1)) == (0, 20)
    assert found(writes({0: (5, 7)}), barrier(0, 1), atomics({3: 5}, warp=1)) is None


def test_what_is_written_later_is_not_set():
    assert found(reads({3: 5}, warp=1), writes({0: (5, 7)})) == (35, 20)


def test_the_first_unset_read_is_the_one_reported():
    assert found(writes({0: (5, 7)}), reads({3: 5, 4: 6, 9: 8}), reads({0: 9})) == (4, 24)


def test_a_wide_read_needs_all_its_words():
    assert found(writes({0: (4, 7), 1: (5, 7), 2: (6, 7)}), reads({0: 1}, size=16)) == (0, 28)


def test_each_block_has_memory_of_its_own():
    assert found(writes({0: (5, 7)}), reads({0: 5}, block=1)) == (0, 20)


def test_other_memory_does_not_count():
    assert found(reads({0: 5}, start=MATRIX_C)) is None
    assert found(barrier(0)) is None


def test_memory_that_a_device_has_set_does_not_count():
    events = trace(reads({0: 5}))
    assert first_unset_read(events, events["kind"] == Event.READ, WORDS + 24) is None


def found_left(earlier: Events, *parts: Events) -> list[tuple[int, int, int]]:
    """The byte of the variables, the thread that wrote, and the thread that reads."""
    uses = left_over(earlier, trace(*parts), np.array([VARIABLES, VARIABLES + 40]))
    return [(use.address - VARIABLES, use.writer, use.reader) for use in uses]


def test_a_read_finds_what_was_written_last():
    earlier = trace(writes({0: (5, 7)}, start=VARIABLES), writes({2: (5, 8)}, warp=1, start=VARIABLES))
    assert found_left(earlier, reads({3: 5}, start=VARIABLES)) == [(20, 34, 3)]
    assert found_left(earlier, reads({3: 6}, start=VARIABLES)) == []


def test_a_value_that_this_launch_has_written_is_no_longer_the_old_one():
    earlier = writes({0: (5, 7)}, start=VARIABLES)
    again = writes({1: (5, 0)}, start=VARIABLES)
    assert found_left(earlier, again, reads({3: 5}, start=VARIABLES)) == []
    assert found_left(earlier, reads({3: 5}, start=VARIABLES), again) == [(20, 0, 3)]


def test_an_atomic_reads_and_writes():
    counter = atomics({0: 2}, start=VARIABLES)
    assert found_left(counter, counter) == [(8, 0, 0)]


def test_an_atomic_load_leaves_nothing():
    raised, seen = atomics({0: 2}, start=VARIABLES), atomics({3: 2}, start=VARIABLES, how=How.ACQUIRES | How.DEVICE)
    assert found_left(trace(raised, seen), seen) == [(8, 0, 3)]


def test_other_memory_keeps_no_values():
    assert found_left(writes({0: (5, 7)}, start=MATRIX_C), reads({0: 5}, start=MATRIX_C)) == []
    assert found_left(writes({0: (5, 7)}), reads({0: 5})) == []


def test_each_variable_is_named_once_in_the_order_of_their_reads():
    earlier = writes({0: (5, 7), 1: (6, 7), 2: (10, 7)}, start=VARIABLES)
    read = [reads({3: index}, start=VARIABLES) for index in (10, 6, 5, 10)]
    assert [place for place, _, _ in found_left(earlier, *read)] == [40, 24]
