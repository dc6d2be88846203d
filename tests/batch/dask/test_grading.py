"""An iterator that computes items ahead of its consumer."""

import threading
from collections.abc import Iterator
from itertools import count
from threading import Event

import pytest

from grader.batch.dask.grading import prefetch_in_thread
from tests.desk import wait_until


def test_all_items_come_in_order():
    assert list(prefetch_in_thread(lambda _: range(100))) == list(range(100))


def test_the_next_items_are_computed_while_the_consumer_works():
    seen: list[int] = []

    def items(_: Event) -> Iterator[int]:
        for number in range(3):
            seen.append(number)
            yield number

    taken = prefetch_in_thread(items)
    next(taken)
    assert wait_until(lambda: seen == [0, 1, 2])


def test_an_error_is_raised_after_the_items_before_it():
    def items(_: Event) -> Iterator[int]:
        yield 1
        raise OSError("lost")

    taken = prefetch_in_thread(items)
    assert next(taken) == 1
    with pytest.raises(OSError, match="lost"):
        next(taken)


def test_the_iterator_ends_when_the_consumer_stops():
    def items(stop: Event) -> Iterator[int]:
        for number in count():
            yield number
            if stop.wait(0.01):
                return

    before = threading.active_count()
    taken = prefetch_in_thread(items)
    next(taken)
    taken.close()  # type: ignore[attr-defined]  # a generator
    assert threading.active_count() == before
