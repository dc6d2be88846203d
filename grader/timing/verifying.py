"""Verify the outputs of timed launches in threads, so that the GPU does not wait for the verification."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager

THREADS = 2  # at N = 2048, the verification of a turn takes as long as the turn


class Verifying:
    """The verifications of one size that are under way. Each raises an error for a wrong output."""

    def __init__(self, threads: Executor) -> None:
        self._threads = threads
        self._begun: list[Future[None]] = []

    def begin(self, verify: Callable[[], None]) -> None:
        """Queue a verification; threads take them in order."""
        self._begun.append(self._threads.submit(verify))

    def raise_if_wrong(self) -> None:
        """Raise the error of a verification that has ended, without waiting for others."""
        waiting = []
        for each in self._begun:
            if each.done():
                each.result()
            else:
                waiting.append(each)
        self._begun = waiting

    def finish(self) -> None:
        """Wait for all verifications, and raise the first error."""
        for each in self._begun:
            each.result()
        self._begun = []


@contextmanager
def verifiers() -> Iterator[Executor]:
    """Give the threads. Leaving cancels verifications that have not begun."""
    threads = ThreadPoolExecutor(THREADS)
    try:
        yield threads
    finally:
        threads.shutdown(cancel_futures=True)
