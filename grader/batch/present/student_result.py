"""One line of the class: a student, and what became of the file."""

from __future__ import annotations

from dataclasses import dataclass

from grader.batch.intake.submission import Submission
from grader.model import Report


@dataclass(frozen=True, slots=True)
class StudentResult:
    """`submission` without its content; without a `report`, `problem` says why there is nothing to grade.

    With neither, the student's turn has not come yet.
    """

    submission: Submission
    report: Report | None
    problem: str = ""

    @property
    def is_waiting(self) -> bool:
        """Whether there is a file that is not graded yet."""
        return self.report is None and not (self.problem or self.submission.problem)
