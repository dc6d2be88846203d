"""What all figures of a study share: marks, axes with plain numbers, a legend beside the plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.axis import Axis, XAxis, YAxis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MultipleLocator, NullLocator

from grader.model import Shape
from grader.pages import plots
from grader.study.present.selection import side

MOST_KERNELS = 10  # that one figure can show
MARKS = ("o", "s", "D", "^", "v", "P", "X", "*", "p", "d")
BASELINE_MARKS = {"naive": ("<", "--"), "cublas": ("s", "-"), "blas": ("o", ":")}
BASELINE_NAMES = {"naive": "naive (baseline)", "cublas": "cuBLAS", "blas": "BLAS (processor)"}
LEGEND_CHARACTERS = 34
LINEAR_UP_TO = 10.0  # the ratio of the largest to the smallest value that a linear axis shows well
STEPS = tuple(2**power for power in range(16))
MOST_TICKS = 9

Style = dict[str, Any]  # keywords of Axes.plot


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure with the name of its file, its title, its content in words, and how to read it."""

    name: str
    title: str
    description: str
    figure: Figure
    caption: str = ""


def kernel_style(number: int) -> Style:
    """Return colour, mark and line of the kernel with this number; marks and lines differ where colours repeat."""
    return {
        "color": plots.COLOURS[number % len(plots.COLOURS)],
        "marker": MARKS[number % len(MARKS)],
        "linestyle": "-." if number >= len(plots.COLOURS) else "-",
    }


def baseline_style(subject: str) -> Style:
    """Return the colour of the text, a hollow mark, and a line that no other baseline has."""
    mark, line = BASELINE_MARKS[subject]
    return {"color": plots.INK, "marker": mark, "linestyle": line, "markerfacecolor": "none", "linewidth": 1.1}


def short(name: str) -> str:
    """Return a name that fits into a legend; it keeps the end, in which variants differ."""
    return name if len(name) <= LEGEND_CHARACTERS else f"…{name[-LEGEND_CHARACTERS + 1 :]}"


def value_axis(axis: XAxis | YAxis, values: Sequence[float]) -> None:
    """Begin at zero, or scale logarithmically where the small values would not be visible."""
    if is_linear(values):
        axis.axes.set(**{f"{axis.axis_name}lim": (0, 1.06 * max(values))})
        axis.set_major_formatter(_plain)
    else:
        axis.axes.set(**{f"{axis.axis_name}scale": "log"})
        log_ticks(axis)


def is_linear(values: Sequence[float]) -> bool:
    """Whether an axis from zero shows the smallest of the values."""
    return max(values) <= LINEAR_UP_TO * min(values)


def log_ticks(axis: Axis) -> None:
    """Set ticks at 1, 2 and 5 of each decade, as plain numbers."""
    axis.set_major_locator(LogLocator(10, (1, 2, 5)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(_plain)


def size_axis(axes: Axes, shapes: Sequence[Shape]) -> None:
    """Show N along x, logarithmic over more than a decade; ticks at powers of two or multiples of them."""
    sides = sorted({side(shape) for shape in shapes})
    if is_linear(sides):
        step = next(step for step in STEPS if (sides[-1] - sides[0]) / step <= MOST_TICKS)
        axes.xaxis.set_major_locator(MultipleLocator(step))
    else:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_locator(LogLocator(2))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0f}")
    square = all(shape.M == shape.N == shape.K for shape in shapes)
    axes.set_xlabel("N" if square else "cube root of M·N·K")


def _plain(value: float, _position: float | None = None) -> str:
    """Write a number without powers of ten, thousands separated."""
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"  # noqa: PLR2004


def legend(axes: Axes, handles: Sequence[Line2D] | None = None) -> None:
    """Place the legend beside the plot, where it hides nothing."""
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)
