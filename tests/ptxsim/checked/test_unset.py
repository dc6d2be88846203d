"""Reads of shared memory before it is set, on traces written by hand."""

import numpy as np

from grader.ptxsim.checked.undefined import first_unset_read
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.traces import Event
from tests.ptxsim.checked.traces import MATRIX_C, WORDS, atomics, barrier, reads, trace, writes


def found(*parts: Events) -> tuple[int, int] | None:
    """The lane that reads, and the byte of shared memory."""
    events = trace(*parts)
    read = first_unset_read(events, np.isin(events["kind"], (Event.READ, Event.ATOMIC)))
    return (read[1], read[2] - WORDS) if read else None


def test_what_another_thread_has_written_is_set():
    assert found(writes({0: (5, 7)}), barrier(0, 1), reads({3: 5}, warp=1)) is None


def test_an_addition_to_what_nobody_has_set_is_a_read_of_it():
    assert found(atomics({0: 5}), reads({3: 5}, warp=1)) == (0, 20)
    assert found(writes({0: (5, 7)}), barrier(0, 1), atomics({3: 5}, warp=1)) is None


def test_what_is_written_later_is_not_set():
    assert found(reads({3: 5}, warp=1), writes({0: (5, 7)})) == (3, 20)


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
