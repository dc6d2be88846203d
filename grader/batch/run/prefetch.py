"""An iterator that goes on in a thread of its own, while whoever takes its items is busy with one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

T = TypeVar("T")
END = object()


def prefetch_in_thread(items: Callable[[Event], Iterable[T]]) -> Iterator[T]:
    """Every item in order, each fetched as soon as it is there. What the iterator raises is raised after them.

    `items` is given an event, and has to end soon once that is set: nobody takes its items any more then. The thread
    has ended when this has.
    """
    fetched: SimpleQueue[T | object] = SimpleQueue()
    stop = Event()
    with ThreadPoolExecutor(max_workers=1) as thread:
        fetching = thread.submit(_fetch, items(stop), fetched)
        fetching.add_done_callback(lambda _: fetched.put(END))
        try:
            while (one := fetched.get()) is not END:
                yield one  # type: ignore[misc]  # END is no item
        finally:
            stop.set()
        fetching.result()


def _fetch(items: Iterable[T], into: SimpleQueue[T | object]) -> None:
    for one in items:
        into.put(one)
