"""The roofline: the GFLOPS that arithmetic and memory allow at an intensity, and those of every measured kernel."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from grader.model import Shape
from grader.pages import plots
from grader.study.measure import roofline
from grader.study.measure.records import Roof, Row, Study
from grader.study.present import drawing, selection
from grader.study.present.tables import intensities
from grader.text.numbers import three_digits

SIZE = (5.4, 3.4)
CAPTION = (
    "A mark is at the FLOP per byte that the kernel has when every block reads what its tile needs once. The thin "
    "line leads from there to the most that any kernel can have, with each matrix moved once; caches put the true "
    "value between the two. The tile of cuBLAS is not known, so its mark is at the most."
)
PHRASES = {"theory": "in theory", "measured": "as measured"}
MARK = 6.5  # points
MARGIN = 2.0  # of the axes beyond the outermost point, as a factor
FAR = 500  # the ratio of intensities from which on two ticks a decade are enough


@dataclass(frozen=True, slots=True)
class Placed:
    """A kernel on the roofline: GFLOPS at the FLOP per byte of its tile, and at most with the least traffic."""

    label: str
    gflops: float
    by_tile: float | None
    at_most: float
    style: drawing.Style

    @property
    def at(self) -> float:
        return self.by_tile or self.at_most


def draw(study: Study) -> drawing.Drawing | None:
    """Draw all kernels at one size, with the naive kernel and cuBLAS; only the roof where none was measured.

    None without a peak or a bandwidth.
    """
    roof, shape = study.roof, selection.compared(study)
    peak, slopes = roof.peak_gflops, bandwidths(roof)
    if peak is None or not slopes:
        return None
    placed = list(_placed(study, shape)) if shape else []
    title, caption = (f"Roofline at {shape}", CAPTION) if placed else ("Roofline", "")
    words = _words(peak, slopes, placed, shape)
    return drawing.Drawing("roofline", title, words, _figure(peak, slopes, placed), caption)


def bandwidths(roof: Roof) -> dict[str, float]:
    """Return GB/s in theory and as measured, of those that are known."""
    known = {"theory": roof.bandwidth, "measured": roof.sustained.median if roof.sustained else None}
    return {name: value for name, value in known.items() if value is not None}


def _placed(study: Study, shape: Shape) -> Iterator[Placed]:
    """Place every kernel; those that other figures show have the same marks, the others are dots without a name."""
    named = selection.shown(study, drawing.MOST_KERNELS)
    for name, rows in selection.measured(study).items():
        if name in named:
            yield from _place(study, rows.get(shape), drawing.short(name), drawing.kernel_style(named.index(name)))
        else:
            dot: drawing.Style = {"color": plots.INK, "marker": ".", "alpha": 0.4}
            yield from _place(study, rows.get(shape), f"_{drawing.short(name)}", dot)
    for subject in ("naive", "cublas"):
        row = selection.baseline(study, subject).get(shape)
        yield from _place(study, row, drawing.BASELINE_NAMES[subject], drawing.baseline_style(subject))


def _place(study: Study, row: Row | None, label: str, style: drawing.Style) -> Iterator[Placed]:
    at_most, by_tile = intensities(row, study) if row else (None, None)
    if row and at_most:
        gflops = selection.measurement(row).gflops.median
        yield Placed(label, gflops, by_tile, at_most, {**style, "linestyle": "none"})


def _figure(peak: float, slopes: dict[str, float], placed: Sequence[Placed]) -> Figure:
    ridges = [roofline.ridge(peak, bandwidth) for bandwidth in slopes.values()]
    known = [*ridges, *(kernel.at for kernel in placed), *(kernel.at_most for kernel in placed)]
    left, right = min(known) / MARGIN, max(known) * MARGIN
    with plots.style():
        figure = Figure(figsize=SIZE)
        axes = figure.subplots()
        axes.set(xscale="log", yscale="log", xlabel="FLOP per byte of device memory", ylabel="GFLOPS")
        for (label, bandwidth), line in zip(slopes.items(), ("-", "--"), strict=False):
            _roof(axes, peak, bandwidth, (left, right), label, line)
        for kernel in placed:
            _point(axes, kernel)
        axes.annotate(f"peak {peak:,.0f} GFLOPS", (right, peak), (-2, 3), ha="right", fontsize=8,
                      textcoords="offset points")  # fmt: skip
        drawing.log_ticks(axes.yaxis)
        drawing.log_ticks(axes.xaxis)
        axes.xaxis.set_major_locator(LogLocator(10, (1, 2, 5) if right / left < FAR else (1, 3)))
        axes.set_xlim(left, right)
        drawing.legend(axes)
    return figure


def _roof(axes: Axes, peak: float, bandwidth: float, span: tuple[float, float], label: str, line: str) -> None:
    corner = roofline.ridge(peak, bandwidth)
    intensity = [span[0], corner, span[1]]
    words = f"{label}: {three_digits(bandwidth)} GB/s,\nridge {three_digits(corner)} FLOP/byte"
    bounds = [roofline.bound(x, peak, bandwidth) for x in intensity]
    axes.plot(intensity, bounds, color=plots.INK, linestyle=line, linewidth=1.3, label=words)
    axes.plot([corner], [peak], marker="|", markersize=9, color=plots.INK, linestyle="none")


def _point(axes: Axes, kernel: Placed) -> None:
    """Draw a mark at the intensity of the tile's traffic, and a thin line to that of the least traffic."""
    axes.plot([kernel.at], [kernel.gflops], label=kernel.label, markersize=MARK, **kernel.style)
    if kernel.by_tile:
        colour = kernel.style["color"]
        axes.plot([kernel.at, kernel.at_most], [kernel.gflops] * 2, color=colour, linewidth=0.8, alpha=0.45)
        axes.plot([kernel.at_most], [kernel.gflops], marker="|", markersize=6, color=colour, alpha=0.6)


def _words(peak: float, slopes: dict[str, float], placed: Sequence[Placed], shape: Shape | None) -> str:
    lines = [
        f"with the bandwidth {PHRASES[name]}, {three_digits(value)} GB/s, the ridge is at {three_digits(corner)} "
        f"FLOP/byte, {three_digits(corner * roofline.WORD)} operations per word"
        for name, value in slopes.items()
        for corner in [roofline.ridge(peak, value)]
    ]
    points = [
        f"{kernel.label.removeprefix('_')} {three_digits(kernel.gflops)} GFLOPS at {three_digits(kernel.at)} FLOP/byte"
        for kernel in placed
    ]
    measured = f" At {shape}: {'; '.join(points)}." if points else ""
    return f"Peak {three_digits(peak)} GFLOPS; {'; '.join(lines)}.{measured}"
