"""Settings of Python's interpreter: its garbage collection, and the switch interval of its threads."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# NumPy gives up the interpreter in every operation on many elements, and has to wait for it afterwards: beside a thread
# that computes in Python, for 5 ms each time, which is Python's default. Judging 24 cases beside one takes 5.6 s then,
# and 0.65 s with this.
SWITCH_SECONDS = 1e-4


def postpone_garbage_collection() -> None:
    """Collect no garbage until all modules are imported: they stay, and searching them takes a fifth of the start."""
    gc.disable()


def resume_garbage_collection() -> None:
    """Collect garbage from now on, but never search what is loaded by now. Does nothing if it was not postponed."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Collect no garbage inside the block, in any thread."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def shorten_switch_interval() -> None:
    """Let the threads of a judge switch often; workers, which have few, become slower (docs/measurements.md)."""
    sys.setswitchinterval(SWITCH_SECONDS)
