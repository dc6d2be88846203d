"""What of a shared array is set, and by whom, on traces written by hand."""

from __future__ import annotations

from collections.abc import Iterable

from grader.worker.simulator.checked.accesses import accesses
from grader.worker.simulator.checked.buffers import Rows, rows_set, written_by_warps
from grader.worker.simulator.engine.trace import Events
from tests.worker.simulator.checked.traces import WORDS, barrier, reads, trace, writes


def filled(elements: Iterable[int], *, warp: int = 0) -> Events:
    return writes({lane: (element, 7) for lane, element in enumerate(elements)}, warp=warp)


def rows(*elements: int) -> Rows | None:
    """The rows set before a read of element 100."""
    events = trace(filled(elements), barrier(0), reads({0: 100}), filled(range(40, 72)))
    return rows_set(events, len(events) - 3, WORDS + 400, 4)


def test_rows_with_gaps_are_seen():
    assert rows(0, 1, 2, 4, 5, 6, 8, 9, 10) == Rows(length=3, distance=4)
    assert rows(0, 1, 2, 4, 5, 6, 8, 9) == Rows(length=3, distance=4)


def test_one_gap_or_irregular_ones_are_no_rows():
    assert rows(0, 1, 2, 3, 4, 5, 6, 7) is None
    assert rows(0, 1, 2, 4, 5, 6) is None
    assert rows(0, 1, 2, 4, 5, 6, 9, 10, 11) is None
    assert rows(0, 1, 4, 5, 6, 8, 9, 10) is None


def warps_that_write(*parts: Events) -> int:
    events = trace(*parts)
    return written_by_warps(events, accesses(events))


def test_warps_that_write_to_one_element_are_counted_between_barriers():
    assert warps_that_write(filled([5]), filled([6], warp=1)) == 1
    assert warps_that_write(filled([5]), filled([5], warp=1), filled([5], warp=1)) == 2
    assert warps_that_write(filled([5]), barrier(0, 1), filled([5], warp=1)) == 1
