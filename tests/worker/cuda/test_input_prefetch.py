"""What a case uploads is the same, whether it was drawn ahead or not."""

from __future__ import annotations

import numpy as np
import pytest

from grader.model import Case, Interface, Shape
from grader.worker.cuda.input_prefetch import Drawer, Images, images

INTERFACE = Interface("matmul", ("A", "B", "C", "N"))
FIRST, SECOND = (Case(Shape(n, n, n), "wide-a", seed=1, launches=2) for n in (33, 65))


def same(one: Images, other: Images) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("wanted", [FIRST, SECOND])
@pytest.mark.parametrize("launch", [0, 1])
def test_what_was_begun_changes_nothing_that_is_drawn(wanted: Case, launch: int):
    drawer = Drawer()
    drawer.begin(FIRST, INTERFACE, memory_mib=64)
    assert same(drawer.images(wanted, INTERFACE, launch), images(wanted, INTERFACE, launch))


def test_what_was_begun_serves_once():
    drawer = Drawer()
    drawer.begin(FIRST, INTERFACE, memory_mib=64)
    begun = drawer.images(FIRST, INTERFACE, 0)
    again = drawer.images(FIRST, INTERFACE, 0)
    assert begun["A"] is not again["A"]
    assert same(begun, again)


def test_what_would_fill_the_memory_is_not_drawn_ahead():
    drawer = Drawer()
    drawer.begin(Case(Shape(2048, 2048, 2048), "wide-a", seed=1), INTERFACE, memory_mib=512)
    assert drawer._ahead == {}
