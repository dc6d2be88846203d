"""The sizes that are timed, and the inputs that all launches of a size derive from, drawn ahead for the next size."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest

from grader.contract.family_draws import for_each_family, is_small
from grader.model import Interface, Shape
from grader.timing import projecting
from grader.timing.projecting import BaseInputs

Bases = Mapping[str, BaseInputs]  # by family: what all timed launches of a size derive from


@dataclass(frozen=True, slots=True)
class Size:
    """A size to time, the size after it, and the function that returns its inputs, once they are drawn."""

    shape: Shape
    following: Shape | None
    bases: Callable[[], Bases]


def draw(shape: Shape, interface: Interface, seed: int) -> Bases:
    """Draw the inputs of all families of a size."""
    return for_each_family(shape, lambda family: projecting.base(shape, interface, seed, family))


def single(shape: Shape, interface: Interface, seed: int) -> Size:
    """A size that no other follows."""
    return Size(shape, None, cache(lambda: draw(shape, interface, seed)))


def in_order(shapes: Sequence[Shape], interface: Interface, seed: int) -> Generator[Size]:
    """Each size in turn. Its inputs and those of the next one are drawn in a thread, unless that would take memory."""
    with ThreadPoolExecutor(max_workers=1) as drawing:
        ahead: Future[Bases] | None = None
        for shape, following in zip_longest(shapes, shapes[1:]):
            drawn = ahead or drawing.submit(draw, shape, interface, seed)
            ahead = drawing.submit(draw, following, interface, seed) if following and is_small(following) else None
            yield Size(shape, following, drawn.result)
