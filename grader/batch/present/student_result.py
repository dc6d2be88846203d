"""The result of one student in a class."""

from __future__ import annotations

from dataclasses import dataclass

from grader.batch.intake.source_entry import Submission
from grader.model import Report


@dataclass(frozen=True, slots=True)
class StudentResult:
    """`submission` has no content. `problem` is the reason for a missing `report`; without both, grading is pending."""

    submission: Submission
    report: Report | None
    problem: str = ""

    @property
    def is_waiting(self) -> bool:
        """Whether the file is not graded yet."""
        return self.report is None and not (self.problem or self.submission.problem)
