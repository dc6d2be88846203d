"""The figures of speeds: bars at one size, and curves over the sizes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator

from grader.model import Interval, Measurement, Shape
from grader.pages import plots
from grader.rubric.criteria import scaled
from grader.study.measure.records import Study
from grader.study.present import drawing, selection
from grader.study.present.drawing import BASELINE_NAMES, MOST_KERNELS, Drawing, is_linear, kernel_style
from grader.text.numbers import three_digits

SIZE, CURVE_SIZE = (5.4, 4.5), (5.4, 3.2)
MOST_SIZES = 6
DENSE = 12  # points from which on their marks are small
GROUP = 0.8  # of the distance between groups
WIDTH = 6.8  # inches, at one size, for two plots beside each other
LINE = 0.27  # inches for each name, at one size
AROUND = 0.85  # inches for the axes, at one size
FAR = 500  # the ratio of values over which half a figure has room for powers of ten only

Group = Mapping[int, Measurement]  # the measurements at one size by the numbers of their variants
Along = Literal["x", "y"]  # the axis that shows the values


@dataclass(frozen=True, slots=True)
class Curve:
    """The values of a kernel or a baseline by size."""

    name: str
    points: Mapping[Shape, Interval]
    style: drawing.Style


def time_and_gflops(study: Study) -> Iterator[Drawing]:
    """Yield a figure for each file of which several variants were measured, or else one that compares the files."""
    files = {file: names[:MOST_KERNELS] for file, names in selection.by_file(study).items() if len(names) > 1}
    for number, (file, names) in enumerate(files.items(), 1):
        labels = {name: name.removeprefix(f"{file.removesuffix('.cu')} ") for name in names}
        yield _of_variants(study, f"variants-{number}", f"Time and GFLOPS of {file}", labels)
    if not files and (names := selection.shown(study, MOST_KERNELS)):
        yield _of_variants(
            study, "kernels", "Time and GFLOPS of each kernel", {name: drawing.short(name) for name in names}
        )


def _of_variants(study: Study, file: str, title: str, labels: Mapping[str, str]) -> Drawing:
    """Draw the variants in `labels`, under the labels that it gives them."""
    rows, names = selection.measured(study), list(labels.values())
    known = sorted(dict.fromkeys(shape for name in labels for shape in rows[name]), key=selection.side)
    groups: dict[Shape, Group] = {
        shape: {
            number: selection.measurement(rows[name][shape])
            for number, name in enumerate(labels)
            if shape in rows[name]
        }
        for shape in selection.a_few(known, MOST_SIZES, study.timed_sizes)
    }
    fastest = []
    for shape, group in groups.items():
        number = max(group, key=lambda number: group[number].gflops.median)
        fastest.append(f"{names[number]} at {shape}, {group[number].gflops.median:,.0f} GFLOPS")
    words = f"GFLOPS, and milliseconds of one product, for {', '.join(names)} at {', '.join(map(str, groups))}."
    figure = _many_sizes(groups, names) if len(groups) > 1 else _one_size(*groups.popitem(), names)
    return Drawing(file, title, f"{words} Fastest: {'; '.join(fastest)}.", figure)


def _many_sizes(groups: Mapping[Shape, Group], names: Sequence[str]) -> Figure:
    """Draw GFLOPS above and milliseconds below, a group for each size."""
    times = [_milliseconds(measurement).median for group in groups.values() for measurement in group.values()]
    with plots.style():
        figure = Figure(figsize=SIZE)
        above, below = figure.subplots(2, 1, sharex=True)
        for middle, group in enumerate(groups.values()):
            width = GROUP / len(names)
            places = {number: middle - GROUP / 2 + (number + 0.5) * width for number in group}
            _marks(above, "y", places, {number: measurement.gflops for number, measurement in group.items()})
            milliseconds = {number: _milliseconds(measurement) for number, measurement in group.items()}
            if is_linear(times):
                _bars(below, places, milliseconds, width * 0.92)
            else:
                _marks(below, "y", places, milliseconds)
        for axes, label in ((above, "GFLOPS"), (below, "time, ms")):
            drawing.value_axis(axes.yaxis, [value for line in axes.lines for value in line.get_ydata()])
            axes.set_ylabel(label)
            axes.grid(visible=False, axis="x")
        below.set_xticks(range(len(groups)), [str(shape).removeprefix("N=") for shape in groups])
        below.set_xlabel("N" if all(str(shape).startswith("N=") for shape in groups) else "M x N x K")
        looks = [{**kernel_style(number), "linestyle": "none"} for number in range(len(names))]
        drawing.legend(
            above, handles=[Line2D([], [], label=name, **look) for name, look in zip(names, looks, strict=True)]
        )
    return figure


def _one_size(shape: Shape, group: Group, names: Sequence[str]) -> Figure:
    """Draw a line for each variant, with its name beside it: GFLOPS on the left, milliseconds on the right."""
    gflops = {number: measurement.gflops for number, measurement in group.items()}
    milliseconds = {number: _milliseconds(measurement) for number, measurement in group.items()}
    places = {number: float(number) for number in group}
    with plots.style():
        figure = Figure(figsize=(WIDTH, AROUND + LINE * len(names)))
        left, right = figure.subplots(1, 2, sharey=True)
        for axes, label, intervals in ((left, "GFLOPS at", gflops), (right, "time at", milliseconds)):
            values = [interval.median for interval in intervals.values()]
            _marks(axes, "x", places, intervals)
            drawing.value_axis(axes.xaxis, values)
            few = LogLocator(10, (1, 3) if max(values) < FAR * min(values) else (1,))
            axes.xaxis.set_major_locator(MaxNLocator(4) if is_linear(values) else few)
            axes.set_xlabel(f"{label} {shape}" if axes is left else f"{label} {shape}, ms")
            axes.grid(visible=False, axis="y")
            if axes is right and is_linear(values):
                colours = [kernel_style(number)["color"] for number in group]
                axes.barh(list(group), values, 0.7, color=colours, alpha=0.75)
        left.set_yticks(range(len(names)), names)
        left.set_ylim(len(names) - 0.5, -0.5)
    return figure


def _milliseconds(measurement: Measurement) -> Interval:
    return scaled(measurement.seconds, 1e3)


def _marks(axes: Axes, along: Along, places: Mapping[int, float], intervals: Mapping[int, Interval]) -> None:
    """Draw a line through the variants of one size, each with its own mark and interval."""
    points = {number: (interval.median, places[number]) for number, interval in intervals.items()}
    if along == "y":
        points = {number: (place, value) for number, (value, place) in points.items()}
    axes.plot(*zip(*points.values(), strict=True), color=plots.INK, linewidth=0.9, alpha=0.5)
    for number, interval in intervals.items():
        x, y = points[number]
        axes.errorbar(x, y, **{**kernel_style(number), f"{along}err": plots.errors([interval])})


def _bars(axes: Axes, places: Mapping[int, float], intervals: Mapping[int, Interval], width: float) -> None:
    """Draw a bar for each variant of one size, with its mark on top."""
    for number, interval in intervals.items():
        style = kernel_style(number)
        axes.bar(places[number], interval.median, width, color=style["color"], alpha=0.75)
        axes.plot([places[number]], [interval.median], **{**style, "linestyle": "none"})


def gflops_over_size(study: Study) -> Drawing | None:
    """Draw kernels, the naive kernel, cuBLAS and multi-core BLAS; None where each was measured at one size only."""
    kernels, baselines = list(_kernels(study, lambda measurement: measurement.gflops)), list(_baselines(study))
    named = [*kernels, *baselines]
    words = f"GFLOPS over the size for {', '.join(curve.name for curve in named)}. {_ends(named, 'GFLOPS')}"
    figure = _curves([*baselines, *kernels], "GFLOPS")
    return Drawing("gflops", "GFLOPS over N", words, figure) if figure else None


def speedup_over_size(study: Study) -> Drawing | None:
    """Draw the speed relative to the naive kernel, in the same rounds; None where it is known at one size only."""
    kernels = list(_kernels(study, lambda measurement: measurement.speedup))
    words = f"Speed-up over the naive kernel by size. {_ends(kernels, 'times')}"
    figure = _curves(kernels, "times as fast as naive", naive=1.0)
    return Drawing("speedup", "Speed-up over the naive kernel", words, figure) if figure else None


def _kernels(study: Study, value: Callable[[Measurement], Interval | None]) -> Iterator[Curve]:
    rows = selection.measured(study)
    for number, name in enumerate(selection.shown(study, MOST_KERNELS)):
        values = {shape: value(selection.measurement(row)) for shape, row in rows[name].items()}
        points = {shape: interval for shape, interval in values.items() if interval}
        yield Curve(name, points, kernel_style(number))


def _baselines(study: Study) -> Iterator[Curve]:
    for subject in selection.BASELINES:
        if rows := selection.baseline(study, subject):
            points = {shape: selection.measurement(row).gflops for shape, row in rows.items()}
            yield Curve(BASELINE_NAMES[subject], points, drawing.baseline_style(subject))


def _curves(curves: Sequence[Curve], label: str, naive: float | None = None) -> Figure | None:
    """Draw the curves, and a line at the naive kernel's value where it is given."""
    if not any(len({selection.side(shape) for shape in curve.points}) > 1 for curve in curves):
        return None
    with plots.style():
        figure = Figure(figsize=CURVE_SIZE)
        axes = figure.subplots()
        if naive is not None:
            axes.axhline(naive, color=plots.INK, linewidth=1.0, linestyle="--", label=BASELINE_NAMES["naive"])
        for curve in curves:
            _add_curve(axes, curve)
        drawing.value_axis(axes.yaxis, [interval.median for curve in curves for interval in curve.points.values()])
        drawing.size_axis(axes, [shape for curve in curves for shape in curve.points])
        axes.set_ylabel(label)
        drawing.legend(axes)
    return figure


def _add_curve(axes: Axes, curve: Curve) -> None:
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
