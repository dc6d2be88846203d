"""What the checked launches found where the lab makes it a remark."""

from __future__ import annotations

from collections.abc import Iterator

from grader.model import Report


def remarks(report: Report) -> Iterator[str]:
    """Yield each remark once, with its size."""
    seen = set()
    for result in report.results:
        if result.remark and result.remark not in seen:
            seen.add(result.remark)
            yield f"Remark at {result.case.shape}: {result.remark} In this lab it costs no points."
