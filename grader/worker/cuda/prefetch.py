"""Results that are computed in a thread before they are needed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

Key = TypeVar("Key")
Result = TypeVar("Result")


class Prefetch(Generic[Key, Result]):
    """Computes at most one result ahead."""

    def __init__(self, compute: Callable[[Key], Result]) -> None:
        self._compute = compute
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._ahead: dict[Key, Future[Result]] = {}

    def begin(self, key: Key) -> None:
        """Start computing the result of `key`; another one that was begun is forgotten."""
        self._ahead = {key: self._thread.submit(self._compute, key)}

    def take(self, key: Key) -> Result:
        """Return the result that was begun, once, or one computed now."""
        ahead = self._ahead.pop(key, None)
        return ahead.result() if ahead else self._compute(key)
