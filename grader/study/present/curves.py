"""GFLOPS and speed-up over the size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from grader.model import Interval, Measurement, Shape
from grader.pages import plots
from grader.study.measure.records import Study
from grader.study.present import drawing, selection
from grader.study.present.drawing import BASELINE_NAMES, Drawing
from grader.text.numbers import three_digits

SIZE = (5.4, 3.2)
DENSE = 12  # points from which on their marks are small


@dataclass(frozen=True, slots=True)
class Curve:
    """The values of a kernel or a baseline by size."""

    name: str
    points: Mapping[Shape, Interval]
    style: drawing.Style


def gflops_over_size(study: Study) -> Drawing | None:
    """Draw kernels, the naive kernel, cuBLAS and multi-core BLAS; None where each was measured at one size only."""
    kernels, baselines = list(_kernels(study, lambda measurement: measurement.gflops)), list(_baselines(study))
    named = [*kernels, *baselines]
    words = f"GFLOPS over the size for {', '.join(curve.name for curve in named)}. {_ends(named, 'GFLOPS')}"
    figure = _figure([*baselines, *kernels], "GFLOPS")
    return Drawing("gflops", "GFLOPS over N", words, figure) if figure else None


def speedup_over_size(study: Study) -> Drawing | None:
    """Draw the speed relative to the naive kernel, in the same rounds; None as above."""
    kernels = list(_kernels(study, lambda measurement: measurement.speedup))
    words = f"Speed-up over the naive kernel by size. {_ends(kernels, 'times')}"
    figure = _figure(kernels, "times as fast as naive", naive=1.0)
    return Drawing("speedup", "Speed-up over the naive kernel", words, figure) if figure else None


def _kernels(study: Study, value: Callable[[Measurement], Interval | None]) -> Iterator[Curve]:
    rows = selection.measured(study)
    for number, name in enumerate(selection.shown(study, drawing.MOST_KERNELS)):
        values = {shape: value(selection.timing(row)) for shape, row in rows[name].items()}
        points = {shape: interval for shape, interval in values.items() if interval}
        yield Curve(name, points, drawing.kernel_style(number))


def _baselines(study: Study) -> Iterator[Curve]:
    for subject in selection.BASELINES:
        if rows := selection.baseline(study, subject):
            points = {shape: selection.timing(row).gflops for shape, row in rows.items()}
            yield Curve(BASELINE_NAMES[subject], points, drawing.baseline_style(subject))


def _figure(curves: Sequence[Curve], label: str, naive: float | None = None) -> Figure | None:
    """Draw the curves, and a line at the naive kernel's value where it is given."""
    if not any(len({selection.side(shape) for shape in curve.points}) > 1 for curve in curves):
        return None
    with plots.style():
        figure = Figure(figsize=SIZE)
        axes = figure.subplots()
        if naive is not None:
            axes.axhline(naive, color=plots.INK, linewidth=1.0, linestyle="--", label=BASELINE_NAMES["naive"])
        for curve in curves:
            _draw(axes, curve)
        drawing.value_axis(axes.yaxis, [interval.median for curve in curves for interval in curve.points.values()])
        drawing.size_axis(axes, [shape for curve in curves for shape in curve.points])
        axes.set_ylabel(label)
        drawing.legend(axes)
    return figure


def _draw(axes: Axes, curve: Curve) -> None:
    """Draw the medians, and their intervals where they are wide enough to be seen."""
    shapes = sorted(curve.points, key=selection.side)
    sides, intervals = [selection.side(shape) for shape in shapes], [curve.points[shape] for shape in shapes]
    medians, low, high = ([getattr(interval, name) for interval in intervals] for name in ("median", "low", "high"))
    size = 4.5 if len(sides) < DENSE else 3.2
    axes.plot(sides, medians, label=drawing.short(curve.name), markersize=size, **curve.style)
    axes.fill_between(sides, low, high, color=curve.style["color"], alpha=0.15, linewidth=0)


def _ends(curves: Sequence[Curve], unit: str) -> str:
    """Return the value at the largest size of each curve, for readers who cannot see the figure."""
    last = [(curve, max(curve.points, key=selection.side)) for curve in curves if curve.points]
    values = [f"{curve.name} {three_digits(curve.points[shape].median)} {unit} at {shape}" for curve, shape in last]
    return f"At the largest size: {'; '.join(values)}." if values else ""
