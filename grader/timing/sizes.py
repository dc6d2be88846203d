"""The sizes to time, and the inputs from which all launches of a size derive. The next size is drawn early."""

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

Bases = Mapping[str, BaseInputs]  # by family: the inputs from which all timed launches of a size derive


@dataclass(frozen=True, slots=True)
class Size:
    """A size to time, the next size if there is one, and a function that waits for the inputs of this one."""

    shape: Shape
    following: Shape | None
    bases: Callable[[], Bases]


def draw(shape: Shape, interface: Interface, seed: int) -> Bases:
    """Draw the inputs of all families of a size."""
    return for_each_family(shape, lambda family: projecting.base(shape, interface, seed, family))


def single(shape: Shape, interface: Interface, seed: int) -> Size:
    """The only size of a measurement; its inputs are drawn at the first use."""
    return Size(shape, None, cache(lambda: draw(shape, interface, seed)))


def in_order(shapes: Sequence[Shape], interface: Interface, seed: int) -> Generator[Size]:
    """Yield each size. A thread draws its inputs, and early those of the next size if they are small."""
    with ThreadPoolExecutor(max_workers=1) as drawing:
        ahead: Future[Bases] | None = None
        for shape, following in zip_longest(shapes, shapes[1:]):
            drawn = ahead or drawing.submit(draw, shape, interface, seed)
            ahead = drawing.submit(draw, following, interface, seed) if following and is_small(following) else None
            yield Size(shape, following, drawn.result)
