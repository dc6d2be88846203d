"""What all figures of a study share: marks, axes with plain numbers, a legend beside the plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MultipleLocator, NullLocator

from grader.model import Shape
from grader.pages import plots
from grader.study.present.selection import side

MOST_KERNELS = 10  # that are told apart in one figure
MARKS = ("o", "s", "D", "^", "v", "P", "X", "*", "p", "d")
BASELINE_MARKS = {"naive": ("<", "--"), "cublas": ("s", "-"), "blas": ("o", ":")}
BASELINE_NAMES = {"naive": "naive (baseline)", "cublas": "cuBLAS", "blas": "BLAS (processor)"}
LEGEND_CHARACTERS = 34
LINEAR_UP_TO = 10.0  # the ratio of the largest to the smallest value that a linear axis shows well
STEPS = tuple(2**power for power in range(16))
MOST_TICKS = 9


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure with the name of its file, its title, what it shows in words, and how to read it."""

    name: str
    title: str
    description: str
    figure: Figure
    caption: str = ""


def kernel_style(number: int) -> dict[str, Any]:
    """Colour, mark and line of the kernel with this number; marks and lines differ where colours come again."""
    again = number >= len(plots.COLOURS)
    return {
        "color": plots.COLOURS[number % len(plots.COLOURS)],
        "marker": MARKS[number % len(MARKS)],
        "linestyle": "-." if again else "-",
    }


def baseline_style(subject: str) -> dict[str, Any]:
    """Ink, a hollow mark and a line of its own."""
    mark, line = BASELINE_MARKS[subject]
    return {"color": plots.INK, "marker": mark, "linestyle": line, "markerfacecolor": "none", "linewidth": 1.1}


def short(name: str) -> str:
    """A name that fits into a legend; the end tells variants apart."""
    return name if len(name) <= LEGEND_CHARACTERS else f"…{name[-LEGEND_CHARACTERS + 1 :]}"


def value_axis(axis: Any, values: Sequence[float]) -> None:
    """From zero, or logarithmic where the values differ so much that the small ones would not be seen."""
    if is_linear(values):
        axis.axes.set(**{f"{axis.axis_name}lim": (0, 1.06 * max(values))})
        axis.set_major_formatter(FuncFormatter(_plain))
        return
    axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    log_ticks(axis)


def is_linear(values: Sequence[float]) -> bool:
    """Whether an axis from zero shows the smallest of them."""
    return max(values) <= LINEAR_UP_TO * min(values)


def log_ticks(axis: Any) -> None:
    """Ticks at 1, 2 and 5 of each decade, as plain numbers."""
    axis.set_major_locator(LogLocator(10, (1, 2, 5)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(_plain))


def size_axis(axes: Any, shapes: Sequence[Shape]) -> None:
    """N along x, as it is or, over more than a decade, logarithmic; ticks at powers of two or multiples of them."""
    sides = sorted({side(shape) for shape in shapes})
    if sides[-1] <= LINEAR_UP_TO * sides[0]:
        step = next(step for step in STEPS if (sides[-1] - sides[0]) / step <= MOST_TICKS)
        axes.xaxis.set_major_locator(MultipleLocator(step))
    else:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_locator(LogLocator(2))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))
    square = all(shape.M == shape.N == shape.K for shape in shapes)
    axes.set_xlabel("N" if square else "cube root of M·N·K")


def _plain(value: float, _position: int | None = None) -> str:
    """A number as people write it: no powers of ten, thousands apart."""
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"  # noqa: PLR2004


def legend(axes: Any) -> None:
    """Beside the plot, where it hides nothing."""
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)
