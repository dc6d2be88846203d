"""The signals of Ctrl-C, of a batch system, and of a closing terminal: ignored or postponed for a while."""

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


@contextmanager
def postponed() -> Iterator[None]:
    """Postpone signals that interrupt the command to the end of the block.

    Ctrl-C reaches every process of a terminal: those that are started in the block never receive it.
    """
    received: list[int] = []
    before = {number: signal.getsignal(number) for number in INTERRUPTS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, lambda number, _: received.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in before.items():
            signal.signal(number, handler)
    if received:
        signal.raise_signal(received[0])
