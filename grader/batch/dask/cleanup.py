"""End a cluster without interruption, and remove its temporary files."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from grader.host.interrupts import INTERRUPTS
from grader.sandbox import box_files

PREFIX = "grade-batch-"
TRIES, SECONDS = 10, 0.2  # processes of a killed worker end within half a second


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


@contextmanager
def scratch() -> Iterator[Path]:
    """Give a temporary folder for the cluster.

    The boxes of killed workers are also in it. It is removed when the processes of these workers have ended.
    """
    folder = Path(mkdtemp(prefix=PREFIX)).absolute()
    try:
        with box_files.owned(folder):
            yield folder
    finally:
        for _ in range(TRIES):
            box_files.remove(folder)
            if not folder.exists():
                break
            time.sleep(SECONDS)
