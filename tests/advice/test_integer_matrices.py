"""Advice for the kernels of the int32 lab, beside the times that an H200 took for them."""

import csv
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from grader.advice.advise import advice
from grader.advice.devices import GPUS
from grader.advice.elements import of_integers
from grader.model import Advice, Counters, Interface, Report
from grader.report.html.advice import totals
from grader.rubric.load import load
from tests.advice.counted import ROOT, counted_in
from tests.advice.test_advice import NAIVE, STEPS
from tests.report import examples

LAB, N = "techniques_int32", 2048
TIMES = ROOT / "docs" / "labs" / "data" / f"{LAB}.csv"
FIRST = {
    "naive_uncoalesced.cu": "uncoalesced loads",
    "naive.cu": "no reuse: every multiply-add loads from global memory",
    "tiled_16.cu": "shared-memory bound: too few results per thread",
    "tiled_32.cu": "shared-memory bound: too few results per thread",
    "register_blocked.cu": "scalar loads where 4-wide ones are possible",
}


@cache
def advised(kernel: str) -> Advice:
    counted, launch = counted_in(LAB, ROOT / "reference" / kernel, N)
    counters = of_integers(counted)
    assert counters is not None
    return advice(counters, launch, load(ROOT / "rubrics" / f"{LAB}.toml").interface, GPUS["h200"])


def microseconds(kernel: str) -> float:
    with TIMES.open(encoding="utf-8") as rows:
        return next(
            float(row["seconds_median"]) * 1e6
            for row in csv.DictReader(rows)
            if (row["subject"], row["file"], row["N"]) == ("kernel", kernel, str(N))
        )


@pytest.mark.parametrize("kernel", FIRST)
def test_no_bound_is_above_the_time_that_the_kernel_took(kernel: str):
    assert advised(kernel).bounds[0].microseconds < microseconds(kernel)


@pytest.mark.parametrize("kernel", FIRST)
def test_arithmetic_runs_at_the_integer_rate(kernel: str):
    bounds = {bound.resource: bound.microseconds for bound in advised(kernel).bounds}
    assert bounds["arithmetic"] == pytest.approx(N**3 / (132 * 64 * 1980), rel=0.05)


@pytest.mark.parametrize(("kernel", "first"), FIRST.items())
def test_the_first_advice_is_what_the_next_kernel_of_the_lab_does(kernel: str, first: str):
    assert [item.name for item in advised(kernel).items][:1] == [first]


@pytest.mark.parametrize(
    ("kernel", "faster"),
    [("naive_uncoalesced.cu", "naive.cu"), ("naive.cu", "tiled_16.cu"), ("tiled_32.cu", "register_blocked.cu")],
)
def test_the_measured_factor_of_the_next_kernel_is_in_the_estimated_range(kernel: str, faster: str):
    first = advised(kernel).items[0]
    assert first.low <= microseconds(kernel) / microseconds(faster) <= first.high


def test_wide_loads_are_named_by_the_type_of_integers():
    assert "one int4" in advised("register_blocked.cu").items[0].change


def graded(counters: Counters) -> Report:
    types: dict[str, Any] = {"type_a": "int32", "type_b": "int32", "type_c": "int32"}
    lab = examples.rubric(interface=Interface("matmul", ("A", "B", "C", "N"), **types))
    return examples.with_advice(examples.simulated(rubric=lab, counters=counters))


def test_a_grade_of_the_lab_has_advice_and_its_multiply_adds_on_the_page():
    report = graded(replace(NAIVE, multiply_adds=0, integer=2 * STEPS, integer_multiply_adds=STEPS))
    assert report.advice is not None
    assert totals(report)[0].value == "33,554,432: the product needs all"


def test_a_grade_of_a_kernel_without_the_integer_products_has_no_advice():
    assert graded(NAIVE).advice is None


def test_a_kernel_with_too_few_integer_products_has_no_counters_of_the_model():
    assert of_integers(NAIVE) is None
