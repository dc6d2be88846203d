"""The two kinds of failure. One costs the student points, the other never does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.model import Fault


class SubmissionError(Exception):
    """The submission fell short; the fault says how, in words for its author."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.sentence)
        self.fault = fault


class InfrastructureError(Exception):
    """Something of ours or of the machine failed: no GPU, no compiler, a full disk."""

    def __init__(self, sentence: str, hint: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint


class UsageError(Exception):
    """The command was called with something that cannot be graded: no such file, a rubric with a mistake."""

    def __init__(self, sentence: str, hint: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.hint = hint
