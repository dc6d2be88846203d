"""Ctrl-C, and what else ends a command before its time, while workers are to be ended with it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def ignored_once_begun() -> Iterator[Callable[[], None]]:
    """What to call when the end begins: from then on nothing interrupts it, until all is removed.

    A terminal that is closed ends a program twice, by itself and by the shell in it.
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
