"""One line of the class: a student, and what became of the file."""

from __future__ import annotations

from dataclasses import dataclass

from grader.batch.handin import Handin
from grader.model import Report


@dataclass(frozen=True, slots=True)
class Row:
    """`handin` without its content; `report` is None where nothing could be graded, and `problem` then says why."""

    handin: Handin
    report: Report | None
    problem: str = ""
