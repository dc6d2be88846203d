"""The figures of one grade: speed over size, of the submission and of the baselines. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from grader.model import Criterion, Interval, Measurement, Report, Shape
from grader.pages import plots
from grader.rubric.criteria import QUANTITIES, Quantity, scaled
from grader.text.numbers import NONE, TIMES, three_digits_with_zeros

YOURS = "this kernel"
NAMES = {"naive": "naive kernel", "library": "cuBLAS"}
LOOKS = {YOURS: (plots.BLUE, "o"), "naive kernel": (plots.AMBER, "s"), "cuBLAS": (plots.GREEN, "D")}
INCHES = (3.7, 2.7)
MOST_TICKS = 7

Series = Mapping[str, Mapping[Shape, Interval]]  # the values of each kernel by size


@dataclass(frozen=True, slots=True)
class SpeedFigure:
    """A figure with its caption, and the same as a table: a row for each size."""

    caption: str
    svg: Markup
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def figures(report: Report) -> tuple[SpeedFigure, ...]:
    """Return a figure for each kind of speed that was measured and that the lab shows."""
    made = (_figure(report, kind, quantity) for kind, quantity in QUANTITIES.items())
    return tuple(figure for figure in made if figure is not None)


def load_everything() -> None:
    """Draw an empty figure, so that fonts and the writer of SVG files are loaded."""
    plots.svg(_draw([Shape(1, 1, 1)], "", {YOURS: {}}, ()), "", "")


def _figure(report: Report, kind: str, quantity: Quantity) -> SpeedFigure | None:
    """Return the figure of one kind of speed; None without values, or where the lab does not score or show it."""
    knots = _knots(report.rubric.criteria, kind, quantity.scale)
    series = _series(report, quantity)
    shapes = list(series[YOURS])
    if not shapes or not (knots or quantity.always_drawn):
        return None
    rows = tuple((str(shape), *(_cell(values.get(shape)) for values in series.values())) for shape in shapes)
    last = "; ".join(f"{name} {cell}" for name, cell in zip(series, rows[-1][1:], strict=True))
    sizes = f"from {shapes[0]} to {shapes[-1]}" if len(shapes) > 1 else f"at {shapes[0]}"
    words = f"In {quantity.unit}, median and interval. At {shapes[-1]}: {last}."
    svg = plots.svg(_draw(shapes, quantity.unit, series, knots), f"{quantity.label} {sizes}", words)
    columns = tuple(f"{name}, {quantity.unit}" for name in series)
    return SpeedFigure(quantity.label, Markup(svg), columns, rows)  # noqa: S704 - plots.svg escapes


def _knots(criteria: Sequence[Criterion], kind: str, scale: float) -> tuple[tuple[float, float], ...]:
    """Return the knots of the curve of points, as values and shares; several criteria of a kind have no one curve."""
    curves = [criterion.curve for criterion in criteria if criterion.kind == kind]
    return tuple((scale * value, share) for value, share in curves[0] if share > 0) if len(curves) == 1 else ()


def _series(report: Report, quantity: Quantity) -> Series:
    """Return the values of the submission, and of the baselines where the figure shows them."""

    def values(measured: Sequence[Measurement]) -> dict[Shape, Interval]:
        known = {
            measurement.shape: quantity.value(measurement, report.machine, report.rubric.interface)
            for measurement in measured
        }
        return {shape: scaled(interval, quantity.scale) for shape, interval in known.items() if interval}

    lines = {YOURS: report.measurements}
    if quantity.shows_baselines:
        lines |= {NAMES.get(name, name): measured for name, measured in report.baselines.items()}
    return {name: values(measured) for name, measured in lines.items()}


def _draw(shapes: Sequence[Shape], unit: str, series: Series, knots: Sequence[tuple[float, float]]) -> Figure:
    with plots.style():
        figure = Figure(figsize=INCHES)
        axes = figure.subplots()
        for name, values in series.items():
            _line(axes, name, {place: values[shape] for place, shape in enumerate(shapes) if shape in values})
        _axes(axes, shapes, unit)
        for value, share in knots:
            if value <= axes.get_ylim()[1]:
                _mark(axes, value, f"{share:.0%} of the points")
        if len(series) > 1:
            axes.legend(loc="upper left")
    return figure


def _line(axes: Axes, name: str, points: Mapping[int, Interval]) -> None:
    """Draw a line. Sizes are at equal distances, because 1024 and 1025 would be one point on a numeric axis."""
    colour, marker = LOOKS.get(name, (None, "^"))
    intervals = list(points.values())
    axes.errorbar(
        list(points),
        [interval.median for interval in intervals],
        yerr=plots.errors(intervals),
        label=name,
        color=colour,
        marker=marker,
        capsize=3,
        elinewidth=1,
    )


def _axes(axes: Axes, shapes: Sequence[Shape], unit: str) -> None:
    square = all(shape.M == shape.N == shape.K for shape in shapes)
    places = range(0, len(shapes), -(-len(shapes) // MOST_TICKS))
    axes.set_xticks(list(places), [str(shapes[place].N if square else shapes[place]) for place in places])
    axes.set(xlabel="N" if square else f"M {TIMES} N {TIMES} K", ylabel=unit, xlim=(-0.4, len(shapes) - 0.6))
    axes.set_ylim(bottom=0, top=1.08 * axes.get_ylim()[1])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    axes.grid(visible=False, axis="x")


def _mark(axes: Axes, value: float, words: str) -> None:
    """Draw a line at a value, with words at its right end."""
    axes.axhline(value, color=plots.INK, linewidth=0.8, linestyle=(0, (2, 3)), alpha=0.7)
    axes.annotate(words, (1, value), xycoords=("axes fraction", "data"), xytext=(0, 2), textcoords="offset points",
                  horizontalalignment="right", fontsize=7.5)  # fmt: skip


def _cell(interval: Interval | None) -> str:
    if interval is None:
        return NONE
    median, low, high = map(three_digits_with_zeros, (interval.median, interval.low, interval.high))
    return f"{median} ({low} to {high})"
