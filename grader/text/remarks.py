"""What a reader must know: what checked launches found that costs nothing, or could not search, and hidden sizes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from grader.model import Report, Rubric
from grader.text.clean import one_line

LONGEST = 600  # characters


def remarks(report: Report) -> Iterator[str]:
    """Yield each remark once, with its size, and the note on hidden sizes."""
    seen = set()
    for result in report.results:
        if result.remark and result.remark not in seen:
            seen.add(result.remark)
            yield f"Remark at {result.case.shape}: {one_line(result.remark, LONGEST)}"
    if words := hidden_note(report.rubric):
        yield words


def hidden_note(rubric: Rubric) -> str:
    """Return the sentence about hidden sizes, which the rubric of a student's report lacks; empty if it has all."""
    if not rubric.visible_after or rubric.hidden_sizes:
        return ""
    moment = datetime.fromisoformat(rubric.visible_after).isoformat(" ", "minutes")
    return f"More sizes count for the grade. They are shown after {moment}."
