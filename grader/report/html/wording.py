"""Signs, times and lists as the page shows them. Pure."""

from __future__ import annotations

import re

from grader.text.numbers import three_digits_with_zeros

NONE = "\N{EN DASH}"  # where there is no value
TIMES = "\N{MULTIPLICATION SIGN}"
_MICROSECONDS = re.compile(r"(?<=\d )us\b")


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
