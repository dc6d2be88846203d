"""What is timed, and the names of the workers: one for each subject, of which the submission's also checks.

In a grade without timing, another worker checks. A third kind traces launches.
"""

from __future__ import annotations

from dataclasses import dataclass

from grader.judge.compiling import Artifact
from grader.model import Launch

CHECKER, TRACER, SUBMISSION, NAIVE, LIBRARY = "checker", "tracer", "submission", "naive", "library"


@dataclass(frozen=True, slots=True)
class Subject:
    """A compiled kernel and its launch; without an artifact, the product of the library."""

    name: str
    artifact: Artifact | None
    launch: Launch

    @property
    def files(self) -> dict[str, bytes]:
        return self.artifact.files() if self.artifact else {}
