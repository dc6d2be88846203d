"""The CPU time of the threads that run a launch. Unlike wall-clock time, it does not depend on other processes."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from grader.ptxsim.engine.loaded_code import LoadedCode

LONGEST_BLOCK = 0.25  # of the time limit: a kernel whose blocks take less is slow, not endless
LOOK_SECONDS = 0.02  # between two checks of the limit, at least


@dataclass(slots=True)
class Clocks:
    """The CPU clocks of threads, each with its time in seconds at which the thread began to run the launch."""

    code: LoadedCode
    _started: list[tuple[int, float]] = field(default_factory=list)
    _compiled: float = field(init=False)

    def __post_init__(self) -> None:
        self._compiled = self.code.seconds

    def start(self) -> None:
        """Add the clock of the calling thread."""
        self._started.append((time.pthread_getcpuclockid(threading.get_ident()), time.thread_time()))

    def seconds(self) -> float:
        """The CPU time in seconds of the busiest running thread, without the compilation of parts."""
        used = 0.0
        for clock, before in self._started:
            with suppress(OSError):  # the thread has ended
                used = max(used, time.clock_gettime(clock) - before)
        return max(0.0, used - (self.code.seconds - self._compiled))


@contextmanager
def limited(stop: ctypes.c_int32, seconds: float, clocks: Clocks, look: Callable[[], None]) -> Iterator[None]:
    """Set `stop` when a thread with a started clock has used up its CPU time. `look` is called some time before.

    A limit of wall-clock time would stop correct kernels on a busy machine.
    """
    over = threading.Event()

    def is_over_in(before_end: float) -> bool:
        """Whether the launch ends while more than `before_end` seconds are left."""
        while (rest := seconds - before_end - clocks.seconds()) > 0:
            if over.wait(max(rest, LOOK_SECONDS)):
                return True
        return False

    def watch() -> None:
        if is_over_in(seconds * LONGEST_BLOCK):
            return
        look()
        if not is_over_in(0.0):
            stop.value = 1

    clocks.start()
    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()
