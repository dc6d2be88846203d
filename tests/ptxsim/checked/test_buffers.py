"""What of a shared array is set, and by whom, on traces written by hand."""

from collections.abc import Iterable

from grader.ptxsim.checked.accesses import accesses
from grader.ptxsim.checked.buffers import rows_set, written_by_warps
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.records.races import Rows
from tests.ptxsim.checked.traces import WORDS, barrier, reads, trace, writes


def filled(elements: Iterable[int], *, warp: int = 0) -> Events:
    return writes({lane: (element, 7) for lane, element in enumerate(elements)}, warp=warp)


def rows(*elements: int, read: Iterable[int] = (100,)) -> Rows | None:
    """The rows set before a read of some elements."""
    events = trace(filled(elements), barrier(0), reads(dict(enumerate(read))), filled(range(40, 72)))
    return rows_set(events, len(events) - 3, WORDS + 400, 4)


def test_rows_with_gaps_are_seen():
    assert rows(*range(4), *range(5, 9), *range(10, 14)) == Rows(length=4, distance=5)
    assert rows(*range(4), *range(5, 9), *range(10, 13)) == Rows(length=4, distance=5)


def test_one_gap_or_irregular_ones_are_no_rows():
    assert rows(*range(12)) is None
    assert rows(*range(4), *range(5, 9)) is None
    assert rows(*range(4), *range(5, 9), *range(11, 15)) is None
    assert rows(*range(3), *range(5, 9), *range(10, 14)) is None


def test_a_column_that_is_read_but_never_set_is_no_gap_between_rows():
    elements = *range(4), *range(5, 9), *range(10, 14)
    assert rows(*elements, read=range(15)) is None
    assert rows(*elements, read=range(12)) == Rows(length=4, distance=5)


def test_missing_halves_are_no_gaps_between_rows():
    assert rows(*range(4), *range(8, 12), *range(16, 20)) is None


def warps_that_write(*parts: Events) -> int:
    events = trace(*parts)
    return written_by_warps(events, accesses(events))


def test_warps_that_write_to_one_element_are_counted_between_barriers():
    assert warps_that_write(filled([5]), filled([6], warp=1)) == 1
    assert warps_that_write(filled([5]), filled([5], warp=1), filled([5], warp=1)) == 2
    assert warps_that_write(filled([5]), barrier(0, 1), filled([5], warp=1)) == 1
