"""Ignore signals while a command that was interrupted ends its workers."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def ignored_once_begun() -> Iterator[Callable[[], None]]:
    """Yield a function to call when the command begins to end: further signals are ignored until all is removed.

    A terminal that is closed sends two signals: one of its own and one of the shell in it.
    """
    before = {number: signal.getsignal(number) for number in INTERRUPTS}

    def begin() -> None:
        for number in INTERRUPTS:
            signal.signal(number, signal.SIG_IGN)

    try:
        yield begin
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
