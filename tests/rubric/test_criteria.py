"""Every kind of criterion is a record, and whatever knows kinds agrees with the records."""

from dataclasses import replace
from typing import Any, get_args

import pytest

from grader.model import Criterion, Interface, Interval, Measurement, Shape
from grader.model.labs import CriterionKind
from grader.report.html.figures import figures
from grader.rubric import load
from grader.rubric.criteria import KINDS, QUANTITIES, Quantity, knots
from grader.rubric.score import score
from tests.report import examples

SHAPE = Shape(1000, 1000, 1000)


def test_the_schema_and_the_records_list_every_kind() -> None:
    schema: Any = load.schema().schema
    kind = schema["$defs"]["criterion"]["properties"]["kind"]
    assert set(kind["enum"]) == set(get_args(CriterionKind)) == set(KINDS)


def test_only_curves_of_that_kind_and_size_have_knots() -> None:
    criterion = Criterion("a", "A", "speedup", 10, (SHAPE,), ((1.0, 0.0), (3.0, 1.0)))
    others = [replace(criterion, kind="gflops"), replace(criterion, sizes=(Shape(1, 1, 1),))]
    assert knots([criterion, *others], "speedup", SHAPE) == (1.0, 3.0)


@pytest.mark.parametrize("quantity", QUANTITIES.values(), ids=QUANTITIES)
def test_every_speed_has_a_value_that_can_be_written(quantity: Quantity) -> None:
    report = examples.report()
    value = quantity.value(examples.measurement(), report.machine, report.rubric.interface)
    assert isinstance(value, Interval)
    assert value.low <= value.median <= value.high
    assert quantity.text.format(value.median)[0].isdigit()


@pytest.mark.parametrize("quantity", [quantity for quantity in QUANTITIES.values() if quantity.baseline])
def test_a_ratio_has_no_value_without_its_baseline(quantity: Quantity) -> None:
    report = examples.report()
    alone = replace(examples.measurement(), speedup=None, library_fraction=None)
    assert quantity.value(alone, report.machine, report.rubric.interface) is None


@pytest.mark.parametrize(("type_ab", "type_c", "moved"), [("float32", "float32", 12e6), ("float16", "float32", 8e6)])
def test_the_achieved_bandwidth_counts_each_matrix_once_by_its_type(type_ab: str, type_c: str, moved: float) -> None:
    seconds = Interval(2e-3, 1e-3, 4e-3)
    gflops = Interval(*(SHAPE.flops / second / 1e9 for second in (2e-3, 4e-3, 1e-3)))
    interface = Interface("matmul", ("A", "B", "C", "N"), type_ab, type_ab, type_c, padding=8)
    value = QUANTITIES["achieved-bandwidth"].value(
        Measurement(SHAPE, seconds, gflops, 7, 70), examples.report().machine, interface
    )
    assert (value.median, value.low, value.high) == pytest.approx((moved / 2e6, moved / 4e6, moved / 1e6))


def test_a_lab_scores_and_draws_the_achieved_bandwidth() -> None:
    criterion = Criterion("memory", "Memory", "achieved-bandwidth", 4.0, (examples.LARGE,), ((0.0, 0.0), (12.0, 1.0)))
    report = examples.report(rubric=examples.rubric(criteria=(criterion,)))
    (scored,) = score(report).criteria
    gbps = 3 * 4 * examples.LARGE.N**2 / examples.LARGE.flops * examples.measurement().gflops.median
    assert scored.earned == pytest.approx(4.0 * gbps / 12.0)
    assert scored.reason == f"{examples.LARGE}: {gbps:.1f} GB/s."
    assert "Achieved bandwidth" in [figure.caption for figure in figures(report)]
    assert "Achieved bandwidth" not in [figure.caption for figure in figures(examples.report())]
