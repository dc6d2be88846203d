"""Time and GFLOPS for the block sizes of a kernel, or for kernels, at a few sizes.

Times are bars from zero where one axis shows them all so. The length of a bar would mean nothing on a logarithmic
axis, so there they are marks, like GFLOPS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from grader.model import Interval, Measurement, Shape
from grader.pages import plots
from grader.study.measure.records import Row, Study
from grader.study.present import one_size, selection
from grader.study.present.drawing import MOST_KERNELS, Drawing, is_linear, kernel_style, short, value_axis

SIZE = (7.2, 4.6)
MOST_SIZES = 6
GROUP = 0.8  # of the distance between groups

Group = Sequence[Row | None]  # the variants of one size; None where one was not measured there


def time_and_gflops(study: Study) -> Iterator[Drawing]:
    """A figure for each file of which several variants were measured; else one that compares the files."""
    files = {file: names for file, names in selection.by_file(study).items() if len(names) > 1}
    for number, (file, names) in enumerate(files.items(), 1):
        shown = names[:MOST_KERNELS]
        labels = [name.removeprefix(f"{file.removesuffix('.cu')} ") for name in shown]
        yield _drawing(study, f"variants-{number}", f"Time and GFLOPS of {file}", shown, labels)
    if not files and (names := selection.shown(study, MOST_KERNELS)):
        yield _drawing(study, "kernels", "Time and GFLOPS of each kernel", names, [short(name) for name in names])


def _drawing(study: Study, name: str, title: str, names: Sequence[str], labels: Sequence[str]) -> Drawing:
    rows = selection.measured(study)
    known = {row.shape for one in names for row in rows[one] if row.shape}
    sizes = selection.a_few(sorted(known, key=selection.side), MOST_SIZES, study.timed_sizes)
    groups = [[selection.at(rows[one], shape) for one in names] for shape in sizes]
    figure = _groups(groups, labels, sizes) if len(sizes) > 1 else _one_size(groups[0], labels, sizes[0])
    words = f"GFLOPS, and milliseconds of one product, for {', '.join(labels)} at {_listed(sizes)}."
    best = [_best(shape, names, labels, rows) for shape in sizes]
    return Drawing(name, title, f"{words} Fastest: {'; '.join(best)}.", figure)


def _one_size(found: Group, labels: Sequence[str], shape: Shape) -> Figure:
    known = [selection.timing(row) for row in found if row]
    return one_size.draw(labels, list(map(_gflops, known)), list(map(_milliseconds, known)), shape)


def _groups(groups: Sequence[Group], labels: Sequence[str], sizes: Sequence[Shape]) -> Figure:
    """GFLOPS above, milliseconds below, a group for each size."""
    times = [_milliseconds(selection.timing(row)).median for found in groups for row in found if row]
    with plots.style():
        figure = Figure(figsize=SIZE)
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(1, 1))
        for group, found in enumerate(groups):
            _marks(above, group, found, _gflops)
            if is_linear(times):
                _bars(below, group, found)
            else:
                _marks(below, group, found, _milliseconds)
        _finish(above, below, sizes)
        _legend(above, labels)
    return figure


def _place(group: int, number: int, count: int) -> float:
    return group - GROUP / 2 + (number + 0.5) * GROUP / count


def _gflops(found: Measurement) -> Interval:
    return found.gflops


def _milliseconds(found: Measurement) -> Interval:
    one = found.seconds
    return Interval(1e3 * one.median, 1e3 * one.low, 1e3 * one.high)


def _known(group: int, found: Group) -> list[tuple[float, int, Measurement]]:
    """Where each variant of a size stands, its number, and what was measured."""
    count = len(found)
    return [(_place(group, number, count), number, selection.timing(row)) for number, row in enumerate(found) if row]


def _marks(axes: Any, group: int, found: Group, value: Callable[[Measurement], Interval]) -> None:
    """A line through the variants of one size, each with its own mark."""
    known = [(x, number, value(one)) for x, number, one in _known(group, found)]
    axes.plot([x for x, _, _ in known], [one.median for _, _, one in known], color=plots.INK, linewidth=0.9, alpha=0.5)
    for x, number, one in known:
        axes.errorbar(x, one.median, [[one.median - one.low], [one.high - one.median]], **kernel_style(number))


def _bars(axes: Any, group: int, found: Group) -> None:
    """A bar for each variant of one size, with its mark on top."""
    for x, number, one in _known(group, found):
        look, value = kernel_style(number), _milliseconds(one).median
        axes.bar(x, value, GROUP / len(found) * 0.92, color=look["color"], alpha=0.75)
        axes.plot([x], [value], **{**look, "linestyle": "none"})


def _legend(axes: Any, labels: Sequence[str]) -> None:
    looks = [{**kernel_style(number), "linestyle": "none"} for number in range(len(labels))]
    marks = [Line2D([], [], label=label, **look) for label, look in zip(labels, looks, strict=True)]
    axes.legend(handles=marks, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)


def _finish(above: Any, below: Any, sizes: Sequence[Shape]) -> None:
    for axes, label in ((above, "GFLOPS"), (below, "time, ms")):
        value_axis(axes.yaxis, [value for line in axes.lines for value in line.get_ydata()])
        axes.set_ylabel(label)
        axes.grid(visible=False, axis="x")
    below.set_xticks(range(len(sizes)), [str(shape).removeprefix("N=") for shape in sizes])
    below.set_xlabel("N" if all(str(shape).startswith("N=") for shape in sizes) else "M x N x K")


def _listed(sizes: Sequence[Shape]) -> str:
    return ", ".join(map(str, sizes))


def _best(shape: Shape, names: Sequence[str], labels: Sequence[str], rows: Any) -> str:
    found = {
        label: selection.timing(row)
        for name, label in zip(names, labels, strict=True)
        if (row := selection.at(rows[name], shape))
    }
    label = max(found, key=lambda one: found[one].gflops.median)
    return f"{label} at {shape}, {found[label].gflops.median:,.0f} GFLOPS"
