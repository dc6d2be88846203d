"""Which types hold what a lab passes by value."""

from __future__ import annotations

import pytest

from grader.contract.layout import arguments
from grader.judge.scalar_types import holds
from grader.model import Argument, Interface, Shape
from grader.model.fields import ElementType


def argument(name: str, alpha: float, type_c: ElementType) -> tuple[Argument, Interface]:
    interface = Interface("gemm", ("A", "B", "C", "N", "alpha"), type_c=type_c, alpha=alpha)
    return next(each for each in arguments(interface, Shape(1, 1, 1)) if each.name == name), interface


@pytest.mark.parametrize(
    ("type_c", "alpha", "nbytes", "held"),
    [
        ("float16", 0.1, 2, True),
        ("float32", 0.1, 2, False),
        ("float32", -1.5, 2, True),
        ("float32", 70_000.0, 2, False),
        ("float32", 0.1, 4, True),
        ("float32", 0.1, 8, True),
        ("float64", 0.1, 4, False),
        ("float64", 0.5, 4, True),
        ("float64", 0.1, 16, False),
        ("int32", 3.0, 2, True),
        ("int32", 3.0, 1, False),
        ("int32", 3.0, 8, True),
    ],
)
def test_a_factor_is_held_exactly_or_as_exactly_as_c(type_c: ElementType, alpha: float, nbytes: int, held: bool):
    called, interface = argument("alpha", alpha, type_c)
    assert holds(called, nbytes, interface) is held


@pytest.mark.parametrize(("nbytes", "held"), [(1, False), (2, True), (4, True), (8, True), (16, False)])
def test_a_size_is_a_short_or_longer(nbytes: int, held: bool):
    assert holds(*argument("N", 1.0, "float32")[:1], nbytes, Interface("gemm", ("N",))) is held
