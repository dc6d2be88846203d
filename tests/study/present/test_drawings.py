"""The figures: what is in them, and that their words do not lie on each other."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from grader.model import Shape
from grader.pages import plots
from grader.study.measure import sizes
from grader.study.measure.records import Roof, Row, Study
from grader.study.present import outputs, roofline_figure, selection, speed_figures
from grader.study.present.drawing import MOST_KERNELS, Drawing
from tests.study import examples

MADE = {
    "blocks": examples.blocks(),
    "ladder": examples.ladder(sizes.CURVE),
    "one size": examples.blocks(sizes=(2048,)),
    "ladder at one size": examples.ladder(sizes=(8192,)),
    "far apart at one size": examples.study(
        [examples.kernel(f"{letter}.cu", {}, 10.0**power, 2048, 16) for power, letter in enumerate("abcde", 1)]
    ),
    "many": examples.study(
        [examples.kernel("t.cu", {"B": str(b)}, 100.0 * b, n, 16) for b in range(1, 21) for n in (256, 512, 4096)]
    ),
}


def axes_of(drawing: Drawing | None) -> list[Any]:
    return list(drawing.figure.axes)


def curves_of(drawing: Drawing | None) -> dict[str, tuple[list[float], list[float]]]:
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
    assert [drawing.name for drawing in outputs.drawings(MADE[name])] == expected


def test_a_study_without_speed_has_no_figure():
    assert list(outputs.drawings(examples.simulated())) == []


def test_gflops_are_drawn_at_every_size_with_blas_and_cublas():
    study = examples.ladder(sizes.CURVE)
    drawn = curves_of(speed_figures.gflops_over_size(study))
    assert {"cuBLAS", "BLAS (processor)", "naive (baseline)", "warp_tiled"} <= drawn.keys()
    assert all(xs == pytest.approx(sorted(sizes.CURVE)) for xs, _ in drawn.values())
    assert drawn["cuBLAS"][1][0] == pytest.approx(examples.speed(examples.TOP["cublas"], 255))


def test_sizes_of_other_shapes_and_as_many_operations_are_drawn_above_each_other():
    flat, tall = Shape(4096, 64, 512), Shape(64, 4096, 512)
    kernels = [examples.kernel("t.cu", {}, 100.0 * (n + 1), n, 16) for n in (256, 512, 1024)]
    rows = [replace(row, shape=shape) for row, shape in zip(kernels, (flat, tall, Shape(64, 64, 64)), strict=True)]
    (xs, _), *_ = curves_of(speed_figures.gflops_over_size(examples.study(rows))).values()
    assert xs == pytest.approx([64, 512, 512])


def test_speed_ups_are_those_of_the_rows():
    drawn = curves_of(speed_figures.speedup_over_size(MADE["blocks"]))
    rows = selection.measured(MADE["blocks"])["tiled BLOCK=32"].values()
    expected = [selection.measurement(row).speedup.median for row in rows]
    assert drawn["tiled BLOCK=32"][1] == pytest.approx(expected)


def milliseconds(row: Row) -> float:
    return 1e3 * selection.measurement(row).seconds.median


def test_each_block_size_has_a_bar_from_zero_where_the_times_are_much_alike():
    near = (1024, 1025)
    (drawing,) = speed_figures.time_and_gflops(examples.blocks(sizes=near))
    _, below = axes_of(drawing)
    rows = selection.measured(examples.blocks(sizes=near))
    expected = [milliseconds(rows[f"tiled BLOCK={block}"][examples.square(n)]) for n in near for block in (8, 16, 32)]
    assert [patch.get_height() for patch in below.patches] == pytest.approx(expected)
    assert (below.get_yscale(), below.get_ylim()[0]) == ("linear", 0)
    assert [text.get_text() for text in below.get_xticklabels()] == [str(n) for n in near]


def test_on_a_logarithmic_axis_times_are_marks_and_no_bars():
    (drawing,) = speed_figures.time_and_gflops(MADE["blocks"])
    above, below = axes_of(drawing)
    assert below.get_yscale() == "log"
    assert not below.patches
    drawn = [value for line in below.lines if len(line.get_ydata()) == 1 for value in line.get_ydata()]
    rows = selection.measured(MADE["blocks"])
    assert {*drawn} >= {milliseconds(row) for by_size in rows.values() for row in by_size.values()}
    assert [text.get_text() for text in above.get_legend().get_texts()] == ["BLOCK=8", "BLOCK=16", "BLOCK=32"]
    assert [text.get_text() for text in below.get_xticklabels()] == [str(n) for n in examples.SIZES]


def test_at_one_size_each_block_size_has_a_line_with_its_name():
    (drawing,) = speed_figures.time_and_gflops(MADE["one size"])
    left, right = axes_of(drawing)
    assert [text.get_text() for text in left.get_yticklabels()] == ["BLOCK=8", "BLOCK=16", "BLOCK=32"]
    kernels, shape = selection.measured(MADE["one size"]), examples.square(2048)
    rows = [kernels[f"tiled BLOCK={block}"][shape] for block in (8, 16, 32)]
    assert [patch.get_width() for patch in right.patches] == pytest.approx([milliseconds(row) for row in rows])
    assert left.lines[0].get_xdata() == pytest.approx([selection.measurement(row).gflops.median for row in rows])
    assert (left.get_xlabel(), right.get_xlabel()) == ("GFLOPS at N=2048", "time at N=2048, ms")


def test_at_one_size_times_on_a_logarithmic_axis_are_no_bars():
    (drawing,) = speed_figures.time_and_gflops(MADE["ladder at one size"])
    _, right = axes_of(drawing)
    assert right.get_xscale() == "log"
    assert not right.patches


def squares(*lengths: int) -> tuple[Shape, ...]:
    return tuple(map(examples.square, lengths))


def test_of_many_sizes_those_that_the_lab_times_are_shown():
    many = squares(*sizes.CURVE, 4095, 4096)
    asked = squares(256, 512, 1024, 1025, 2047, 2048)
    assert selection.a_few(many, speed_figures.MOST_SIZES, asked) == asked


def test_two_sizes_that_the_lab_times_are_shown_with_powers_of_two():
    many = squares(*sizes.CURVE)
    assert selection.a_few(many, speed_figures.MOST_SIZES, squares(1025, 8192)) == squares(256, 512, 1024, 1025, 2048)


@pytest.mark.parametrize("asked", [(), sizes.CURVE])
def test_without_a_few_that_the_lab_times_powers_of_two_are_shown(asked: tuple[int, ...]):
    many = squares(*sizes.CURVE)
    assert selection.a_few(many, speed_figures.MOST_SIZES, squares(*asked)) == squares(256, 512, 1024, 2048)


def test_the_figure_of_a_curve_keeps_the_sizes_that_the_lab_times():
    asked = (256, 1024, 1025, 2047, 2048)
    study = replace(examples.blocks(sizes=(*sizes.CURVE, 4096)), timed_sizes=squares(*asked))
    (drawing,) = speed_figures.time_and_gflops(study)
    assert [text.get_text() for text in axes_of(drawing)[1].get_xticklabels()] == [str(n) for n in asked]


def test_a_point_of_the_roofline_is_at_its_tiles_intensity():
    drawing = roofline_figure.draw(MADE["blocks"])
    drawn = curves_of(drawing)
    assert drawn["tiled BLOCK=16"][0] == [pytest.approx(4.0, rel=0.01)]
    assert drawn["cuBLAS"][0] == [pytest.approx(2048 / 6)]
    assert "13.6 FLOP/byte, 54.4 operations per word" in drawing.description
    assert "15.9 FLOP/byte, 63.6 operations per word" in drawing.description
    assert "the bandwidth in theory, 4,916 GB/s" in drawing.description
    assert "the bandwidth as measured, 4,210 GB/s" in drawing.description


def test_of_too_many_kernels_all_are_on_the_roofline_and_some_are_named():
    drawing = roofline_figure.draw(MADE["many"])
    marks = [line for line in drawing.figure.axes[0].lines if line.get_markersize() == roofline_figure.MARK]
    assert len(marks) == 20
    assert sum(not str(line.get_label()).startswith("_") for line in marks) == 1
    assert all(f"t B={b} " in drawing.description for b in range(1, 21))


def test_the_roofs_meet_at_the_ridge():
    drawn = curves_of(roofline_figure.draw(MADE["blocks"]))
    xs, ys = next(line for label, line in drawn.items() if label.startswith("theory"))
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
def test_axes_have_units_and_plain_numbers_and_no_two_words_lie_on_each_other(study: Study):
    for drawing in outputs.drawings(study):
        with plots.style():
            canvas = FigureCanvasAgg(drawing.figure)
            canvas.draw()
        for axes in axes_of(drawing):
            assert axes.get_ylabel() or axes.get_xlabel()
            for axis in (axes.xaxis, axes.yaxis):
                labels = [label for label in axis.get_ticklabels() if label.get_visible() and label.get_text()]
                assert not any("10^" in label.get_text() or "e+" in label.get_text() for label in labels)
                boxes = [label.get_window_extent(canvas.get_renderer()) for label in labels]
                assert not any(a.overlaps(b) for a, b in pairwise(boxes)), drawing.name
            legend = axes.get_legend()
            if legend:
                assert legend.get_window_extent().y0 >= axes.get_window_extent().y1, drawing.name
                assert legend.get_window_extent().x1 <= drawing.figure.bbox.x1, drawing.name
                assert axes.get_window_extent().width >= 0.8 * drawing.figure.bbox.width, drawing.name


EXPONENT = re.compile(r"\d[eE][+-]?\d")


@pytest.mark.parametrize("length", [2048, 16384])
def test_the_words_of_a_figure_have_no_exponents(length: int):
    for drawing in outputs.drawings(examples.blocks(sizes=(256, length))):
        assert not EXPONENT.search(drawing.description), drawing.name


def test_a_kernel_called_naive_is_not_taken_for_the_baseline():
    words = speed_figures.gflops_over_size(MADE["ladder"]).description
    assert " naive 5,029 GFLOPS" in words
    assert " naive (baseline) 5,029 GFLOPS" in words


def test_kernels_differ_in_their_marks_and_not_only_in_colour():
    drawing = speed_figures.gflops_over_size(MADE["ladder"])
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
    middle = selection.baseline(examples.study(rows), "cublas")[examples.square(256)]
    assert middle.measurement.gflops.median == 200.0
