"""What is timed, and the names of the workers: one for checking, and one for each subject of timing."""

from __future__ import annotations

from dataclasses import dataclass

from grader.judge.compiling import Artifact
from grader.model import Launch

CHECKER, SUBMISSION, NAIVE, LIBRARY = "checker", "submission", "naive", "library"


@dataclass(frozen=True, slots=True)
class Subject:
    """A compiled kernel and its launch, or the library's product if there is no artifact."""

    name: str
    artifact: Artifact | None
    launch: Launch

    @property
    def files(self) -> dict[str, bytes]:
        return self.artifact.files() if self.artifact else {}
