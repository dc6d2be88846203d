"""What the checked launches found where the lab makes it a remark, and what they were not searched for."""

from __future__ import annotations

from collections.abc import Iterator

from grader.model import Report
from grader.text.clean import one_line

LONGEST = 600  # characters


def remarks(report: Report) -> Iterator[str]:
    """Yield each remark once, with its size."""
    seen = set()
    for result in report.results:
        if result.remark and result.remark not in seen:
            seen.add(result.remark)
            yield f"Remark at {result.case.shape}: {one_line(result.remark, LONGEST)}"
