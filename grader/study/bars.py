"""Time and GFLOPS side by side for the block sizes of a kernel, or for kernels, at a few sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from matplotlib.figure import Figure

from grader import plots
from grader.model import Shape
from grader.study import selection
from grader.study.drawing import MOST_KERNELS, Drawing, kernel_style, short, value_axis
from grader.study.records import Study

SIZE = (7.2, 4.6)
MOST_SIZES = 6
GROUP = 0.8  # of the distance between groups


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
    sizes = selection.a_few(sorted(known, key=selection.side), MOST_SIZES)
    with plots.style():
        figure = Figure(figsize=SIZE)
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(1, 1))
        for group, shape in enumerate(sizes):
            _line(above, group, [selection.at(rows[one], shape) for one in names])
        for number, (one, label) in enumerate(zip(names, labels, strict=True)):
            _bars(below, number, len(names), [selection.at(rows[one], shape) for shape in sizes], label)
        _finish(above, below, sizes)
    words = f"Above, GFLOPS; below, milliseconds of one product, for {', '.join(labels)} at {_listed(sizes)}."
    best = [_best(shape, names, labels, rows) for shape in sizes]
    return Drawing(name, title, f"{words} Fastest: {'; '.join(best)}.", figure)


def _place(group: int, number: int, count: int) -> float:
    return group - GROUP / 2 + (number + 0.5) * GROUP / count


def _line(axes: Any, group: int, found: Sequence[Any]) -> None:
    """A line through the variants of one size, each with its own mark."""
    places = [_place(group, number, len(found)) for number in range(len(found))]
    known = [(x, number, selection.timing(row).gflops) for number, (x, row) in enumerate(zip(places, found)) if row]  # noqa: B905
    axes.plot([x for x, _, _ in known], [one.median for _, _, one in known], color=plots.INK, linewidth=0.9, alpha=0.5)
    for x, number, one in known:
        axes.errorbar(x, one.median, [[one.median - one.low], [one.high - one.median]], **kernel_style(number))


def _bars(axes: Any, number: int, count: int, found: Sequence[Any], label: str) -> None:
    known = [(group, selection.timing(row).seconds) for group, row in enumerate(found) if row]
    places = [_place(group, number, count) for group, _ in known]
    look = kernel_style(number)
    axes.bar(places, [1e3 * one.median for _, one in known], GROUP / count * 0.92, color=look["color"], alpha=0.75)
    axes.plot(places, [1e3 * one.median for _, one in known], label=label, **{**look, "linestyle": "none"})


def _finish(above: Any, below: Any, sizes: Sequence[Shape]) -> None:
    for axes, label in ((above, "GFLOPS"), (below, "time, ms")):
        value_axis(axes.yaxis, [value for line in axes.lines for value in line.get_ydata()])
        axes.set_ylabel(label)
        axes.grid(visible=False, axis="x")
    below.set_xticks(range(len(sizes)), [str(shape).removeprefix("N=") for shape in sizes])
    below.set_xlabel("N" if all(str(shape).startswith("N=") for shape in sizes) else "M x N x K")
    handles, labels = below.get_legend_handles_labels()
    above.legend(handles, labels, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)


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
