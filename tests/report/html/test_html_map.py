"""The map shows the wrong elements as rectangles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from grader.comparison.compare import parts

Mask = NDArray[np.bool_]
sides = st.integers(1, 24)


@st.composite
def masks(draw: st.DrawFn) -> Mask:
    """Matrices that are wrong in a few rectangles and stripes, at least in one element."""
    wrong = np.zeros((draw(sides), draw(sides)), np.bool_)
    starts = st.integers(0, 23)
    slices = st.builds(lambda start, length, step: slice(start, start + length, step), starts, sides, st.integers(1, 5))
    for rows, columns in draw(st.lists(st.tuples(slices, slices), min_size=1, max_size=3)):
        wrong[rows, columns] = True
    wrong[draw(st.integers(0, wrong.shape[0] - 1)), draw(st.integers(0, wrong.shape[1] - 1))] = True
    return wrong


def drawn(wrong: Mask) -> tuple[int, Mask]:
    regions, shown = parts(wrong), np.zeros_like(wrong)
    for region in regions:
        shown[region.top : region.bottom, region.left : region.right] = True
    return len(regions), shown


@given(masks())
def test_what_is_drawn_is_what_is_wrong_or_around_all_of_it(wrong: Mask):
    number, shown = drawn(wrong)
    assert not (wrong & ~shown).any()
    assert number == 1 or np.array_equal(wrong, shown)


@pytest.mark.parametrize(
    "wrong",
    [
        np.s_[:, :],
        np.s_[-1:, :],
        np.s_[-3:, :],
        np.s_[:, -1:],
        np.s_[:, -5:],
        np.s_[-4:, -7:],
        np.s_[2::3, :],
        np.s_[:, 1::2],
        np.s_[:, 3::13],
        np.s_[5:9, :],
        np.s_[:, 6:7],
        np.s_[9:, :],
        np.s_[:, 9:],
        np.s_[2:5, 6:9],
        np.s_[4:5, 9:10],
    ],
    ids=str,
)
def test_a_region_is_drawn_as_it_is(wrong: tuple[slice, slice]):
    mask = np.zeros((40, 48), np.bool_)
    mask[wrong] = True
    assert np.array_equal(drawn(mask)[1], mask)


def test_two_edges_are_drawn_as_they_are():
    wrong = np.zeros((40, 48), np.bool_)
    wrong[-2:, :] = wrong[:, -3:] = True
    assert np.array_equal(drawn(wrong)[1], wrong)
