"""Which small sizes and which of their blocks run, to count a launch at a large size. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass

from grader.model import Launch, Shape

PERIOD = 128  # the two sizes differ by it, and agree with the size that counts modulo it
ROW = 32  # elements of a line of L1: rows begin in the same place of a line if lengths agree modulo it
LONGEST_PERIOD = 512
SECTOR = 8  # elements


@dataclass(frozen=True, slots=True)
class BlockClass:
    """Blocks that do about the same: those that `ran` at the small size represent `count` of them."""

    ran: tuple[int, ...]
    count: int


def period(shape: Shape, tile: tuple[int, int]) -> int:
    """Return a period in which steps of the tile's width or height fit too, so that both sizes end within a step alike.

    It is PERIOD if that would be too long.
    """
    for least in (PERIOD, ROW):
        length = math.lcm(least, *tile)
        if length <= LONGEST_PERIOD and 2 * (length + max(tile)) < shape.K:
            return length
    return PERIOD


def sampled_shapes(shape: Shape, tile: tuple[int, int], tiles: int, every: int = PERIOD) -> list[Shape]:
    """Return one or two shapes to run: small, with this number of whole tiles in each direction."""
    columns, rows = tile
    is_square = shape.M == shape.N == shape.K
    if is_square:
        smaller = _like(shape.N, tiles * max(tile), every)
        shapes = [Shape(size, size, size) for size in (smaller, smaller + every)]
    else:
        sides = min(shape.M, _like(shape.M, tiles * rows, every)), min(shape.N, _like(shape.N, tiles * columns, every))
        smaller = _like(shape.K, every, every)
        shapes = [Shape(*sides, smaller), Shape(*sides, smaller + every)]
    return shapes if shapes[-1].K < shape.K else [shape]


def _like(length: int, least: int, every: int) -> int:
    """Return the smallest length from `least` on that agrees with a length modulo `every`."""
    return least + (length - least) % every


def block_classes(launch: Launch, shape: Shape, small: Shape, tiles: int) -> list[BlockClass]:
    """Return the blocks inside C, and those at its right and lower edge that compute less than a tile."""
    (wide, high, layers), (width, height, _) = launch.grid(shape), launch.grid(small)
    columns, rows = (shape.N, small.N, launch.tile[0]), (shape.M, small.M, launch.tile[1])
    across, down = (columns, rows) if launch.grid_x == "columns" else (rows, columns)
    inside = (tiles - 1 if _are_alike(shape, launch.tile) else 0, tiles - 1)
    return [
        BlockClass(
            tuple(sorted({i + j * width for i, j in zip(x.ran, y.ran, strict=False)})), x.count * y.count * layers
        )
        for y in _classes(*down, (high, height), inside)
        for x in _classes(*across, (wide, width), inside)
    ]


def _classes(length: int, small: int, side: int, blocks: tuple[int, int], inside: tuple[int, int]) -> list[BlockClass]:
    """Return the places of blocks along one axis of the grid: those inside, and the last one if it is not whole."""
    count, ran = blocks
    rest = length % side
    if not rest or rest != small % side or ran < inside[1] + 2:
        return [BlockClass(tuple(min(place, ran - 1) for place in inside), count)]
    return [BlockClass(inside, count - 1), BlockClass((ran - 1,), 1)]


def _are_alike(shape: Shape, tile: tuple[int, int]) -> bool:
    """Whether all tiles begin at the same place of a sector, so that all do the same."""
    return all(length % SECTOR == 0 for length in (shape.N, shape.K, *tile))
