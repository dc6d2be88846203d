"""GFLOPS and speed-up over the size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from grader.model import Interval, Shape
from grader.pages import plots
from grader.study.measure.records import Study
from grader.study.present import selection
from grader.study.present.drawing import (
    BASELINE_NAMES,
    MOST_KERNELS,
    Drawing,
    baseline_style,
    kernel_style,
    legend,
    short,
    size_axis,
    value_axis,
)
from grader.text.numbers import figures

SIZE = (7.2, 3.9)
LEAST_SIZES = 2

Curve = Mapping[Shape, Interval]


def gflops_over_size(study: Study) -> Drawing | None:
    """Kernels, naive, cuBLAS and multi-core BLAS."""
    kernels, baselines = _kernels(study), _baselines(study)
    if not _wide_enough({**kernels, **baselines}):
        return None
    with plots.style():
        figure, axes = _axes()
        for subject, curve in baselines.items():
            _draw(axes, curve, BASELINE_NAMES[subject], baseline_style(subject))
        for number, (name, curve) in enumerate(kernels.items()):
            _draw(axes, curve, short(name), kernel_style(number))
        _finish(axes, [*kernels.values(), *baselines.values()], "GFLOPS")
    named = {**kernels, **{BASELINE_NAMES[subject]: curve for subject, curve in baselines.items()}}
    words = f"GFLOPS over the size for {', '.join(named)}."
    return Drawing("gflops", "GFLOPS over N", f"{words} {_ends(named, 'GFLOPS')}", figure)


def speedup_over_size(study: Study) -> Drawing | None:
    """How many times as fast as the naive kernel, in the same rounds."""
    rows = selection.measured(study)
    kernels = {
        name: {row.shape: found for row in rows[name] if row.shape and (found := selection.timing(row).speedup)}
        for name in selection.shown(study, MOST_KERNELS)
    }
    if not _wide_enough(kernels):
        return None
    with plots.style():
        figure, axes = _axes()
        axes.axhline(1.0, color=plots.INK, linewidth=1.0, linestyle="--", label=BASELINE_NAMES["naive"])
        for number, (name, curve) in enumerate(kernels.items()):
            _draw(axes, curve, short(name), kernel_style(number))
        _finish(axes, list(kernels.values()), "times as fast as naive")
    words = "Speed-up over the naive kernel by size."
    return Drawing("speedup", "Speed-up over the naive kernel", f"{words} {_ends(kernels, 'times')}", figure)


def _kernels(study: Study) -> dict[str, Curve]:
    rows = selection.measured(study)
    return {
        name: {row.shape: selection.timing(row).gflops for row in rows[name] if row.shape}
        for name in selection.shown(study, MOST_KERNELS)
    }


def _baselines(study: Study) -> dict[str, Curve]:
    found = {subject: selection.baseline(study, subject) for subject in selection.BASELINES}
    return {
        subject: {shape: selection.timing(row).gflops for shape, row in rows.items()}
        for subject, rows in found.items()
        if rows
    }


def _wide_enough(curves: Mapping[str, Curve]) -> bool:
    return any(len({selection.side(shape) for shape in curve}) >= LEAST_SIZES for curve in curves.values())


def _axes() -> tuple[Figure, Any]:
    figure = Figure(figsize=SIZE)
    return figure, figure.subplots()


def _draw(axes: Any, curve: Curve, label: str, look: dict[str, Any]) -> None:
    """The medians, and their intervals where they can be seen."""
    points = sorted(((selection.side(shape), found) for shape, found in curve.items()), key=lambda point: point[0])
    xs, medians = [x for x, _ in points], [found.median for _, found in points]
    axes.plot(xs, medians, label=label, markersize=4.5 if len(xs) < 12 else 3.2, **look)  # noqa: PLR2004
    axes.fill_between(xs, [one.low for _, one in points], [one.high for _, one in points], color=look["color"],
                      alpha=0.15, linewidth=0)  # fmt: skip


def _finish(axes: Any, curves: list[Curve], label: str) -> None:
    value_axis(axes.yaxis, [one.median for curve in curves for one in curve.values()])
    size_axis(axes, [shape for curve in curves for shape in curve])
    axes.set_ylabel(label)
    legend(axes)


def _ends(curves: Mapping[str, Curve], unit: str) -> str:
    """The values at the largest size of each curve, for those who cannot see it."""
    parts = []
    for name, curve in curves.items():
        if curve:
            last = max(curve, key=selection.side)
            parts.append(f"{name} {figures(curve[last].median)} {unit} at {last}")
    return f"At the largest size: {'; '.join(parts)}." if parts else ""
