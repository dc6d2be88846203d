"""Advice for kernels with float64 matrices."""

from dataclasses import replace
from typing import Any

import pytest

from grader.advice.advise import advice
from grader.advice.devices import GPUS
from grader.advice.elements import of_doubles
from grader.model import Advice, Counters, Interface, Report
from grader.report.html.advice import totals
from tests.advice.counted import counted, planted, rubric_of
from tests.advice.test_advice import NAIVE, STEPS, loop_with
from tests.report import examples

N = 2048
TYPES: dict[str, Any] = {"type_a": "float64", "type_b": "float64", "type_c": "float64"}
LAB = examples.rubric(interface=Interface("matmul", ("A", "B", "C", "N"), **TYPES))
DOUBLES = replace(NAIVE, multiply_adds=0, double=STEPS)


def advised(kernel: str, flags: tuple[str, ...] = (), device: str = "h200") -> Advice:
    counters, launch = counted(planted(kernel), N, flags)
    return advice(counters, launch, rubric_of("double").interface, GPUS[device])


def graded(counters: Counters) -> Report:
    return examples.with_advice(examples.simulated(rubric=LAB, counters=counters))


@pytest.mark.parametrize(
    ("device", "lanes"), [("h200", 132 * 64 * 1980), ("a100", 108 * 32 * 1410), ("t4", 40 * 2 * 1590)]
)
def test_arithmetic_runs_at_the_rate_of_doubles(device: str, lanes: int):
    bounds = {bound.resource: bound.microseconds for bound in advised("no_reuse_doubles", (), device).bounds}
    assert bounds["double precision"] == pytest.approx(N**3 / lanes, rel=0.05)


@pytest.mark.parametrize("conversions", [0, 8])
def test_doubles_in_the_loop_are_no_problem_where_the_matrices_have_them(conversions: int):
    loop = loop_with(multiply_adds=0, double=4 + conversions, double_conversions=conversions)
    given = graded(replace(DOUBLES, double=3 * STEPS, conversions=2 * STEPS, loop=loop)).advice
    assert "double precision in the inner loop" not in [item.name for item in given.items]


def test_nothing_is_left_where_the_next_tile_is_copied_while_a_thread_computes():
    assert not advised("overlap_doubles", ("-DFIXED",)).items


def test_slow_units_for_doubles_leave_nothing_to_improve():
    """A T4 starts 2 multiply-adds of doubles in a cycle: even a kernel without tiles waits for nothing else."""
    given = advised("no_reuse_doubles", (), "t4")
    assert (given.items, given.bounds[0].resource) == ((), "double precision")


def test_slow_units_for_doubles_hide_the_loads_of_a_tile():
    assert [item.name for item in advised("overlap_doubles").items][:1] == ["no overlap of loads and arithmetic"]
    assert not advised("overlap_doubles", (), "t4").items


def test_an_access_of_two_doubles_is_named_by_their_type():
    changes = [item.change for item in advised("few_results_doubles", ("-DFIXED",)).items]
    assert any("one double2" in change for change in changes)


def test_a_grade_has_its_multiply_adds_on_the_page():
    assert totals(graded(DOUBLES))[0].value == "33,554,432: the product needs all"


def test_a_kernel_that_computes_in_another_type_has_no_advice():
    assert of_doubles(NAIVE) is None
    assert graded(NAIVE).advice is None


def test_reads_of_two_neighbouring_doubles_are_one():
    """The machine code of the twin has 24 LDS.128 and 80 LDS.64 for 256 multiply-adds."""
    counters, _ = counted(planted("no_reuse_doubles"), N, ("-DFIXED",))
    reads = {16: 0, 8: 0}
    for access in counters.accesses:
        if (access.space, access.kind) == ("shared", "load"):
            reads[access.width] += access.requests
    assert {width: 256 * requests / counters.multiply_adds for width, requests in reads.items()} == {16: 24, 8: 80}
