"""Time and GFLOPS at one size: a line for each kernel or block size, with its name beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import Locator, LogLocator, MaxNLocator

from grader.model import Interval, Shape
from grader.pages import plots
from grader.study.present.drawing import is_linear, kernel_style, value_axis

WIDTH = 7.2
LINE = 0.27  # inches for each name
AROUND = 0.85  # inches for the axes
BAR = 0.7  # of the distance between names
FAR = 500  # the ratio of values over which half a figure has room for powers of ten alone


def draw(labels: Sequence[str], gflops: Sequence[Interval], milliseconds: Sequence[Interval], shape: Shape) -> Figure:
    """GFLOPS as marks, and milliseconds as bars where they can start at zero."""
    with plots.style():
        figure = Figure(figsize=(WIDTH, AROUND + LINE * len(labels)))
        left, right = figure.subplots(1, 2, sharey=True)
        _marks(left, gflops)
        _marks(right, milliseconds)
        if is_linear([one.median for one in milliseconds]):
            _bars(right, milliseconds)
        _finish(left, f"GFLOPS at {shape}", gflops)
        _finish(right, f"time at {shape}, ms", milliseconds)
        left.set_yticks(range(len(labels)), labels)
        left.set_ylim(len(labels) - 0.5, -0.5)
    return figure


def _marks(axes: Any, found: Sequence[Interval]) -> None:
    middles = [one.median for one in found]
    axes.plot(middles, range(len(found)), color=plots.INK, linewidth=0.9, alpha=0.5)
    for number, one in enumerate(found):
        sides = [[one.median - one.low], [one.high - one.median]]
        axes.errorbar(one.median, number, xerr=sides, **kernel_style(number))


def _bars(axes: Any, found: Sequence[Interval]) -> None:
    for number, one in enumerate(found):
        axes.barh(number, one.median, BAR, color=kernel_style(number)["color"], alpha=0.75)


def _finish(axes: Any, label: str, found: Sequence[Interval]) -> None:
    values = [one.median for one in found]
    value_axis(axes.xaxis, values)
    axes.xaxis.set_major_locator(_few_ticks(values))
    axes.set_xlabel(label)
    axes.grid(visible=False, axis="y")


def _few_ticks(values: Sequence[float]) -> Locator:
    """So few that their numbers stand beside each other in half a figure."""
    if is_linear(values):
        return MaxNLocator(4)
    return LogLocator(10, (1, 3) if max(values) < FAR * min(values) else (1,))
