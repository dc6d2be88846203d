"""Numbers, times and lists in texts. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.model import Measurement

NONE = "\N{EN DASH}"  # where there is no value
NOT_MEASURED = "-"  # the same in a terminal
TIMES = "\N{MULTIPLICATION SIGN}"
SPEED_COLUMNS = ("GFLOPS", "± 95 %", "x naive", "% of cuBLAS", "with copies")
MINUTE = 60  # seconds, and of an hour
_MICROSECONDS = re.compile(r"(?<=\d )us\b")


def three_digits(value: float) -> str:
    """Return three significant digits, or all digits before the decimal point: 0.123, 12.3, 27,900."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"  # noqa: PLR2004


def three_digits_with_zeros(value: float) -> str:
    """Return three significant digits, zeros included, as a column of a table shows them: 0.120, 12.0, 27,900."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}".removesuffix(".")  # noqa: PLR2004


def speed_in_words(measurement: Measurement) -> str:
    """Return the speed of a kernel, by itself and compared with the baselines."""
    words = [f"{three_digits(measurement.gflops.median)} GFLOPS"]
    if measurement.speedup is not None:
        words.append(f"{measurement.speedup.median:.2f} times the naive kernel")
    if measurement.library_fraction is not None:
        words.append(f"{100 * measurement.library_fraction.median:.1f} % of the library")
    return ", ".join(words)


def speed_cells(measurement: Measurement) -> tuple[str, ...]:
    """Return the speeds of a kernel under the headings of SPEED_COLUMNS."""
    gflops, naive, library = measurement.gflops, measurement.speedup, measurement.library_fraction
    whole = measurement.transfer_seconds
    return (
        f"{gflops.median:,.0f}",
        f"{(gflops.high - gflops.low) / 2:,.0f}",
        f"{naive.median:.2f}" if naive else NOT_MEASURED,
        f"{100 * library.median:.1f}" if library else NOT_MEASURED,
        f"{measurement.shape.flops / whole / 1e9:,.0f}" if whole else NOT_MEASURED,
    )


def seconds(value: float) -> str:
    """Return a time with three significant digits and a fitting unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return f"{three_digits_with_zeros(value / scale)} {unit}"
    return f"{three_digits_with_zeros(value * 1e9)} ns"


def duration(seconds: float) -> str:
    """Return seconds in words, in a suitable unit."""
    if seconds < MINUTE:
        return f"about {max(1, round(seconds))} s"
    minutes = round(seconds / MINUTE)
    return f"about {minutes} min" if minutes < MINUTE else f"about {minutes // MINUTE} h {minutes % MINUTE} min"


def with_micro_sign(sentence: str) -> str:
    """Return a sentence of the terminal, which writes "us", with "µs" as on the rest of the page."""
    return _MICROSECONDS.sub("µs", sentence)


def moment(started: str) -> str:
    """Return a time of a report, which is in ISO 8601, as a reader writes it."""
    return started.replace("T", " ").replace("+00:00", " UTC")


def listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: a, b and c."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def some(names: list[str], most: int) -> str:
    """Return at most `most` of the names, and the number of the others."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
