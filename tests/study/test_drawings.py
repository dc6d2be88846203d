"""The figures: what is in them, and that their words do not lie on each other."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from grader import plots
from grader.model import Shape
from grader.study import bars, curves, outputs, roofline_figure, selection, sizes
from grader.study.drawing import MOST_KERNELS, Drawing
from grader.study.records import Roof, Study
from tests.study import examples

MADE = {
    "blocks": examples.blocks(),
    "ladder": examples.ladder(sizes.CURVE),
    "one size": examples.blocks(sizes=(2048,)),
    "many": examples.study(
        [examples.kernel("t.cu", {"B": str(b)}, 100.0 * b, n, 16) for b in range(1, 21) for n in (256, 512, 4096)]
    ),
}


def axes_of(drawing: Drawing) -> list[Any]:
    return list(drawing.figure.axes)


def curves_of(drawing: Drawing) -> dict[str, tuple[list[float], list[float]]]:
    lines = [line for axes in axes_of(drawing) for line in axes.lines if not str(line.get_label()).startswith("_")]
    return {str(line.get_label()): (list(line.get_xdata()), list(line.get_ydata())) for line in lines}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("blocks", ["variants-1", "gflops", "speedup", "roofline"]),
        ("ladder", ["kernels", "gflops", "speedup", "roofline"]),
        ("one size", ["variants-1", "roofline"]),
    ],
)
def test_a_study_has_the_figures_that_it_has_measurements_for(name: str, expected: list[str]):
    assert [one.name for one in outputs.drawings(MADE[name])] == expected


def test_a_study_without_speed_has_no_figure():
    assert list(outputs.drawings(examples.simulated())) == []


def test_gflops_are_drawn_at_every_size_with_blas_and_cublas():
    study = examples.ladder(sizes.CURVE)
    found = curves_of(curves.gflops_over_size(study))
    assert {"cuBLAS", "BLAS (processor)", "naive (baseline)", "warp_tiled"} <= found.keys()
    assert all(xs == pytest.approx(sorted(sizes.CURVE)) for xs, _ in found.values())
    assert found["cuBLAS"][1][0] == pytest.approx(examples.speed(examples.TOP["cublas"], 255))


def test_sizes_of_other_shapes_and_as_many_operations_are_drawn_above_each_other():
    flat, tall = Shape(4096, 64, 512), Shape(64, 4096, 512)
    kernels = [examples.kernel("t.cu", {}, 100.0 * (n + 1), n, 16) for n in (256, 512, 1024)]
    rows = [replace(row, shape=shape) for row, shape in zip(kernels, (flat, tall, Shape(64, 64, 64)), strict=True)]
    (xs, _), *_ = curves_of(curves.gflops_over_size(examples.study(rows))).values()
    assert xs == pytest.approx([64, 512, 512])


def test_speed_ups_are_those_of_the_rows():
    found = curves_of(curves.speedup_over_size(MADE["blocks"]))
    expected = [selection.timing(row).speedup.median for row in selection.measured(MADE["blocks"])["tiled BLOCK=32"]]
    assert found["tiled BLOCK=32"][1] == pytest.approx(expected)


def test_each_block_size_has_a_bar_at_each_size():
    (drawing,) = bars.time_and_gflops(MADE["blocks"])
    above, below = axes_of(drawing)
    heights = [patch.get_height() for patch in below.patches]
    assert len(heights) == 3 * len(examples.SIZES)
    row = selection.measured(MADE["blocks"])["tiled BLOCK=8"][0]
    assert heights[0] == pytest.approx(1e3 * selection.timing(row).seconds.median)
    assert [text.get_text() for text in below.get_xticklabels()] == [str(n) for n in examples.SIZES]
    assert len(above.lines) >= len(examples.SIZES)


def test_a_point_of_the_roofline_is_at_its_tiles_intensity():
    drawing = roofline_figure.draw(MADE["blocks"])
    found = curves_of(drawing)
    assert found["tiled BLOCK=16"][0] == [pytest.approx(4.0, rel=0.01)]
    assert found["cuBLAS"][0] == [pytest.approx(2048 / 6)]
    assert "13.6 FLOP/byte, 54.4 operations per word" in drawing.description
    assert "15.9 FLOP/byte, 63.6 operations per word" in drawing.description


def test_of_too_many_kernels_all_are_on_the_roofline_and_some_are_named():
    drawing = roofline_figure.draw(MADE["many"])
    marks = [line for line in drawing.figure.axes[0].lines if line.get_markersize() == roofline_figure.MARK]
    assert len(marks) == 20
    assert sum(not str(line.get_label()).startswith("_") for line in marks) == 1
    assert all(f"t B={b} " in drawing.description for b in range(1, 21))


def test_the_roofs_meet_at_the_ridge():
    found = curves_of(roofline_figure.draw(MADE["blocks"]))
    xs, ys = next(line for label, line in found.items() if label.startswith("theory"))
    assert xs[1] * examples.ROOF.bandwidth == pytest.approx(ys[1]) == pytest.approx(examples.ROOF.peak_gflops)


@pytest.mark.parametrize("roof", [Roof(), Roof(peak_gflops=1.0), Roof(bandwidth=1.0)])
def test_without_a_peak_or_a_bandwidth_there_is_no_roofline(roof: Roof):
    assert roofline_figure.draw(replace(MADE["blocks"], roof=roof)) is None


def test_a_roof_that_was_given_is_drawn_where_nothing_was_measured():
    drawing = roofline_figure.draw(replace(MADE["blocks"], rows=()))
    assert (drawing.title, drawing.caption) == ("Roofline", "")
    assert "the ridge is at 13.6 FLOP/byte" in drawing.description
    assert " At " not in drawing.description


def test_of_too_many_variants_the_best_of_each_file_is_shown():
    study = MADE["many"]
    assert len(selection.measured(study)) > MOST_KERNELS
    assert selection.shown(study, MOST_KERNELS) == ("t B=20",)


@pytest.mark.parametrize("study", MADE.values(), ids=MADE)
def test_no_two_words_lie_on_each_other(study: Study):
    for drawing in outputs.drawings(study):
        with plots.style():
            canvas = FigureCanvasAgg(drawing.figure)
            canvas.draw()
        for axes in axes_of(drawing):
            for axis in (axes.xaxis, axes.yaxis):
                labels = [one for one in axis.get_ticklabels() if one.get_visible() and one.get_text()]
                boxes = [one.get_window_extent(canvas.get_renderer()) for one in labels]
                assert not any(a.overlaps(b) for a, b in pairwise(boxes)), drawing.name
            legend = axes.get_legend()
            if legend:
                assert legend.get_window_extent().x0 >= axes.get_window_extent().x1, drawing.name


@pytest.mark.parametrize("study", MADE.values(), ids=MADE)
def test_axes_have_units_and_plain_numbers(study: Study):
    for drawing in outputs.drawings(study):
        FigureCanvasAgg(drawing.figure).draw()
        for axes in axes_of(drawing):
            assert axes.get_ylabel()
            words = [one.get_text() for axis in (axes.xaxis, axes.yaxis) for one in axis.get_ticklabels()]
            assert not any("10^" in word or "e+" in word for word in words)


def test_kernels_differ_in_their_marks_and_not_only_in_colour():
    drawing = curves.gflops_over_size(MADE["ladder"])
    marks = [line.get_marker() for axes in axes_of(drawing) for line in axes.lines]
    kernels = marks[len(selection.BASELINES) :]
    assert len(set(kernels)) == len(kernels) == 6


def test_a_baseline_is_the_middle_one_of_those_beside_the_variants():
    rows = [
        replace(row, measurement=examples.measured("cublas", speed, 256))
        for speed in (100.0, 300.0, 200.0)
        for row in examples.beside(examples.kernel("a.cu", {}, 1.0, 256, 16))
        if row.subject == "cublas"
    ]
    found = selection.baseline(examples.study(rows), "cublas")[examples.square(256)]
    assert found.measurement.gflops.median == 200.0
