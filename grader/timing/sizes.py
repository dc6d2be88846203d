"""The sizes that are timed, and the inputs that all launches of a size derive from, drawn ahead for the next size."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

from grader.contract import freivalds
from grader.model import Interface, Shape
from grader.timing import projecting
from grader.timing.projecting import BaseInputs

MOST_ELEMENTS = 1 << 24  # of A and B together, which are kept in float64 for each family


@dataclass(frozen=True, slots=True)
class Bases:
    """The inputs of one size that all timed launches derive from, by family."""

    shape: Shape
    interface: Interface
    seed: int
    families: Mapping[str, BaseInputs]


@dataclass(frozen=True, slots=True)
class Size:
    """A size to time, the size after it, and the function that returns its inputs, drawn ahead or now."""

    shape: Shape
    following: Shape | None
    draw: Callable[[], Bases]


def draw(shape: Shape, interface: Interface, seed: int) -> Bases:
    """Draw the inputs of all families of a size."""
    families = {family: projecting.base(shape, interface, seed, family) for family in freivalds.families(shape)}
    return Bases(shape, interface, seed, families)


def single(shape: Shape, interface: Interface, seed: int) -> Size:
    """A size that no other follows."""
    return Size(shape, None, partial(draw, shape, interface, seed))


def in_order(shapes: Sequence[Shape], interface: Interface, seed: int) -> Generator[Size]:
    """Each size in turn. The inputs of the next one are drawn in a thread, unless that would take much memory."""
    with ThreadPoolExecutor(max_workers=1) as drawing:
        ahead: Callable[[], Bases] | None = None
        for shape, following in zip_longest(shapes, shapes[1:]):
            size = Size(shape, following, ahead or partial(draw, shape, interface, seed))
            ahead = drawing.submit(draw, following, interface, seed).result if following and _fits(following) else None
            yield size


def _fits(shape: Shape) -> bool:
    return shape.M * shape.K + shape.K * shape.N <= MOST_ELEMENTS
