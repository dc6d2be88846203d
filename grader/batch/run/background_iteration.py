"""Run an iterator in a thread, so that it continues while the caller processes an item."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

T = TypeVar("T")


def prefetch_in_thread(items: Callable[[Event], Iterable[T]]) -> Iterator[T]:
    """Yield every item in order, then raise the iterator's exception if there was one.

    `items` is called with an event that is set when the caller takes no more items. The iterator must then end soon. No
    item may be None. The thread ends before this iterator does.
    """
    fetched: SimpleQueue[T | None] = SimpleQueue()
    stop = Event()

    def fetch() -> None:
        try:
            for item in items(stop):
                fetched.put(item)
        finally:
            fetched.put(None)

    with ThreadPoolExecutor(max_workers=1) as thread:
        fetching = thread.submit(fetch)
        try:
            while (item := fetched.get()) is not None:
                yield item
        finally:
            stop.set()
        fetching.result()
