"""The deadlines of answers: in wall-clock time, or in CPU time for a computation on the CPU."""

import math
import time
from collections.abc import Callable
from pathlib import Path

from grader.errors import InfrastructureError
from grader.host import cpus
from grader.host.process import Running

BUSY = 10  # wall-clock limit of a computation / its limit of CPU time: the machine may do other work meanwhile


Deadline = Callable[[Running], bool]  # whether a worker has used up its time for an answer


def in_seconds(seconds: float) -> Deadline:
    """The deadline that is `seconds` from now."""
    until = time.monotonic() + seconds
    return lambda _: time.monotonic() > until


def by_processor_time(seconds: float, began: float, before: float) -> Deadline:
    """`seconds` of CPU time on each CPU, since the time `began`, at which the worker had used `before` seconds.

    Raises InfrastructureError if the machine was too busy to provide the CPU time.
    """

    def is_over(running: Running) -> bool:
        elapsed = time.monotonic() - began
        if elapsed > BUSY * seconds:
            sentence = f"A worker did not answer within {elapsed:.0f} s, in which it had too little CPU time."
            raise InfrastructureError(sentence, "Is the machine very busy? Grade again when it is not.")
        used = running.processor_seconds() - before
        return elapsed > seconds and used > seconds * len(cpus.allowed())

    return is_over


def after_launch(launched: Path, seconds: float, until: float) -> Deadline:
    """`seconds` after the file `launched` is first seen, and at the time `until` in any case."""
    seen = math.inf

    def is_over(_: Running) -> bool:
        nonlocal seen
        now = time.monotonic()
        if launched.exists():
            seen = min(seen, now)
        return now > min(until, seen + seconds)

    return is_over
