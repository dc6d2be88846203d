"""The sentence on a kernel whose speed depends on the values of its inputs."""

from __future__ import annotations

from collections.abc import Iterator

from grader.model import Report


def value_notes(report: Report) -> Iterator[str]:
    """Yield a sentence for each size at which some values of A and B are slower than others."""
    for measurement in report.measurements:
        if measurement.value_effect is not None:
            yield (
                f"At {measurement.shape}, the kernel's speed depends on the values of A and B: the slowest inputs take "
                f"{measurement.value_effect:.2f} times as long as the fastest. The slower speed counts."
            )
