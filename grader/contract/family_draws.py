"""Draw the inputs of all families of a size at the same time: NumPy's generators do not hold the interpreter's lock."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from grader.contract import freivalds
from grader.host import cpu_affinity
from grader.model import Shape

MOST_ELEMENTS = 1 << 24  # of A and B together; larger ones are drawn one after the other, because that takes memory

T = TypeVar("T")


def for_each_family(shape: Shape, draw: Callable[[str], T]) -> dict[str, T]:
    """Return what `draw` makes of each family that is timed at a size."""
    families = freivalds.families(shape)
    at_a_time = min(len(families), len(cpu_affinity.allowed())) if is_small(shape) else 1
    with ThreadPoolExecutor(at_a_time) as threads:
        return dict(zip(families, threads.map(draw, families), strict=True))


def is_small(shape: Shape) -> bool:
    """Whether the inputs of a size may be drawn ahead without taking much of the memory."""
    return shape.M * shape.K + shape.K * shape.N <= MOST_ELEMENTS
