"""Sentences on what affected the speeds of a report."""

from __future__ import annotations

from collections.abc import Iterator

from grader.model import Report


def speed_notes(report: Report) -> Iterator[str]:
    """Yield a sentence for each size at which some values are slower than others, and one for a reduced clock."""
    throttled: set[str] = set()
    for measurement in report.measurements:
        throttled |= set(measurement.telemetry.throttle) if measurement.telemetry else set()
        if measurement.value_effect is not None:
            yield (
                f"At {measurement.shape}, the kernel's speed depends on the values of A and B: the slowest inputs take "
                f"{measurement.value_effect:.2f} times as long as the fastest. The slower speed counts."
            )
    if throttled:
        reasons = ", ".join(sorted(throttled))
        yield f"The GPU reduced its clock ({reasons}); ratios stay comparable, because it slows all kernels."
