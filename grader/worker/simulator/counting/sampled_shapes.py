"""The small sizes of which some blocks run, to count a launch at a large size. Pure."""

from __future__ import annotations

from grader.model import Shape

PERIOD = 128  # the two sizes differ by it, and agree with the size that counts modulo it


def sampled_shapes(shape: Shape, tile: tuple[int, int], tiles: int) -> list[Shape]:
    """Return one or two shapes to run: small, with this number of whole tiles in each direction."""
    columns, rows = tile
    is_square = shape.M == shape.N == shape.K
    if is_square:
        smaller = [_like(shape.N, tiles * max(tile)), _like(shape.N, tiles * max(tile)) + PERIOD]
        shapes = [Shape(size, size, size) for size in smaller]
    else:
        sides = min(shape.M, _like(shape.M, tiles * rows)), min(shape.N, _like(shape.N, tiles * columns))
        shapes = [Shape(*sides, _like(shape.K, PERIOD)), Shape(*sides, _like(shape.K, PERIOD) + PERIOD)]
    return shapes if shapes[-1].K < shape.K else [shape]


def _like(length: int, least: int) -> int:
    """Return the smallest length from `least` on that agrees with a length modulo PERIOD."""
    return least + (length - least) % PERIOD
