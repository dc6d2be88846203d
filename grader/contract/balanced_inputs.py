"""Odd integers of either sign, so small that every sum of products is exact: all of its terms count. Pure."""

from __future__ import annotations

from math import isqrt

import numpy as np
from numpy.typing import NDArray

from grader.contract.whole_inputs import exact_sums, largest_whole
from grader.model import Interface, Shape

Integers = NDArray[np.int16]


def balanced(rng: np.random.Generator, shape: Shape, interface: Interface) -> tuple[Integers, Integers]:
    """A and B."""
    room = exact_sums(interface)
    limit = min(isqrt(room // shape.K), largest_whole(interface))
    if not limit:  # even ones are too many: float16 sums no more than 2048 of them
        return _signs(rng, (shape.M, shape.K), max(1, room), 1), _odd(rng, (shape.K, shape.N), 1)
    return _odd(rng, (shape.M, shape.K), limit), _odd(rng, (shape.K, shape.N), limit)


def _odd(rng: np.random.Generator, size: tuple[int, int], limit: int) -> Integers:
    """Odd integers of either sign, at most `limit` in magnitude."""
    half = (limit + 1) // 2
    return rng.integers(-half, half, size, np.int16) * np.int16(2) + np.int16(1)


def _signs(rng: np.random.Generator, size: tuple[int, int], terms: int, axis: int) -> Integers:
    """Values in {-1, 0, 1}, so sparse along the summed `axis` that no sum has more than so many `terms`."""
    values = rng.integers(-1, 2, size, np.int16)
    if size[axis] <= terms or int(np.count_nonzero(values, axis=axis).max()) <= terms:
        return values
    keep = rng.random(size, np.float32) < 0.9 * terms / (size[axis] * 2 / 3)
    values = np.where(keep, values, np.int16(0))
    summed = np.moveaxis(values, axis, 0)
    over = np.flatnonzero(np.count_nonzero(summed, axis=0) > terms)  # few, and mostly none
    lines = summed[:, over]
    lines[np.cumsum(lines != 0, axis=0, dtype=np.uint16) > terms] = 0  # the longest axis has 2**15
    summed[:, over] = lines
    return values
