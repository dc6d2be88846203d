"""What is timed, and the names of the workers. Each subject has one; that of the submission also checks it.

In a grade without timing, the checker does. The tracer traces launches.
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
