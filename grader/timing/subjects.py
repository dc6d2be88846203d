"""What is timed, and the names of the workers: for checking, for traced launches beside it, and for each subject."""

from __future__ import annotations

from dataclasses import dataclass

from grader.judge.compiling import Artifact
from grader.model import Launch

CHECKER, TRACER, SUBMISSION, NAIVE, LIBRARY = "checker", "tracer", "submission", "naive", "library"


@dataclass(frozen=True, slots=True)
class Subject:
    """A compiled kernel and its launch, or the library's product if there is no artifact."""

    name: str
    artifact: Artifact | None
    launch: Launch

    @property
    def files(self) -> dict[str, bytes]:
        return self.artifact.files() if self.artifact else {}
