"""The sizes that are timed, and the inputs that all launches of a size derive from, drawn ahead for the next sizes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import islice, zip_longest

from grader.contract.family_draws import elements, for_each_family, is_small
from grader.contract.layout import matrix_bytes
from grader.model import Interface, Shape
from grader.timing import projecting
from grader.timing.projecting import BaseInputs

MOST_PREPARED = 8  # sizes at a time, of which each takes at least twice the L2 cache on the device
MOST_ELEMENTS = 1 << 25  # of A and B of all prepared sizes, which are kept in float64 for each family
COPIES = 8  # of each matrix on the device: some sets, and the inputs of each family

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


def in_groups(shapes: Sequence[Shape], interface: Interface, seed: int, room: int) -> Generator[list[Size]]:
    """Each size in turn, in groups that can be prepared at the same time, in `room` bytes of the device.

    Their inputs are drawn in a thread, those of the next group's first size too, unless that would take much memory.
    """
    with ThreadPoolExecutor(max_workers=1) as drawing:
        in_order = _in_order(shapes, interface, seed, drawing)
        for count in _counts(shapes, interface, room):
            yield list(islice(in_order, count))


def _in_order(shapes: Sequence[Shape], interface: Interface, seed: int, drawing: ThreadPoolExecutor) -> Generator[Size]:
    ahead: Future[Bases] | None = None
    for shape, following in zip_longest(shapes, shapes[1:]):
        drawn = ahead or drawing.submit(draw, shape, interface, seed)
        ahead = drawing.submit(draw, following, interface, seed) if following and is_small(following) else None
        yield Size(shape, following, drawn.result)


def _counts(shapes: Iterable[Shape], interface: Interface, room: int) -> Generator[int]:
    """The numbers of consecutive sizes that fit together; at least one each."""
    group: list[Shape] = []
    for shape in shapes:
        if group and not _fit_together([*group, shape], interface, room):
            yield len(group)
            group = []
        group.append(shape)
    if group:
        yield len(group)


def _fit_together(shapes: Sequence[Shape], interface: Interface, room: int) -> bool:
    on_device = COPIES * sum(matrix_bytes(shape, interface) for shape in shapes)
    return len(shapes) <= MOST_PREPARED and sum(map(elements, shapes)) <= MOST_ELEMENTS and on_device <= room
