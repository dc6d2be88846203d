"""Time and GFLOPS of the block sizes of a kernel, or of several kernels, at a few sizes.

Times are bars from zero where one linear axis can show all of them. On a logarithmic axis the length of a bar would
mean nothing, so times are marks there, like GFLOPS.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator

from grader.model import Interval, Measurement, Shape
from grader.pages import plots
from grader.rubric.criteria import scaled
from grader.study.measure.records import Study
from grader.study.present import selection
from grader.study.present.drawing import MOST_KERNELS, Drawing, is_linear, kernel_style, legend, short, value_axis

SIZE = (5.4, 4.5)
MOST_SIZES = 6
GROUP = 0.8  # of the distance between groups
WIDTH = 6.8  # inches, at one size, for two plots beside each other
LINE = 0.27  # inches for each name, at one size
AROUND = 0.85  # inches for the axes, at one size
FAR = 500  # the ratio of values over which half a figure has room for powers of ten only

Group = Mapping[int, Measurement]  # the measurements at one size by the numbers of their variants
Along = Literal["x", "y"]  # the axis that shows the values


def time_and_gflops(study: Study) -> Iterator[Drawing]:
    """Yield a figure for each file of which several variants were measured, or else one that compares the files."""
    files = {file: names[:MOST_KERNELS] for file, names in selection.by_file(study).items() if len(names) > 1}
    for number, (file, names) in enumerate(files.items(), 1):
        labels = {name: name.removeprefix(f"{file.removesuffix('.cu')} ") for name in names}
        yield _drawing(study, f"variants-{number}", f"Time and GFLOPS of {file}", labels)
    if not files and (names := selection.shown(study, MOST_KERNELS)):
        yield _drawing(study, "kernels", "Time and GFLOPS of each kernel", {name: short(name) for name in names})


def _drawing(study: Study, file: str, title: str, labels: Mapping[str, str]) -> Drawing:
    """Draw the variants in `labels`, under the labels that it gives them."""
    rows, names = selection.measured(study), list(labels.values())
    known = sorted(dict.fromkeys(shape for name in labels for shape in rows[name]), key=selection.side)
    groups: dict[Shape, Group] = {
        shape: {
            number: selection.timing(rows[name][shape]) for number, name in enumerate(labels) if shape in rows[name]
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
            value_axis(axes.yaxis, [value for line in axes.lines for value in line.get_ydata()])
            axes.set_ylabel(label)
            axes.grid(visible=False, axis="x")
        below.set_xticks(range(len(groups)), [str(shape).removeprefix("N=") for shape in groups])
        below.set_xlabel("N" if all(str(shape).startswith("N=") for shape in groups) else "M x N x K")
        looks = [{**kernel_style(number), "linestyle": "none"} for number in range(len(names))]
        legend(above, handles=[Line2D([], [], label=name, **look) for name, look in zip(names, looks, strict=True)])
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
            value_axis(axes.xaxis, values)
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
