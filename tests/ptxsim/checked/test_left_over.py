"""Reads of what an earlier launch has left in a variable, on traces written by hand."""

import numpy as np

from grader.ptxsim.checked.left_over import left_over
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.layout import GLOBALS, window
from grader.ptxsim.generate.traces import How
from tests.ptxsim.checked.traces import MATRIX_C, atomics, reads, trace, writes

VARIABLES = window(GLOBALS) + 256


def found(earlier: Events, *parts: Events) -> list[tuple[int, int, int]]:
    """The byte of the variables, the thread that wrote, and the thread that reads."""
    uses = left_over(earlier, trace(*parts), np.array([VARIABLES, VARIABLES + 40]))
    return [(use.address - VARIABLES, use.writer, use.reader) for use in uses]


def test_a_read_finds_what_was_written_last():
    earlier = trace(writes({0: (5, 7)}, start=VARIABLES), writes({2: (5, 8)}, warp=1, start=VARIABLES))
    assert found(earlier, reads({3: 5}, start=VARIABLES)) == [(20, 34, 3)]
    assert found(earlier, reads({3: 6}, start=VARIABLES)) == []


def test_a_value_that_this_launch_has_written_is_no_longer_the_old_one():
    earlier = writes({0: (5, 7)}, start=VARIABLES)
    again = writes({1: (5, 0)}, start=VARIABLES)
    assert found(earlier, again, reads({3: 5}, start=VARIABLES)) == []
    assert found(earlier, reads({3: 5}, start=VARIABLES), again) == [(20, 0, 3)]


def test_an_atomic_reads_and_writes():
    counter = atomics({0: 2}, start=VARIABLES)
    assert found(counter, counter) == [(8, 0, 0)]


def test_an_atomic_load_leaves_nothing():
    raised, seen = atomics({0: 2}, start=VARIABLES), atomics({3: 2}, start=VARIABLES, how=How.ACQUIRES | How.DEVICE)
    assert found(trace(raised, seen), seen) == [(8, 0, 3)]


def test_other_memory_keeps_no_values():
    assert found(writes({0: (5, 7)}, start=MATRIX_C), reads({0: 5}, start=MATRIX_C)) == []
    assert found(writes({0: (5, 7)}), reads({0: 5})) == []


def test_each_variable_is_named_once_in_the_order_of_their_reads():
    earlier = writes({0: (5, 7), 1: (6, 7), 2: (10, 7)}, start=VARIABLES)
    read = [reads({3: index}, start=VARIABLES) for index in (10, 6, 5, 10)]
    assert [place for place, _, _ in found(earlier, *read)] == [40, 24]
