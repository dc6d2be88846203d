"""The submission of one student, from any kind of source."""

from __future__ import annotations

from dataclasses import dataclass

from grader.batch.results.identities import Identity


@dataclass(frozen=True, slots=True)
class Submission:
    """One student's file.

    `student` is unique in the class and safe as the name of a folder; `submitted` is in ISO 8601 or empty. `problem` is
    the reason, as a sentence, why there is nothing to grade; `content` is empty then. `identity` is None if the
    submission was not read from a source in this run. `others` are the paths of .cu files that are not graded. `note`
    is a message about the source to the instructor.
    """

    student: str
    name: str = ""
    email: str = ""
    file: str = "matmul.cu"
    content: bytes = b""
    late: bool = False
    submitted: str = ""
    problem: str = ""
    identity: Identity | None = None
    others: tuple[str, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        if self.problem and self.content:
            raise ValueError(f"{self.student} has both a file and a problem")
