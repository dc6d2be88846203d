"""The inputs of each size are the same, whether they are drawn ahead or not."""

from __future__ import annotations

import numpy as np
import pytest

from grader.contract import family_draws, freivalds
from grader.model import Interface, Shape
from grader.timing import sizes
from grader.timing.sizes import Bases

INTERFACE = Interface("matmul", ("A", "B", "C", "N"))
SHAPES = (Shape(16, 16, 16), Shape(17, 33, 5), Shape(64, 64, 64))


def same(first: Bases, other: Bases) -> bool:
    pairs = [(first[family].pair, other[family].pair) for family in first]
    return first.keys() == other.keys() and all(np.array_equal(a.A, b.A) and np.array_equal(a.B, b.B) for a, b in pairs)


def test_every_size_comes_in_order_with_its_own_inputs():
    in_turn = list(sizes.in_order(SHAPES, INTERFACE, seed=3))
    assert [size.shape for size in in_turn] == list(SHAPES)
    assert [size.following for size in in_turn] == [*SHAPES[1:], None]
    for size in in_turn:
        assert same(size.bases(), sizes.single(size.shape, INTERFACE, seed=3).bases())


@pytest.mark.parametrize("most", [0, family_draws.MOST_ELEMENTS], ids=["in turn", "at the same time"])
def test_every_family_has_what_was_drawn_for_it(most: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(family_draws, "MOST_ELEMENTS", most)
    drawn = family_draws.for_each_family(SHAPES[0], str.upper)
    assert drawn == {family: family.upper() for family in freivalds.families(SHAPES[0])}
