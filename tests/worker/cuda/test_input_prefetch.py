"""What a case uploads is the same, whether it was drawn ahead or not."""

from __future__ import annotations

import numpy as np
import pytest

from grader.model import Case, Interface, Shape
from grader.worker.cuda.input_prefetch import Contents, InputPrefetch, contents

INTERFACE = Interface("matmul", ("A", "B", "C", "N"))
FIRST, SECOND = (Case(Shape(n, n, n), "wide-a", seed=1, launches=2) for n in (33, 65))


def same(one: Contents, other: Contents) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("wanted", [FIRST, SECOND])
@pytest.mark.parametrize("launch", [0, 1])
def test_what_was_begun_changes_nothing_that_is_drawn(wanted: Case, launch: int):
    prefetch = InputPrefetch()
    prefetch.begin(FIRST, INTERFACE, memory_mib=64)
    assert same(prefetch.take(wanted, INTERFACE, launch), contents(wanted, INTERFACE, launch))


def test_what_was_begun_serves_once():
    prefetch = InputPrefetch()
    prefetch.begin(FIRST, INTERFACE, memory_mib=64)
    begun = prefetch.take(FIRST, INTERFACE, 0)
    again = prefetch.take(FIRST, INTERFACE, 0)
    assert begun["A"] is not again["A"]
    assert same(begun, again)


def test_what_would_fill_the_memory_is_not_drawn_ahead():
    prefetch = InputPrefetch()
    prefetch.begin(Case(Shape(2048, 2048, 2048), "wide-a", seed=1), INTERFACE, memory_mib=512)
    assert prefetch._ahead == {}
