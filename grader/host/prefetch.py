"""Results that threads compute before anybody asks for them."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

from grader.host import cpus

MOST_THREADS = 4

Key = TypeVar("Key")
Result = TypeVar("Result")


class Prefetch(Generic[Key, Result]):
    """Computes some results ahead."""

    def __init__(self, compute: Callable[[Key], Result], threads: int = MOST_THREADS) -> None:
        self._compute = compute
        self._threads = ThreadPoolExecutor(min(threads, len(cpus.allowed())))
        self._ahead: dict[Key, Future[Result]] = {}

    def begin(self, keys: Iterable[Key]) -> None:
        """Start computing the results of `keys`, those first that come first; others that were begun are forgotten."""
        forgotten = self._ahead
        self._ahead = {key: forgotten.pop(key) if key in forgotten else self._start(key) for key in keys}
        for begun in forgotten.values():
            begun.cancel()

    def wait(self, key: Key) -> None:
        """Wait for the result of `key`, which is begun now unless it was before."""
        self._ahead[key] = self._ahead.get(key) or self._start(key)
        self._ahead[key].result()

    def take(self, key: Key) -> Result:
        """Return the result that a thread has begun, once, or one computed now."""
        ahead = self._ahead.pop(key, None)
        return self._compute(key) if ahead is None or ahead.cancel() else ahead.result()

    def close(self) -> None:
        """Wait for what was begun."""
        self._threads.shutdown(cancel_futures=True)

    def _start(self, key: Key) -> Future[Result]:
        return self._threads.submit(self._compute, key)
