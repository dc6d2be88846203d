"""Findings that end what a worker was asked to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.contract.found import CompileFinding, Finding


class FoundError(Exception):
    """The kernel failed; the finding says how."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(repr(finding))
        self.finding = finding


class NotCompiledError(Exception):
    """The file has no kernel that can be launched; the finding says why."""

    def __init__(self, finding: CompileFinding) -> None:
        super().__init__(repr(finding))
        self.finding = finding
