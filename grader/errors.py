"""The kinds of failure: a fault of the submission costs points; a grader error or a wrong command never does."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model import Fault


FULL = (errno.ENOSPC, errno.EDQUOT)
ALIKE = 0.75  # of two names, such that the ending .cu does not suffice
DISK_HINT = "The disk is full: free some space, or name a folder on another disk; TMPDIR names that of temporary files."
SCARCE = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
SCARCE_HINT = "End other programs, or raise the limits that `ulimit -a` shows."
HANG_HINT = "Grade again when this machine is less busy; else the compiler hangs."
TOO_LARGE_HINT = "Raise the limit that `ulimit -f` shows."
NO_THREAD = "can't start new thread"  # of a RuntimeError, in CPython's words
OWNED = errno.EACCES, errno.EPERM, errno.EROFS
OWNER_HINT = "Name a file or folder that you may read and write."
DOCTOR_HINT = "Run `grade doctor` to see what is missing."


class SubmissionError(Exception):
    """The submission failed; the fault explains it to its author."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.sentence)
        self.fault = fault


class _ExplainedError(Exception):
    """What went wrong, as a sentence, and what to try."""

    def __init__(self, sentence: str, hint: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint


class InfrastructureError(_ExplainedError):
    """The grader or the machine failed: no GPU, no compiler, a full disk."""


def refused(error: OSError, doing: str = "The machine failed", otherwise: str = DOCTOR_HINT) -> InfrastructureError:
    """The grader error for what the operating system refused: in its own words, with the file if it names one.

    `otherwise` is the hint where it was none of the usual limits.
    """
    file = str(error.filename or "")
    sentence = f"{doing}: {error.strerror or error}{f' ({file})' if file not in doing else ''}."
    hints = {**dict.fromkeys(FULL, DISK_HINT), **dict.fromkeys(SCARCE, SCARCE_HINT), errno.EFBIG: TOO_LARGE_HINT}
    return InfrastructureError(sentence, hints.get(error.errno or 0, otherwise))


def refusal(error: Exception) -> InfrastructureError | None:
    """The grader error itself, or the one for a file, memory or a thread that the operating system refuses; or None."""
    if isinstance(error, InfrastructureError):
        return error
    if isinstance(error, OSError):
        return refused(error, otherwise=OWNER_HINT if error.errno in OWNED and error.filename else DOCTOR_HINT)
    if isinstance(error, MemoryError):
        return refused(OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)))
    return refused(OSError(errno.EAGAIN, "no thread can be started")) if str(error) == NO_THREAD else None


class UsageError(_ExplainedError):
    """The command cannot work with its arguments: no such file, a rubric with a mistake."""


def did_you_mean(name: str, known: Iterable[str], otherwise: str) -> str:
    """The hint for a name that does not exist: those that are like it, or else `otherwise`."""
    from difflib import get_close_matches  # no worker needs it

    near = get_close_matches(name, list(known), cutoff=ALIKE)
    return f"Did you mean {' or '.join(near)}?" if near else otherwise


class NotGradableHereError(InfrastructureError):
    """Another machine can grade the submission, but this one cannot. It costs no points."""
