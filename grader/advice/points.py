"""The points that a faster kernel would earn under the rubric of a report. Pure."""

from __future__ import annotations

from dataclasses import replace

from grader.model import AdviceItem, Interval, Measurement, Report
from grader.rubric.criteria import scaled
from grader.rubric.score import score


def points_for(item: AdviceItem, report: Report) -> AdviceItem:
    """Return the item with the points that its factors would earn, if they held at every timed size."""
    return replace(item, points_low=_gained(report, item.low), points_high=_gained(report, item.high))


def _gained(report: Report, factor: float) -> float:
    faster = tuple(_faster(measurement, factor) for measurement in report.measurements)
    return round(score(replace(report, measurements=faster)).earned - score(report).earned, 1)


def _faster(measurement: Measurement, factor: float) -> Measurement:
    def times(interval: Interval | None) -> Interval | None:
        return scaled(interval, factor) if interval else None

    return replace(
        measurement,
        seconds=scaled(measurement.seconds, 1 / factor),
        gflops=scaled(measurement.gflops, factor),
        speedup=times(measurement.speedup),
        library_fraction=times(measurement.library_fraction),
    )
