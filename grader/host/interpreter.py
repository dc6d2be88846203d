"""Settings of Python's interpreter: when it searches for garbage, and how often threads take turns."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# NumPy gives up the interpreter in every operation on many elements, and has to wait for it afterwards: beside a thread
# that computes in Python, for 5 ms each time, which is Python's default. Judging 24 cases beside one takes 5.6 s then,
# and 0.65 s with this.
TURN_SECONDS = 1e-4


def put_off_garbage_collection() -> None:
    """Do not search while modules are loaded: they stay, and to search them takes a fifth of the time to start."""
    gc.disable()


def collect_garbage() -> None:
    """Search from now on, but never among what was loaded by now. Does nothing if the search was not put off."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Do not search for garbage meanwhile, in any thread."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def shorten_turns() -> None:
    """Let the threads of a judge take short turns; workers, which have few, become slower (docs/measurements.md)."""
    sys.setswitchinterval(TURN_SECONDS)
