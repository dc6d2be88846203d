"""The sizes to time, and the inputs from which all launches of a size derive. The next size is drawn early."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest

from grader.contract.freivalds import is_small
from grader.model import Interface, Shape
from grader.timing import projecting
from grader.timing.projecting import BaseInputs


@dataclass(frozen=True, slots=True)
class Size:
    """A size to time, the next size if there is one, and a function that waits for the inputs of this one."""

    shape: Shape
    following: Shape | None
    base: Callable[[], BaseInputs]


def single(shape: Shape, interface: Interface, seed: int) -> Size:
    """A size that no other follows."""
    return Size(shape, None, cache(lambda: projecting.base(shape, interface, seed)))


def in_order(shapes: Sequence[Shape], interface: Interface, seed: int) -> Generator[Size]:
    """Yield each size. A thread draws its inputs, and early those of the next size if they are small."""
    with ThreadPoolExecutor(max_workers=1) as drawing:
        ahead: Future[BaseInputs] | None = None
        for shape, following in zip_longest(shapes, shapes[1:]):
            drawn = ahead or drawing.submit(projecting.base, shape, interface, seed)
            ahead = (
                drawing.submit(projecting.base, following, interface, seed)
                if following and is_small(following)
                else None
            )
            yield Size(shape, following, drawn.result)
