"""Verdicts, numbers and times as the page shows them. Pure."""

from __future__ import annotations

import re

from grader.model import Verdict
from grader.text.numbers import three_digits_with_zeros

NONE = "\N{EN DASH}"  # where there is no value
TIMES = "\N{MULTIPLICATION SIGN}"
_MICROSECONDS = re.compile(r"(?<=\d )us\b")

_WORDS = {
    Verdict.OUT_OF_BOUNDS: "access out of bounds",
    Verdict.UNSET_MEMORY: "memory read before it is set",
    Verdict.WARP_MASK: "warp operation without all of its threads",
    Verdict.BARRIER: "barrier not reached by all threads",
    Verdict.TIMEOUT: "time limit exceeded",
    Verdict.MEMORY: "memory limit exceeded",
    Verdict.OUTPUT: "printed too much",
    Verdict.COMPILE_ERROR: "does not compile",
    Verdict.BAD_FILE: "not a source file",
    Verdict.NO_KERNEL: "no kernel found",
    Verdict.WRONG_SIGNATURE: "parameters differ from the lab's",
    Verdict.IMPOSSIBLE_RATE: "faster than the device can be",
    Verdict.NOT_SUPPORTED: "not supported on this machine",
}


def words(verdict: Verdict) -> str:
    """Return the verdict in plain words."""
    return _WORDS.get(verdict, verdict.words)


def seconds(value: float) -> str:
    """Return a time with three significant digits and a fitting unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return f"{three_digits_with_zeros(value / scale)} {unit}"
    return f"{three_digits_with_zeros(value * 1e9)} ns"


def with_micro_sign(sentence: str) -> str:
    """Return a sentence of the terminal, which writes "us", with "µs" as on the rest of the page."""
    return _MICROSECONDS.sub("µs", sentence)


def some(names: list[str], most: int) -> str:
    """Return at most `most` of the names, and the number of the others."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
