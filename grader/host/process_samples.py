"""Sample this process and its descendants many times a second: which ones run, and how busy they are."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

PERIOD_SECONDS = 0.02
TICK_SECONDS = 1 / os.sysconf("SC_CLK_TCK")
USER_TIME, SYSTEM_TIME = 11, 12  # of /proc/PID/stat, counted from the field behind the name: proc(5)


@dataclass(frozen=True, slots=True)
class ProcessTime:
    """When a process was seen first and last, in seconds of the monotonic clock, and its CPU time."""

    number: int
    name: str
    first_seen: float
    last_seen: float
    seconds: float


class ProcessSamples:
    """Samples of a process and its descendants. `load` has the number of CPUs in use at each sample."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._seen: dict[int, ProcessTime] = {}
        self._done = threading.Event()
        self.load: list[tuple[float, float]] = []

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Take samples in a thread inside the block."""
        thread = threading.Thread(target=self._watch, name="samples", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._done.set()
            thread.join()

    def processes(self) -> list[ProcessTime]:
        """All processes that were seen, without this one."""
        return [process for process in self._seen.values() if process.number != self._root]

    def _watch(self) -> None:
        before = time.monotonic()
        while not self._done.wait(PERIOD_SECONDS):
            now = time.monotonic()
            used = sum(self._look(number, now) for number in _family(self._root))
            self.load.append((now, used / (now - before)))
            before = now

    def _look(self, number: int, now: float) -> float:
        """Record a process, and return its CPU seconds since the last sample."""
        try:
            name, seconds = _state(number)
        except (OSError, ValueError, IndexError):  # it has just ended
            return 0.0
        known = self._seen.get(number)
        self._seen[number] = ProcessTime(number, name, known.first_seen if known else now, now, seconds)
        return seconds - known.seconds if known else 0.0


def _state(number: int) -> tuple[str, float]:
    text = Path(f"/proc/{number}/stat").read_text(errors="replace")
    name, _, rest = text.partition("(")[2].rpartition(")")
    fields = rest.split()
    return name, (int(fields[USER_TIME]) + int(fields[SYSTEM_TIME])) * TICK_SECONDS


def _family(number: int) -> Iterator[int]:
    yield number
    with suppress(OSError):  # it has just ended
        for thread in Path(f"/proc/{number}/task").iterdir():
            for child in (thread / "children").read_text().split():
                yield from _family(int(child))
