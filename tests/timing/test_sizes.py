"""The inputs of each size are the same, whether they are drawn ahead or not; which sizes are prepared together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from grader.contract import family_draws, freivalds
from grader.model import Interface, Shape
from grader.timing import sizes
from grader.timing.sizes import Bases

INTERFACE = Interface("matmul", ("A", "B", "C", "N"))
SHAPES = (Shape(16, 16, 16), Shape(17, 33, 5), Shape(64, 64, 64))
ROOM = 1 << 30


def same(first: Bases, other: Bases) -> bool:
    pairs = [(first[family].pair, other[family].pair) for family in first]
    return first.keys() == other.keys() and all(np.array_equal(a.A, b.A) and np.array_equal(a.B, b.B) for a, b in pairs)


@pytest.mark.parametrize("room", [1, ROOM], ids=["one at a time", "together"])
def test_every_size_comes_in_order_with_its_own_inputs(room: int):
    in_turn = [size for group in sizes.in_groups(SHAPES, INTERFACE, 3, room) for size in group]
    assert [size.shape for size in in_turn] == list(SHAPES)
    assert [size.following for size in in_turn] == [*SHAPES[1:], None]
    for size in in_turn:
        assert same(size.bases(), sizes.single(size.shape, INTERFACE, seed=3).bases())


def grouped(shapes: Sequence[Shape], room: int) -> list[list[Shape]]:
    return [[size.shape for size in group] for group in sizes.in_groups(shapes, INTERFACE, 3, room)]


def test_sizes_are_prepared_together_as_far_as_they_fit():
    small, large = Shape(64, 64, 64), Shape(256, 256, 256)
    room = 2 * sizes.COPIES * 3 * 4 * 64 * 64  # for two of the small size
    assert grouped([small] * 5, room) == [[small] * 2, [small] * 2, [small]]
    assert grouped([large, small, large], room) == [[large], [small], [large]]
    assert grouped([small] * 10, ROOM) == [[small] * sizes.MOST_PREPARED, [small] * 2]
    assert grouped([], room) == []


@pytest.mark.parametrize("most", [0, family_draws.MOST_ELEMENTS], ids=["in turn", "at the same time"])
def test_every_family_has_what_was_drawn_for_it(most: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(family_draws, "MOST_ELEMENTS", most)
    drawn = family_draws.for_each_family(SHAPES[0], str.upper)
    assert drawn == {family: family.upper() for family in freivalds.families(SHAPES[0])}
