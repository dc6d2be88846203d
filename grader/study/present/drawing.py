"""What all figures of a study share: marks, axes with plain numbers, a legend above the plot."""

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
LEGEND: dict[str, Any] = {"fontsize": 8.0, "handlelength": 1.6, "columnspacing": 1.2}
LEGEND_INCHES, HANDLE_INCHES, CHARACTER_INCHES, LINE_INCHES = 4.7, 0.4, 0.067, 0.16  # with these settings
LINEAR_UP_TO = 10.0  # the ratio of the largest to the smallest value that a linear axis shows well
MANY_DECADES = 2000.0  # the ratio of the largest to the smallest value for which 1, 2 and 5 are too many ticks
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
        log_ticks(axis, max(values) / min(values))


def is_linear(values: Sequence[float]) -> bool:
    """Whether an axis from zero shows the smallest of the values."""
    return max(values) <= LINEAR_UP_TO * min(values)


def log_ticks(axis: Axis, ratio: float = 1.0) -> None:
    """Set ticks at 1, 2 and 5 of each decade, or only at 1 over many decades, as plain numbers."""
    axis.set_major_locator(LogLocator(10, (1, 2, 5) if ratio < MANY_DECADES else (1,)))
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
    """Place the legend above the plot, where it hides nothing and a phone shows it; the figure grows by its height."""
    words = [str(handle.get_label()) for handle in handles or axes.get_legend_handles_labels()[0]]
    lines = [line for label in words for line in label.split("\n")]
    columns = max(1, int(LEGEND_INCHES / (HANDLE_INCHES + CHARACTER_INCHES * max(map(len, lines), default=1))))
    height = LINE_INCHES * max((label.count("\n") + 1 for label in words), default=1) * -(-len(words) // columns)
    axes.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(0.0, 1.02), borderaxespad=0.0, ncols=columns, **LEGEND
    )
    figure = axes.get_figure(root=True)
    if figure is not None:
        figure.set_figheight(figure.get_figheight() + height)
