"""Roofs and intensities, against figures that others published."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.contract.layout import matrix_bytes
from grader.model import Interface, Launch, Shape
from grader.study.measure import roofline

FLOAT = Interface("matmul", ("A", "B", "C", "N"))
HALF = Interface("matmul", ("A", "B", "C", "N"), "float16", "float16", "float32")
lengths = st.integers(1, 5000)


def launch(columns: int, rows: int) -> Launch:
    return Launch((16, 16, 1), (columns, rows))


def test_the_ridge_of_a_t4():
    """40 multiprocessors x 64 cores x 2 x 1.5 GHz over 320 GB/s, as a course's homework works it out."""
    assert roofline.ridge(7680.0, 320.0) == 24.0
    assert roofline.ridge(7680.0, 320.0) * roofline.WORD == 96.0


def test_the_bandwidth_of_an_rtx_3070_laptop():
    assert roofline.theoretical_bandwidth(7_001_000, 256) == pytest.approx(448.06, abs=0.01)


def test_a_device_that_states_no_clock_has_no_bandwidth():
    assert roofline.theoretical_bandwidth(0, 256) is None


def test_the_roof_is_the_lower_of_memory_and_arithmetic():
    assert roofline.bound(1.0, 7680.0, 320.0) == 320.0
    assert roofline.bound(24.0, 7680.0, 320.0) == roofline.bound(1000.0, 7680.0, 320.0) == 7680.0


def test_a_square_product_has_at_most_a_sixth_of_n_flop_per_byte():
    shape = Shape(2048, 2048, 2048)
    assert roofline.intensity(shape, matrix_bytes(shape, FLOAT)) == pytest.approx(2048 / 6)


@pytest.mark.parametrize(("tile", "expected"), [(16, 4.0), (32, 8.0), (64, 16.0)])
def test_a_tile_of_t_has_a_quarter_of_t_flop_per_byte(tile: int, expected: float):
    shape = Shape(8192, 8192, 8192)
    intensity = roofline.intensity(shape, roofline.tile_traffic(shape, FLOAT, launch(tile, tile)))
    assert intensity == pytest.approx(expected, rel=0.01)


def test_half_precision_inputs_halve_their_traffic():
    shape = Shape(1024, 1024, 1024)
    assert matrix_bytes(shape, HALF) == 1024 * 1024 * (2 + 2 + 4)


@given(lengths, lengths, lengths, st.integers(1, 512), st.integers(1, 512))
def test_no_tile_needs_less_than_the_least_traffic(m: int, n: int, k: int, columns: int, rows: int):
    shape = Shape(m, n, k)
    least, tiled = matrix_bytes(shape, FLOAT), roofline.tile_traffic(shape, FLOAT, launch(columns, rows))
    assert tiled >= least
    assert roofline.tile_traffic(shape, FLOAT, launch(n, m)) == least
