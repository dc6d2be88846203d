"""How the page says verdicts, numbers and times. Pure."""

from __future__ import annotations

from grader.model import Verdict

NONE = "\N{EN DASH}"  # where there is no value
TIMES = "\N{MULTIPLICATION SIGN}"

WORDS = {
    Verdict.OK: "right",
    Verdict.WRONG_ANSWER: "wrong answer",
    Verdict.OUT_OF_BOUNDS: "access out of bounds",
    Verdict.CRASHED: "crashed",
    Verdict.BARRIER: "barrier not reached by all threads",
    Verdict.TIMEOUT: "out of time",
    Verdict.MEMORY: "out of memory",
    Verdict.OUTPUT: "printed too much",
    Verdict.LAUNCH_FAILED: "launch failed",
    Verdict.COMPILE_ERROR: "does not compile",
    Verdict.BAD_FILE: "not a source file",
    Verdict.NO_KERNEL: "no kernel found",
    Verdict.WRONG_SIGNATURE: "other parameters than the lab asks for",
    Verdict.IMPOSSIBLE_RATE: "faster than the device can be",
    Verdict.NOT_SUPPORTED: "not supported on this machine",
    Verdict.SKIPPED: "skipped",
}


def number(value: float) -> str:
    """Points with one digit after the point, where there is one."""
    return f"{value:.1f}".removesuffix(".0")


def digits(value: float) -> str:
    """Three digits, or all those before the point."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:#.3g}".removesuffix(".")  # noqa: PLR2004 - none after it


def seconds(value: float) -> str:
    """A time with three digits and a fitting unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return f"{digits(value / scale)} {unit}"
    return f"{digits(value * 1e9)} ns"
