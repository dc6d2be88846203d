"""Is the answer right? Comparisons that no tolerance can be tuned against, and where an answer is wrong. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.inputs import SIGNIFICAND, Inputs
from grader.model import Element, Image, Interface, Launch, Mismatch, Region, Shape


def expected(inputs: Inputs, interface: Interface) -> NDArray[np.float64]:
    """C in float64 (M x N). Exact for the integer families: every partial sum is an integer below 2**53."""
    product = inputs.A.astype(np.float64) @ inputs.B.astype(np.float64)
    if interface.alpha != 1.0:
        product *= interface.alpha
    if inputs.C is not None:
        product += interface.beta * inputs.C.astype(np.float64)
    return product


def rounding_bound(inputs: Inputs, interface: Interface) -> NDArray[np.float64]:
    """Largest error that any order of summation may make: gamma_K * (|A| @ |B|), M x N.

    gamma_n = n*u / (1 - n*u) with the accumulator's unit roundoff u; Higham, Accuracy and Stability of Numerical
    Algorithms, 2nd ed., (3.5) and section 3.5. Two more roundings cover alpha and beta.
    """
    terms = inputs.A.shape[1] + (0 if interface.alpha == 1.0 and inputs.C is None else 2)
    u = 2.0 ** -SIGNIFICAND[interface.type_c]
    magnitude = np.abs(inputs.A.astype(np.float64)) @ np.abs(inputs.B.astype(np.float64))
    magnitude *= abs(interface.alpha)
    if inputs.C is not None:
        magnitude += abs(interface.beta) * np.abs(inputs.C.astype(np.float64))
    return magnitude * (terms * u / (1 - terms * u))


def wrong_elements(got: NDArray[np.generic], want: NDArray[np.float64], bound: NDArray[np.float64] | None) -> NDArray[np.bool_]:
    """Which elements of C are wrong. Both comparisons are written so that NaN fails them."""
    if bound is None:
        return ~(got == want)
    return ~(np.abs(got - want) <= bound)


def error_ratio(got: NDArray[np.generic], want: NDArray[np.float64], bound: NDArray[np.float64]) -> float:
    """Largest error as a share of the bound."""
    return float(np.max(np.abs(got - want) / np.maximum(bound, np.finfo(np.float64).tiny), initial=0.0))


def ran_elements(shape: Shape, launch: Launch, blocks: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which elements of C the sampled blocks had to write (M x N)."""
    x, y, _ = launch.grid(shape)
    tiles = np.zeros((y, x), np.bool_)
    tiles[blocks // x % y, blocks % x] = True
    if launch.grid_x == "rows":
        tiles = tiles.T
    columns, rows = launch.tile
    return np.repeat(np.repeat(tiles, rows, 0), columns, 1)[: shape.M, : shape.N]


def never_written(memory: NDArray[np.generic]) -> NDArray[np.bool_]:
    """Elements that still hold the poison, bit for bit."""
    raw = memory.view(np.dtype(f"u{memory.itemsize}"))
    return raw == np.iinfo(raw.dtype).max


def guards_broken(content: NDArray[np.uint8], image: Image) -> int | None:
    """Byte offset from the matrix's start of the first guard byte that was overwritten; negative before it."""
    before = np.flatnonzero(content[: image.before] != 0xFF)
    if before.size:
        return int(before[-1]) - image.before
    after = np.flatnonzero(content[image.before + image.nbytes :] != 0xFF)
    return image.nbytes + int(after[0]) if after.size else None


def mismatch(got: NDArray[np.generic], want: NDArray[np.float64], wrong: NDArray[np.bool_], unwritten: NDArray[np.bool_]) -> Mismatch:
    """Describe the wrong elements: how many, where, the first in row order and the one farthest off."""
    rows, columns = np.nonzero(wrong)
    with np.errstate(invalid="ignore"):
        off = np.abs(got[rows, columns].astype(np.float64) - want[rows, columns])
    worst = int(np.argmax(np.where(np.isnan(off), np.inf, off)))
    region = Region(
        where=_where(rows, columns, got.shape),
        wrong=rows.size,
        total=wrong.size,
        never_written=int(np.count_nonzero(unwritten & wrong)),
        not_a_number=int(np.count_nonzero(np.isnan(got) & wrong & ~unwritten)),
    )
    return Mismatch(region, _element(got, want, rows[0], columns[0]), _element(got, want, rows[worst], columns[worst]))


def _element(got: NDArray[np.generic], want: NDArray[np.float64], row: np.intp, column: np.intp) -> Element:
    return Element(int(row), int(column), float(want[row, column]), float(got[row, column]))


def _where(rows: NDArray[np.intp], columns: NDArray[np.intp], size: tuple[int, ...]) -> str:
    """In a student's words: where the wrong elements lie."""
    M, N = size
    top, left = int(rows.min()), int(columns.min())
    last_rows, last_columns = top > M // 2, left > N // 2
    if rows.size == M * N:
        return "everywhere"
    if last_rows and last_columns:
        return f"in the bottom right corner, from row {top} and column {left} on"
    if last_rows:
        return f"in the last rows, from row {top} on"
    if last_columns:
        return f"in the last columns, from column {left} on"
    if np.all((rows >= M - M % 64) | (columns >= N - N % 64)):
        return "in the last rows and the last columns"
    if np.array_equal(rows, columns):
        return "on the diagonal"
    return "everywhere" if rows.size > 0.9 * M * N else "scattered"
