"""Compare C after a launch with the exact result, element by element; no tolerance needs tuning. Pure."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from grader.comparison.error_limit import ErrorLimit, loss, shares
from grader.comparison.expectation import Expectation
from grader.contract.inputs import Inputs
from grader.contract.layout import BAND, GUARD, POISON, bits
from grader.contract.precision import SIGNIFICAND
from grader.model import Launch, Operand, Shape, WrongPart

MOST_PARTS = 24  # that a small picture can show
WIDENED_BLANK = 0xFFFFE000  # a float16 with all bits set, converted to float32

Matrix = NDArray[np.generic]
Exact = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Comparison:
    """C as a launch left it and as it should be, all M x N. Without a limit, all values must be equal.

    `start` and `left` are C in its own type before and after the launch, and `got` is `left` in float64. `looked`
    marks the elements that count: those of the blocks that ran, and all others that were written.
    """

    inputs: Inputs
    start: Matrix
    left: Matrix
    got: Exact
    want: Exact
    limit: ErrorLimit | None
    untouched: Mask
    wrong: Mask
    looked: Mask


def compare(expected: Expectation, left: Matrix, start: Matrix, ran: Mask | None = None) -> Comparison:
    """Compare C after a launch. `start` is C before it, and `ran` marks the elements that the launch had to write."""
    untouched = np.asarray(bits(left) == bits(start))
    looked = np.ones(expected.C.shape, np.bool_) if ran is None else ran | ~untouched
    got = as_float64(left)
    wrong = wrong_elements(got, expected, looked)
    return Comparison(expected.inputs, start, left, got, expected.C, expected.limit, untouched, wrong, looked)


def as_float64(elements: Matrix) -> Exact:
    """Convert to float64 without loss, except that a signalling NaN becomes a quiet one."""
    with np.errstate(invalid="ignore"):
        return np.multiply(elements, 1.0, dtype=np.float64)  # astype would keep a signalling NaN of a double


def wrong_elements(got: Exact, expected: Expectation, looked: Mask) -> Mask:
    """Which of the elements of C that count are wrong. Every comparison is written so that NaN fails it."""
    want, limit, inputs = expected.C, expected.limit, expected.inputs
    different = np.asarray(~(got == want)) & looked
    if limit is None:
        return different
    wrong = different & (inputs.exact | _beyond(limit.largest, got, want, limit))
    rounded = inputs.rounded & looked
    if not (wrong & rounded).any() and not loss(got, want, limit.scale, rounded).typical <= limit.typical:
        wrong |= _beyond(limit.typical, got, want, limit) & rounded
    return wrong


def _beyond(share: float, got: Exact, want: Exact, limit: ErrorLimit) -> Mask:
    """Mark the elements with an error above `share` of their scale (M x N)."""
    beyond = np.empty(want.shape, np.bool_)
    for rows, errors in shares(got, want, limit.scale):
        beyond[rows] = ~(errors <= share)
    return beyond


def parts(wrong: Mask) -> tuple[WrongPart, ...]:
    """Return the rectangles of wrong elements; if there are more than MOST_PARTS, one around all of them."""
    found: list[WrongPart] = []
    changes = np.flatnonzero((wrong[1:] != wrong[:-1]).any(1)) + 1
    for top, bottom in pairwise([0, *changes.tolist(), wrong.shape[0]]):
        ends = np.flatnonzero(np.diff(wrong[top], prepend=False, append=False)).tolist()
        found += (WrongPart(top, bottom, *columns) for columns in zip(ends[::2], ends[1::2], strict=True))
        if len(found) > MOST_PARTS:
            rows, columns = (np.flatnonzero(wrong.any(across)).tolist() for across in (1, 0))
            return (WrongPart(rows[0], rows[-1] + 1, columns[0], columns[-1] + 1),)
    return tuple(found)


def ran_elements(shape: Shape, launch: Launch, blocks: NDArray[np.int64]) -> Mask:
    """Mark the elements of C that these blocks have to write (M x N); none if the tiles of a launch are unknown."""
    if not launch.has_tiles:
        return np.zeros((shape.M, shape.N), np.bool_)
    x, y, _ = launch.grid(shape)
    tiles = np.zeros((y, x), np.bool_)
    tiles[blocks // x % y, blocks % x] = True
    if launch.grid_x == "rows":
        tiles = tiles.T
    columns, rows = min(launch.tile[0], shape.N), min(launch.tile[1], shape.M)  # a student may declare any tile
    return np.asarray(np.repeat(np.repeat(tiles, rows, 0), columns, 1)[: shape.M, : shape.N])


def made_of_poison(left: Matrix) -> Mask:
    """Mark elements computed from C before the launch: arithmetic makes the poison NaN quiet and keeps its payload.

    This is true on CPUs only. A GPU returns the same NaN for all operands, so the origin is unknown.
    """
    if left.dtype.kind != "f":
        return np.zeros(left.shape, np.bool_)
    quiet = 1 << (SIGNIFICAND[left.dtype.name] - 2)
    return np.asarray(bits(left) == (POISON[left.dtype.name] | quiet))


def made_of_blank(left: Matrix) -> Mask:
    """Mark elements computed from unwritten bytes: unset shared memory of a simulated block, padding, or guards.

    The bytes may have been read in C's type, or as float16 and widened to float32.
    """
    blank = np.asarray(bits(left) == np.iinfo(f"u{left.itemsize}").max)
    return blank | (bits(left) == WIDENED_BLANK) if left.dtype.name == "float32" else blank


def guards_broken(content: NDArray[np.uint8], operand: Operand) -> int | None:
    """The offset in bytes, from the matrix's start, of the nearest overwritten guard byte; None if there is none."""
    before = np.flatnonzero(content[:BAND] != GUARD)
    if before.size:
        return int(before[-1]) - BAND
    after = np.flatnonzero(content[BAND + operand.nbytes :] != GUARD)
    return operand.nbytes + int(after[0]) if after.size else None
