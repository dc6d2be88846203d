"""How long the judge waits for an answer: by the clock, or by CPU time where a worker computes on the CPU."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from grader.errors import InfrastructureError
from grader.host import cpu_affinity
from grader.host.process import Running

BUSY = 10  # times its limit: what computing may take by the clock, if the machine does other work meanwhile


class Deadline(Protocol):
    """When waiting for an answer ends."""

    def is_over(self, running: Running) -> bool:
        """Whether the worker has had its time."""


@dataclass(frozen=True, slots=True)
class ByClock:
    """An instant of the monotonic clock."""

    until: float

    def is_over(self, running: Running) -> bool:  # noqa: ARG002 - the clock does not ask the worker
        """Whether the instant has passed."""
        return time.monotonic() > self.until


@dataclass(frozen=True, slots=True)
class ByProcessorTime:
    """So many seconds on each CPU, counted from when the worker had used `before`; it began at `began` by the clock."""

    seconds: float
    began: float
    before: float

    def is_over(self, running: Running) -> bool:
        """Whether the CPU time is used up. Raises InfrastructureError if the machine gave too little of it."""
        elapsed = time.monotonic() - self.began
        if elapsed > BUSY * self.seconds:
            sentence = f"A worker did not answer within {elapsed:.0f} s, in which it had too little CPU time."
            raise InfrastructureError(sentence, "Is the machine very busy? Grade again when it is not.")
        used = running.processor_seconds() - self.before
        return elapsed > self.seconds and used > self.seconds * len(cpu_affinity.allowed())


@dataclass(slots=True)
class AfterLaunch:
    """So many seconds from when the file `launched` was first seen, and at the instant `until` even without it."""

    launched: Path
    seconds: float
    until: float
    seen: float | None = None

    def is_over(self, running: Running) -> bool:  # noqa: ARG002 - the clock does not ask the worker
        """Whether the kernel has had its time, or what comes before its launch takes too long."""
        now = time.monotonic()
        if self.seen is None and self.launched.exists():
            self.seen = now
        return now > self.until or (self.seen is not None and now > self.seen + self.seconds)


def in_seconds(seconds: float) -> ByClock:
    """The deadline so many seconds from now."""
    return ByClock(time.monotonic() + seconds)
