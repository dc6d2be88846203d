from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.explain.wrong_elements.error_pattern import where


def mask(rows: int = 33, columns: int = 33) -> np.ndarray:
    return np.zeros((rows, columns), bool)


def place(*chosen: Any, size: tuple[int, int] = (33, 33)) -> str:
    wrong = mask(*size)
    for region in chosen:
        wrong[region] = True
    return where(wrong, np.ones(size, bool))


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        (np.s_[:, :], "everywhere"),
        (np.s_[-1, :], "in the last row"),
        (np.s_[-1, ::5], "in the last row"),
        (np.s_[-3:, :], "in the last 3 rows"),
        (np.s_[[23, 24, 26, 29, 32], :], "in the last 10 rows"),
        (np.s_[:, -1], "in the last column"),
        (np.s_[:, -16:], "in the last 16 columns"),
        (np.s_[-1, -1], "in the corner where the last row and the last column meet"),
        (np.s_[-5, -5], "in row 28, column 28"),
        (np.s_[-2:, -3:], "in the corner where the last 2 rows and the last 3 columns meet"),
        (np.s_[:, 1::2], "in every second column, from column 1 on"),
        (np.s_[::16, :], "in every 16th row, from row 0 on"),
        (np.s_[:, 3::3], "in every third column, from column 3 on"),
        (np.s_[0, :], "in row 0"),
        (np.s_[4:7, :], "in rows 4 to 6"),
        (np.s_[:, :2], "in columns 0 to 1"),
        (np.s_[16:, :], "in all rows from row 16 on"),
        (np.s_[:, 16:], "in all columns from column 16 on"),
        (np.s_[:16, :8], "in rows 0 to 15, columns 0 to 7"),
        (np.s_[5, 7], "in row 5, column 7"),
        (np.s_[1:20:2, 4:7], "in columns 4 to 6"),
        (np.s_[:, [0, 1, 4, 9]], "in 4 whole columns"),
        (np.s_[[1, 2, 9, 20], :], "in 4 whole rows"),
        (np.s_[:31, :32], "nearly everywhere"),
    ],
)
def test_a_place_has_its_words(chosen: object, words: str) -> None:
    assert place(chosen) == words


def test_two_edges_are_named_together() -> None:
    assert place(np.s_[-1, :], np.s_[:, -1]) == "in the last row and the last column"
    assert place(np.s_[-3:, :], np.s_[:, -2:]) == "in the last 3 rows and the last 2 columns"


def test_an_edge_is_not_named_when_more_is_wrong() -> None:
    wrong = mask()
    wrong[:31, :32] = True
    wrong[-1] = True
    assert where(wrong, np.ones((33, 33), bool)) == "nearly everywhere"


def test_no_pattern_is_scattered() -> None:
    assert place(np.s_[0, 0], np.s_[3, 30], np.s_[20, 2], np.s_[31, 31]) == "scattered"


def test_half_of_the_matrix_is_the_most_that_an_edge_has() -> None:
    assert place(np.s_[2:, :], size=(4, 4)) == "in the last 2 rows"
    assert place(np.s_[1:, :], size=(4, 4)) == "in all rows from row 1 on"


def test_everywhere_means_every_element_that_was_compared() -> None:
    looked = mask()
    looked[:8] = True
    assert where(looked.copy(), looked) == "everywhere"


@given(st.integers(1, 20), st.integers(1, 20), st.data())
def test_every_mask_has_words(rows: int, columns: int, data: st.DataObject) -> None:
    cells = data.draw(st.sets(st.integers(0, rows * columns - 1), min_size=1))
    wrong = mask(rows, columns)
    wrong.reshape(-1)[list(cells)] = True
    assert where(wrong, np.ones_like(wrong))
