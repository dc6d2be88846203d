"""What is computed ahead is what is computed when it is needed."""

import numpy as np
import pytest

from grader.contract.freivalds import is_small
from grader.host.prefetch import Prefetch
from grader.model import Case, Interface, Shape
from grader.worker.cuda.drawing import Contents, LaunchKey, contents, that_fit

INTERFACE = Interface("matmul", ("A", "B", "C", "N"))
FIRST, SECOND, THIRD = (Case(Shape(n, n, n), "first", seed=1, launches=2) for n in (33, 65, 129))


def same(first: Contents, other: Contents) -> bool:
    return first.keys() == other.keys() and all(np.array_equal(first[name], other[name]) for name in first)


@pytest.mark.parametrize("wanted", [FIRST, SECOND])
@pytest.mark.parametrize("launch", [0, 1])
def test_what_was_begun_changes_nothing_that_is_drawn(wanted: Case, launch: int):
    prefetch = Prefetch(contents)
    prefetch.begin([LaunchKey(FIRST, INTERFACE, 0), LaunchKey(THIRD, INTERFACE, 0)])
    key = LaunchKey(wanted, INTERFACE, launch)
    assert same(prefetch.take(key), contents(key))


def test_what_was_begun_serves_once():
    prefetch, key = Prefetch(contents), LaunchKey(FIRST, INTERFACE, 0)
    prefetch.begin([key])
    prefetch.begin([key])
    begun, again = prefetch.take(key), prefetch.take(key)
    assert begun["A"] is not again["A"]
    assert same(begun, again)


@pytest.mark.parametrize("begun", [[], [1]])
def test_what_is_waited_for_is_computed_once(begun: list[int]):
    computed: list[int] = []
    prefetch = Prefetch(computed.append)
    prefetch.begin(begun)
    prefetch.wait(1)
    assert computed == [1]
    prefetch.take(1)
    assert computed == [1]


def test_what_is_begun_again_is_computed_once():
    computed: list[int] = []
    prefetch = Prefetch(computed.append)
    for following in ([1, 2], [2, 3], [3]):
        prefetch.begin(following)
        prefetch.take(following[0])
    assert sorted(computed) == [1, 2, 3]


def test_what_would_fill_the_memory_does_not_fit():
    large = Case(Shape(2048, 2048, 2048), "first", seed=1)
    assert list(that_fit([FIRST, SECOND], INTERFACE, memory_mib=64)) == [FIRST, SECOND]
    assert list(that_fit([FIRST, large, SECOND], INTERFACE, memory_mib=512)) == [FIRST]
    assert list(that_fit([large] * 3, INTERFACE, memory_mib=2048)) == [large] * 2
    assert is_small(Shape(2049, 2049, 2049))
    assert not is_small(Shape(4096, 4096, 4096))
