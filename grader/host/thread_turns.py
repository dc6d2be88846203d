"""How soon a thread of Python has its turn while another one computes."""

from __future__ import annotations

import sys

# NumPy gives up the interpreter in every operation on many elements, and has to wait for it afterwards: beside a thread
# that computes in Python, for 5 ms each time, which is Python's default. Judging 24 cases beside one takes 5.6 s then,
# and 0.65 s with this.
SECONDS = 1e-4


def shorten() -> None:
    """Let the threads of a judge take short turns; workers, which have few, become slower (docs/measurements.md)."""
    sys.setswitchinterval(SECONDS)
