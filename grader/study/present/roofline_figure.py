"""The roofline: what arithmetic and memory allow at an intensity, and where every measured kernel stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from grader.model import Shape
from grader.pages import plots
from grader.study.measure import roofline
from grader.study.measure.records import Roof, Study
from grader.study.present import selection
from grader.study.present.drawing import (
    BASELINE_NAMES,
    MOST_KERNELS,
    Drawing,
    baseline_style,
    kernel_style,
    legend,
    log_ticks,
    short,
)
from grader.study.present.tables import intensities
from grader.text.numbers import figures

SIZE = (7.2, 4.4)
CAPTION = (
    "A mark stands at the FLOP per byte that the kernel has when every block reads what its tile needs once. The thin "
    "line leads from there to the most that any kernel can have, each matrix moved once: caches put the truth between. "
    "cuBLAS does not tell its tile, so it stands at the most."
)
PHRASES = {"theory": "in theory", "measured": "as measured"}
MARK = 6.5  # points
MARGIN = 2.0  # of the axes beyond the outermost point, as a factor


@dataclass(frozen=True, slots=True)
class Placed:
    """A kernel on the roofline: GFLOPS at the FLOP per byte of its tile, and at most with the least traffic."""

    label: str
    gflops: float
    by_tile: float | None
    at_most: float
    look: dict[str, Any]


def draw(study: Study) -> Drawing | None:
    """All kernels at one size, with the naive kernel and cuBLAS; the bare roof where none was measured.

    None without a peak or a bandwidth.
    """
    roof, shape = study.roof, selection.compared(study)
    slopes = bandwidths(roof)
    if roof.peak_gflops is None or not slopes:
        return None
    placed = list(_placed(study, shape)) if shape else []
    ridges = [roofline.ridge(roof.peak_gflops, one) for _, one in slopes]
    known = [one.by_tile or one.at_most for one in placed] + [one.at_most for one in placed] + ridges
    left, right = min(known) / MARGIN, max(known) * MARGIN
    with plots.style():
        figure = Figure(figsize=SIZE)
        axes = figure.subplots()
        axes.set_xscale("log")
        axes.set_yscale("log")
        for (label, bandwidth), line in zip(slopes, ("-", "--"), strict=False):
            _roof(axes, roof.peak_gflops, bandwidth, (left, right), label, line)
        for one in placed:
            _point(axes, one)
        axes.annotate(f"peak {roof.peak_gflops:,.0f} GFLOPS", (right, roof.peak_gflops), (-2, 3), ha="right",
                      fontsize=8, textcoords="offset points")  # fmt: skip
        log_ticks(axes.yaxis)
        log_ticks(axes.xaxis)
        axes.xaxis.set_major_locator(LogLocator(10, (1, 2, 5) if right / left < 500 else (1, 3)))  # noqa: PLR2004
        axes.set_xlim(left, right)
        axes.set_xlabel("FLOP per byte of device memory")
        axes.set_ylabel("GFLOPS")
        legend(axes)
    title, caption = (f"Roofline at {shape}", CAPTION) if placed else ("Roofline", "")
    return Drawing("roofline", title, _words(study, placed, shape), figure, caption)


def bandwidths(roof: Roof) -> list[tuple[str, float]]:
    """GB/s in theory and as measured, each with a name, of those that are known."""
    found = [("theory", roof.bandwidth), ("measured", roof.sustained.median if roof.sustained else None)]
    return [(name, value) for name, value in found if value is not None]


def _placed(study: Study, shape: Shape) -> Iterator[Placed]:
    """Those that other figures show have their marks; of too many, the others are dots without a name."""
    rows, named = selection.measured(study), selection.shown(study, MOST_KERNELS)
    for name, found in rows.items():
        row = selection.at(found, shape)
        at_most, by_tile = intensities(row, study) if row else (None, None)
        if row and at_most:
            look = (
                kernel_style(named.index(name)) if name in named else {"color": plots.INK, "marker": ".", "alpha": 0.4}
            )
            label = short(name) if name in named else f"_{short(name)}"
            yield Placed(label, selection.timing(row).gflops.median, by_tile, at_most, {**look, "linestyle": "none"})
    for subject in ("naive", "cublas"):
        if row := selection.baseline(study, subject).get(shape):
            at_most, by_tile = intensities(row, study)
            if at_most:
                look = {**baseline_style(subject), "linestyle": "none"}
                yield Placed(BASELINE_NAMES[subject], selection.timing(row).gflops.median, by_tile, at_most, look)


def _roof(axes: Any, peak: float, bandwidth: float, span: tuple[float, float], label: str, line: str) -> None:
    corner = roofline.ridge(peak, bandwidth)
    xs = [span[0], corner, span[1]]
    ys = [roofline.bound(x, peak, bandwidth) for x in xs]
    ridge = f"ridge {figures(corner)} FLOP/byte, {figures(corner * roofline.WORD)}/word"
    words = f"{label}: {figures(bandwidth)} GB/s,\n{ridge}"
    axes.plot(xs, ys, color=plots.INK, linestyle=line, linewidth=1.3, label=words)
    axes.plot([corner], [peak], marker="|", markersize=9, color=plots.INK, linestyle="none")


def _point(axes: Any, one: Placed) -> None:
    """A mark where the tile's traffic puts it, and a thin line to where the least traffic would."""
    at = one.by_tile or one.at_most
    axes.plot([at], [one.gflops], label=one.label, markersize=MARK, **one.look)
    if one.by_tile:
        axes.plot([at, one.at_most], [one.gflops] * 2, color=one.look["color"], linewidth=0.8, alpha=0.45)
        axes.plot([one.at_most], [one.gflops], marker="|", markersize=6, color=one.look["color"], alpha=0.6)


def _words(study: Study, placed: list[Placed], shape: Shape | None) -> str:
    peak = study.roof.peak_gflops or 0.0
    ridges = [(name, value, roofline.ridge(peak, value)) for name, value in bandwidths(study.roof)]
    lines = [
        f"with the bandwidth {PHRASES[name]}, {figures(value)} GB/s, the ridge is at {figures(corner)} FLOP/byte, "
        f"{figures(corner * roofline.WORD)} operations per word"
        for name, value, corner in ridges
    ]
    points = [
        f"{one.label.removeprefix('_')} {figures(one.gflops)} GFLOPS at {figures(one.by_tile or one.at_most)} FLOP/byte"
        for one in placed
    ]
    measured = f" At {shape}: {'; '.join(points)}." if points else ""
    return f"Peak {figures(peak)} GFLOPS; {'; '.join(lines)}.{measured}"
