"""Advice accepts any counters, of odd kernels and of a worker that lies: no grade fails because of them."""

import math
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.advice.advise import advice
from grader.advice.counting import is_plausible
from grader.advice.devices import GPUS
from grader.advice.elements import elements_of, in_terms_of
from grader.model import AccessCount, Counters, Launch, LoopMix, Shape
from tests.advice.counted import rubric_of

COUNTS = st.integers(0, 2**40)
SHARES = st.floats(0, 1)
ACCESSES = st.builds(
    AccessCount, line=COUNTS, space=st.sampled_from(["global", "shared"]),
    kind=st.sampled_from(["load", "store", "atomic", "copy"]), width=st.sampled_from([1, 2, 4, 8, 16]),
    requests=st.integers(1, 2**40), sectors=COUNTS, wavefronts=COUNTS, lanes=st.floats(0.03, 32), stride=COUNTS,
    repeated=SHARES, of_fragment=st.booleans(),
)  # fmt: skip
OTHERS = ("instructions", "branches", "double", "divisions", "global_waits", "shared_waits", "barriers", "footprint",
          "spilled", "conversions", "half_conversions", "tensor")  # fmt: skip
LOOPS = st.none() | st.builds(
    LoopMix, *[COUNTS] * 11, half_conversions=COUNTS, tensor=COUNTS, double_conversions=COUNTS
)
KINDS: list[dict[str, int]] = [  # one product for so many of each
    {"multiply_adds": 1},
    {"multiply_adds": 1, "halves": 1},
    {"multiply_adds": 2, "halves": 2, "pairs": 2},
    {"tensor_products": 1},
]
LABS = ("square", "techniques_int32", "mixed_precision", "tensor_cores", "double", "half", "tf32")
LAUNCHES = st.sampled_from([Launch((16, 16, 1), (16, 16)), Launch((16, 16, 1), (64, 64)), Launch((1, 1, 1), (1, 1))])


def counters(shape: Shape, launch: Launch, accesses: tuple[AccessCount, ...], **others: Any) -> Counters:
    """Return counters of the launch; what is not given is 0."""
    numbers = {field.name: 0 for field in fields(Counters)}
    given: dict[str, Any] = {**numbers, "loop": None, **others}
    return Counters(**{**given, "shape": shape, "blocks": math.prod(launch.grid(shape)), "accesses": accesses})


@st.composite
def counted(draw: st.DrawFn) -> tuple[Counters, Launch]:
    """Return counters that are plausible for the launch."""
    launch, shape = draw(LAUNCHES), Shape(256, 256, 256)
    of_tiles = math.prod(launch.grid(shape)) * math.prod(launch.tile) * shape.K // 32
    others = {name: draw(COUNTS) for name in OTHERS}
    memory = {"registers": draw(st.integers(0, 255)), "shared_bytes": draw(st.integers(0, 2**18)), "loop": draw(LOOPS)}
    products = draw(st.sampled_from([{}, *({name: of_tiles // each for name, each in kind.items()} for kind in KINDS)]))
    accesses = tuple(draw(st.lists(ACCESSES, max_size=4)))
    return counters(shape, launch, accesses, **products, **others, **memory), launch


LIES: list[dict[str, Any]] = [
    {"repeated": math.inf}, {"repeated": -1.0}, {"lanes": math.nan}, {"lanes": 0.0}, {"sectors": -1}, {"line": -1},
]  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_impossible_accesses_are_rejected(lie: dict[str, Any]):
    access = replace(AccessCount(1, "global", "load", 4, 8, 32, 8, 32.0, 4, 0.0), **lie)
    launch = Launch((16, 16, 1), (16, 16))
    assert not is_plausible(counters(Shape(16, 16, 16), launch, (access,)), launch)


@pytest.mark.parametrize("lie", [{"halves": 1}, {"multiply_adds": 9, "halves": 8, "pairs": 9}])
def test_impossible_numbers_of_halves_are_rejected(lie: dict[str, int]):
    launch = Launch((16, 16, 1), (16, 16))
    assert not is_plausible(counters(Shape(16, 16, 16), launch, (), **lie), launch)


@given(counted(), st.sampled_from(sorted(GPUS)), st.sampled_from(LABS))
def test_counters_that_are_plausible_give_advice(both: tuple[Counters, Launch], gpu: str, lab: str):
    counters_, launch = both
    assert is_plausible(counters_, launch)
    interface = rubric_of(lab).interface
    elements = elements_of(interface)
    assert elements
    own = in_terms_of(elements, counters_)
    if own is None:
        return
    given_advice = advice(own, launch, interface, GPUS[gpu])
    assert all(math.isfinite(item.high) and 1 <= item.low <= item.high for item in given_advice.items)
