"""The inputs of each size are the same, whether they are drawn ahead or not."""

import numpy as np

from grader.model import Interface, Shape
from grader.timing import timed_sizes
from grader.timing.projecting import BaseInputs

INTERFACE = Interface("matmul", ("A", "B", "C", "N"))
SHAPES = (Shape(16, 16, 16), Shape(17, 33, 5), Shape(64, 64, 64))


def same(first: BaseInputs, other: BaseInputs) -> bool:
    return np.array_equal(first.pair.A, other.pair.A) and np.array_equal(first.pair.B, other.pair.B)


def test_every_size_comes_in_order_with_its_own_inputs():
    in_turn = list(timed_sizes.in_order(SHAPES, INTERFACE, seed=3))
    assert [size.shape for size in in_turn] == list(SHAPES)
    assert [size.following for size in in_turn] == [*SHAPES[1:], None]
    for size in in_turn:
        assert same(size.base(), timed_sizes.single(size.shape, INTERFACE, seed=3).base())
