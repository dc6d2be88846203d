"""The signals of Ctrl-C, of a batch system, and of a closing terminal."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def ignored(*numbers: signal.Signals) -> Iterator[None]:
    """Ignore these signals inside the block, as do processes that start in it."""
    before = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
