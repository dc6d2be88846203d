"""An iterator that does not wait for whoever takes its items."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import count
from threading import Event

import pytest

from grader.batch.run.prefetch import prefetch_in_thread
from tests.desk import wait_until


def test_all_items_come_in_order():
    assert list(prefetch_in_thread(lambda _: range(100))) == list(range(100))


def test_it_goes_on_while_one_is_looked_at():
    seen: list[int] = []

    def items(_: Event) -> Iterator[int]:
        for one in range(3):
            seen.append(one)
            yield one

    taken = prefetch_in_thread(items)
    next(taken)
    assert wait_until(lambda: seen == [0, 1, 2])


def test_what_it_raises_comes_after_what_was_there():
    def items(_: Event) -> Iterator[int]:
        yield 1
        raise OSError("lost")

    taken = prefetch_in_thread(items)
    assert next(taken) == 1
    with pytest.raises(OSError, match="lost"):
        next(taken)


def test_it_has_ended_when_nobody_takes_its_items_any_more():
    def items(stop: Event) -> Iterator[int]:
        for one in count():
            yield one
            if stop.wait(0.01):
                return

    before = threading.active_count()
    taken = prefetch_in_thread(items)
    next(taken)
    taken.close()  # type: ignore[attr-defined]  # a generator
    assert threading.active_count() == before
