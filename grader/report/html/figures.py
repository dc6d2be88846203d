"""The figures of one grade: speed over size, beside what it is compared with. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from grader.model import Criterion, Interval, Measurement, Report, Shape
from grader.pages import plots
from grader.report.html.wording import NONE, TIMES, digits
from grader.rubric.criteria import QUANTITIES, Quantity, scaled

YOURS = "this kernel"
NAMES = {"naive": "naive kernel", "library": "cuBLAS"}
COLOURS = {YOURS: plots.BLUE, "naive kernel": plots.AMBER, "cuBLAS": plots.GREEN}
MARKERS = {YOURS: "o", "naive kernel": "s", "cuBLAS": "D"}
INCHES = (3.7, 2.7)
MOST_TICKS = 7

Value = Callable[[Measurement], Interval | None]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with its caption, and the same as a table: a row for each size."""

    caption: str
    svg: Markup
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def figures(report: Report) -> tuple[Figure, ...]:
    """Whatever the measurements allow; nothing without any."""
    if not report.measurements:
        return ()
    made = (_of_kind(report, kind, quantity) for kind, quantity in QUANTITIES.items())
    return tuple(figure for figure in made if figure is not None)


def _of_kind(report: Report, kind: str, quantity: Quantity) -> Figure | None:
    """The figure of one kind of speed; None where nothing has such a value, or the lab does not ask for it."""
    marks = _marks(report.rubric.criteria, kind, quantity.scale)
    if not marks and not quantity.always_drawn:
        return None

    def value(measurement: Measurement) -> Interval | None:
        interval = quantity.value(measurement, report.machine, report.rubric.interface)
        return interval and scaled(interval, quantity.scale)

    others = {NAMES.get(name, name): measured for name, measured in report.baselines.items()}
    lines = {YOURS: report.measurements, **(others if quantity.shows_baselines else {})}
    return _figure(quantity.label, quantity.unit, lines, value, marks)


def _marks(criteria: Sequence[Criterion], kind: str, scale: float) -> tuple[tuple[float, float], ...]:
    """The knots of the curve of points, as values and shares; several criteria of a kind have no one curve."""
    curves = [criterion.curve for criterion in criteria if criterion.kind == kind]
    return tuple((scale * value, share) for value, share in curves[0] if share > 0) if len(curves) == 1 else ()


def _figure(
    caption: str,
    unit: str,
    lines: Mapping[str, Sequence[Measurement]],
    value: Value,
    marks: Sequence[tuple[float, float]],
) -> Figure | None:
    """The kernel's line comes first and decides on the sizes. None where it has no such value."""
    shapes = [one.shape for one in lines[YOURS] if value(one) is not None]
    if not shapes:
        return None
    series = {name: _by_shape(found, value) for name, found in lines.items()}
    rows = tuple((str(shape), *(_cell(points.get(shape)) for points in series.values())) for shape in shapes)
    said = "; ".join(f"{name} {cell}" for name, cell in zip(series, rows[-1][1:], strict=True))
    sizes = f"from {shapes[0]} to {shapes[-1]}" if len(shapes) > 1 else f"at {shapes[0]}"
    drawing = _drawing(shapes, unit, series, marks)
    drawn = plots.svg(drawing, f"{caption} {sizes}", f"In {unit}, median and interval. At {shapes[-1]}: {said}.")
    return Figure(caption, Markup(drawn), tuple(f"{name}, {unit}" for name in series), rows)  # noqa: S704 - it escapes


def _drawing(
    shapes: Sequence[Shape],
    unit: str,
    series: Mapping[str, dict[Shape, Interval]],
    marks: Sequence[tuple[float, float]],
) -> Drawing:
    with plots.style():
        drawing = Drawing(figsize=INCHES)
        axes = drawing.subplots()
        for name, points in series.items():
            _line(axes, name, shapes, points)
        _finish(axes, shapes, unit)
        _mark(axes, marks)
        if len(series) > 1:
            axes.legend(loc="upper left")
    return drawing


def _by_shape(found: Sequence[Measurement], value: Value) -> dict[Shape, Interval]:
    return {one.shape: interval for one in found if (interval := value(one)) is not None}


def _line(axes: Axes, name: str, shapes: Sequence[Shape], points: dict[Shape, Interval]) -> None:
    """Sizes stand at equal distances: 1024 and 1025 would be one point on any axis of numbers."""
    places = [(place, points[shape]) for place, shape in enumerate(shapes) if shape in points]
    medians = [one.median for _, one in places]
    reach = [[one.median - one.low for _, one in places], [one.high - one.median for _, one in places]]
    axes.errorbar(
        [place for place, _ in places],
        medians,
        yerr=reach,
        label=name,
        color=COLOURS.get(name),
        marker=MARKERS.get(name, "^"),
        capsize=3,
        elinewidth=1,
    )


def _finish(axes: Axes, shapes: Sequence[Shape], unit: str) -> None:
    square = all(one.M == one.N == one.K for one in shapes)
    step = -(-len(shapes) // MOST_TICKS)
    shown = range(0, len(shapes), step)
    axes.set_xticks(list(shown), [str(shapes[place].N) if square else str(shapes[place]) for place in shown])
    axes.set_xlabel("N" if square else f"M {TIMES} N {TIMES} K")
    axes.set_ylabel(unit)
    axes.set_xlim(-0.4, len(shapes) - 0.6)
    axes.set_ylim(bottom=0, top=1.08 * axes.get_ylim()[1])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    axes.grid(visible=False, axis="x")


def _mark(axes: Axes, marks: Sequence[tuple[float, float]]) -> None:
    """How many of the points a value earns, where that is in sight."""
    for value, share in marks:
        if value <= axes.get_ylim()[1]:
            axes.axhline(value, color=plots.INK, linewidth=0.8, linestyle=(0, (2, 3)), alpha=0.7)
            axes.annotate(
                f"{share:.0%} of the points",
                (1, value),
                xycoords=("axes fraction", "data"),
                xytext=(0, 2),
                textcoords="offset points",
                horizontalalignment="right",
                fontsize=7.5,
            )


def _cell(one: Interval | None) -> str:
    return NONE if one is None else f"{digits(one.median)} ({digits(one.low)} to {digits(one.high)})"
