"""A finding that ends what a worker was asked to do."""

from __future__ import annotations

from grader.contract.messages import Finding


class FoundError(Exception):
    """The submission failed; the finding says how."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(repr(finding))
        self.finding = finding
