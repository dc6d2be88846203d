"""Verify the outputs of timed launches in threads, so that the GPU does not wait for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager

THREADS = 2  # at N = 2048 verifying a turn takes as long as the turn


class Verifying:
    """What is verified of one size. Each verification returns, or raises what is wrong."""

    def __init__(self, threads: Executor) -> None:
        self._threads = threads
        self._begun: list[Future[None]] = []

    def begin(self, verify: Callable[[], None]) -> None:
        """Verify in a thread, after what was begun before."""
        self._begun.append(self._threads.submit(verify))

    def raise_if_wrong(self) -> None:
        """Raise what is known to be wrong so far, without waiting."""
        waiting = []
        for each in self._begun:
            if each.done():
                each.result()
            else:
                waiting.append(each)
        self._begun = waiting

    def finish(self) -> None:
        """Wait for all that was begun, and raise what is wrong."""
        for each in self._begun:
            each.result()
        self._begun = []


@contextmanager
def verifiers() -> Iterator[Executor]:
    """The threads; what is still waiting when they are left is not needed any more."""
    threads = ThreadPoolExecutor(THREADS)
    try:
        yield threads
    finally:
        threads.shutdown(cancel_futures=True)
