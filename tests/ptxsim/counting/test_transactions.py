"""Sectors, lines and wavefronts of single requests."""

import numpy as np
import pytest

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.counting.transactions import LINE, SECTOR, distinct, wavefronts

LANE = np.arange(LANES)
ALL = np.ones((1, LANES), np.bool_)


@pytest.mark.parametrize(
    ("addresses", "sectors", "lines"),
    [(LANE * 4, 4, 1), (LANE * 4 + 4, 5, 2), (LANE * 0, 1, 1), (LANE * 4096, 32, 32), (LANE * 16, 16, 4)],
)
def test_sectors_and_lines(addresses: np.ndarray, sectors: int, lines: int):
    rows = addresses[None, :]
    assert (distinct(rows, ALL, SECTOR)[0], distinct(rows, ALL, LINE)[0]) == (sectors, lines)


@pytest.mark.parametrize(
    ("width", "addresses", "expected"),
    [
        (4, LANE * 4, 1), (4, LANE * 0, 1), (4, LANE * 8, 2), (4, LANE * 128, 32), (4, LANE * 132, 1),
        (8, LANE * 8, 2), (8, LANE * 0, 1), (8, LANE // 2 * 8, 1),
        (16, LANE * 16, 4), (16, LANE * 0, 2), (16, LANE // 16 * 16, 2), (16, LANE * 128, 32),
    ],
)  # fmt: skip
def test_wavefronts(width: int, addresses: np.ndarray, expected: int):
    assert wavefronts(addresses[None, :], ALL, width)[0] == expected


def test_lanes_outside_the_mask_do_not_count():
    acts = (LANE < 8)[None, :]
    assert distinct((LANE * 4096)[None, :], acts, SECTOR)[0] == 8
    assert wavefronts((LANE * 128 + 128)[None, :], acts, 4)[0] == 8
