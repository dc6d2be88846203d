"""Every kind of criterion is a record, and whatever knows kinds agrees with the records."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model import Criterion, Interval, Shape
from grader.rubric import load
from grader.rubric.criteria import KINDS, QUANTITIES, Quantity, knots
from tests.report import examples

SHAPE = Shape(1000, 1000, 1000)


def test_the_schema_lists_every_kind() -> None:
    kind = load.schema().schema["$defs"]["criterion"]["properties"]["kind"]
    assert set(kind["enum"]) == set(KINDS)


def test_only_curves_of_that_kind_and_size_have_knots() -> None:
    one = Criterion("a", "A", "speedup", 10, (SHAPE,), ((1.0, 0.0), (3.0, 1.0)))
    others = [replace(one, kind="gflops"), replace(one, sizes=(Shape(1, 1, 1),))]
    assert knots([one, *others], "speedup", SHAPE) == (1.0, 3.0)


@pytest.mark.parametrize("quantity", QUANTITIES.values(), ids=QUANTITIES)
def test_every_speed_has_a_value_that_can_be_written(quantity: Quantity) -> None:
    report = examples.report()
    value = quantity.value(examples.measurement(), report.machine, report.rubric.interface)
    assert isinstance(value, Interval)
    assert value.low <= value.median <= value.high
    assert quantity.text.format(value.median)[0].isdigit()


@pytest.mark.parametrize("quantity", [one for one in QUANTITIES.values() if one.baseline])
def test_a_ratio_has_no_value_without_its_baseline(quantity: Quantity) -> None:
    report = examples.report()
    alone = replace(examples.measurement(), speedup=None, library_fraction=None)
    assert quantity.value(alone, report.machine, report.rubric.interface) is None
