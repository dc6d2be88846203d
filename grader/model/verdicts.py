"""What can become of a submission, and how that is said."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What became of one case. Everything but OK, NOT_SUPPORTED and SKIPPED is the submission's fault."""

    OK = "ok"
    WRONG_ANSWER = "wrong-answer"
    OUT_OF_BOUNDS = "out-of-bounds"
    CRASHED = "crashed"
    BARRIER = "barrier"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    LAUNCH_FAILED = "launch-failed"
    COMPILE_ERROR = "compile-error"
    BAD_FILE = "bad-file"
    NO_KERNEL = "no-kernel"
    WRONG_SIGNATURE = "wrong-signature"
    IMPOSSIBLE_RATE = "impossible-rate"
    NOT_SUPPORTED = "not-supported"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong, as a teacher would say it: what happened, where, what to try."""

    verdict: Verdict
    sentence: str
    hint: str = ""
    line: int | None = None
    detail: str = ""  # the compiler's log, or the addresses involved
