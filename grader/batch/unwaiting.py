"""An iterator that goes on in a thread of its own, while whoever takes its items is busy with one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TypeVar

T = TypeVar("T")
END = object()


def unwaiting(items: Iterable[T]) -> Iterator[T]:
    """Every item in order, each fetched as soon as it is there. What the iterator raises is raised after them.

    Whoever stops taking them has to end what they come from: the thread ends when they do.
    """
    fetched: SimpleQueue[T | object] = SimpleQueue()
    thread = ThreadPoolExecutor(max_workers=1)
    fetching = thread.submit(_fetch, items, fetched)
    fetching.add_done_callback(lambda _: fetched.put(END))
    thread.shutdown(wait=False)
    while (one := fetched.get()) is not END:
        yield one  # type: ignore[misc]  # END is no item
    fetching.result()


def _fetch(items: Iterable[T], into: SimpleQueue[T | object]) -> None:
    for one in items:
        into.put(one)
