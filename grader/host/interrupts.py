"""Ctrl-C, and the signals of a batch system or a closing terminal: each ends a command in order, and only once.

They are ignored or postponed where that would leave something behind.
"""

from __future__ import annotations

import atexit
import math
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ENDING_SECONDS = 10  # most that a command takes to end its workers and to remove their boxes
AGAIN_SECONDS = 0.01


class _Interrupt:
    """A signal handler that raises KeyboardInterrupt, and then not again while the command ends.

    A terminal that is closed sends two signals: one of its own and one of the shell in it. The second would interrupt
    the removal of what the first has ended.
    """

    def __init__(self) -> None:
        self._last = -math.inf
        self._other_hook = sys.unraisablehook

    def __call__(self, _number: int, _frame: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        now = time.monotonic()
        if now - self._last > ENDING_SECONDS:
            self._last = now
            raise KeyboardInterrupt

    def repeat_if_lost(self, lost: UnraisableHookArgs) -> None:
        """Interrupt again if Python could not pass the exception on, as in a callback of garbage collection.

        By a timer that repeats: Python may forget a single signal while threads take turns.
        """
        if lost.exc_type is not KeyboardInterrupt:
            self._other_hook(lost)
            return
        self._last = -math.inf
        signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS, AGAIN_SECONDS)


def handle() -> None:
    """Let the signals interrupt this process, except those that it was started to ignore, as by nohup."""
    before = {number: signal.getsignal(number) for number in INTERRUPTS}
    if any(isinstance(handler, _Interrupt) for handler in before.values()):
        return
    interrupt = _Interrupt()
    sys.unraisablehook = interrupt.repeat_if_lost
    signal.signal(signal.SIGALRM, interrupt)
    atexit.register(_ignore)  # Python restores the system's handlers before it has freed everything
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, interrupt)


def caused(error: BaseException | None) -> bool:
    """Return whether the exception is an interrupt, or one that Python 3.11 made of it while it defined a class."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _ignore() -> None:
    for number in (*INTERRUPTS, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)


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
