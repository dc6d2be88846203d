"""The deadlines of answers: in wall-clock time, or in CPU time for a computation on the CPU."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from grader.errors import InfrastructureError
from grader.host import cpu_affinity
from grader.host.process import Running

BUSY = 10  # wall-clock limit of a computation / its limit of CPU time: the machine may do other work meanwhile


class Deadline(Protocol):
    """The end of a wait for an answer."""

    def is_over(self, running: Running) -> bool:
        """Whether the worker has used up its time."""


@dataclass(frozen=True, slots=True)
class ByClock:
    """A point in time of `time.monotonic`, in seconds."""

    until: float

    def is_over(self, running: Running) -> bool:  # noqa: ARG002 - the clock does not ask the worker
        """Whether this time has passed."""
        return time.monotonic() > self.until


@dataclass(frozen=True, slots=True)
class ByProcessorTime:
    """`seconds` of CPU time on each CPU, since the time `began`, at which the worker had used `before` seconds."""

    seconds: float
    began: float
    before: float

    def is_over(self, running: Running) -> bool:
        """Whether the CPU time is used up. Raises InfrastructureError if the machine was too busy to provide it."""
        elapsed = time.monotonic() - self.began
        if elapsed > BUSY * self.seconds:
            sentence = f"A worker did not answer within {elapsed:.0f} s, in which it had too little CPU time."
            raise InfrastructureError(sentence, "Is the machine very busy? Grade again when it is not.")
        used = running.processor_seconds() - self.before
        return elapsed > self.seconds and used > self.seconds * len(cpu_affinity.allowed())


@dataclass(slots=True)
class AfterLaunch:
    """`seconds` after the file `launched` is first seen, and at the time `until` in any case."""

    launched: Path
    seconds: float
    until: float
    seen: float | None = None

    def is_over(self, running: Running) -> bool:  # noqa: ARG002 - the clock does not ask the worker
        """Whether the kernel has used up its time, or the work before the launch takes too long."""
        now = time.monotonic()
        if self.seen is None and self.launched.exists():
            self.seen = now
        return now > self.until or (self.seen is not None and now > self.seen + self.seconds)


def in_seconds(seconds: float) -> ByClock:
    """The deadline that is `seconds` from now."""
    return ByClock(time.monotonic() + seconds)
