"""The kinds of failure: a fault of the submission costs points; a grader error or a wrong command never does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.model import Fault


DISK_HINT = "Is the disk full? Set TMPDIR to a folder on another disk."


class SubmissionError(Exception):
    """The submission failed; the fault explains it to its author."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.sentence)
        self.fault = fault


class InfrastructureError(Exception):
    """The grader or the machine failed: no GPU, no compiler, a full disk."""

    def __init__(self, sentence: str, hint: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint


class UsageError(Exception):
    """The command cannot work with its arguments: no such file, a rubric with a mistake."""

    def __init__(self, sentence: str, hint: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint


class NotGradableHereError(InfrastructureError):
    """Another machine can grade the submission, but this one cannot. It costs no points."""
