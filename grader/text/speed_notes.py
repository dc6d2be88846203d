"""Sentences on what affected the speeds of a report."""

from __future__ import annotations

from collections.abc import Iterator

from grader.model import Report


def speed_notes(report: Report) -> Iterator[str]:
    """Yield a sentence for a reduced clock."""
    throttled: set[str] = set()
    for measurement in report.measurements:
        throttled |= set(measurement.telemetry.throttle) if measurement.telemetry else set()
    if throttled:
        reasons = ", ".join(sorted(throttled))
        yield f"The GPU reduced its clock ({reasons}); ratios stay comparable, because it slows all kernels."
