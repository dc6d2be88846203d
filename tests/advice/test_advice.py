"""Limits, points, and where advice is shown, on counters small enough to know every number in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from grader.advice.advise import advised
from grader.advice.compare import SAME, changes
from grader.advice.counting import is_plausible
from grader.advice.devices import GPUS
from grader.advice.work import bounds, work
from grader.export import feedback
from grader.model import AccessCount, Counters, Interface, Launch, Report
from grader.report import json_report
from grader.report.html import page
from tests.report import examples
from tests.report.examples import LARGE

STEPS = LARGE.flops // 2 // 32  # multiply-adds of warps


def access(space: Any = "global", kind: Any = "load", **changed: Any) -> AccessCount:
    whole = AccessCount(7, space, kind, 4, 2 * STEPS, 2 * STEPS * 4, 2 * STEPS, 32.0, 4, 0.0)
    return replace(whole, **changed)


def counters(*accesses: AccessCount, **changed: Any) -> Counters:
    """Of a kernel that computes one element in each thread, in blocks of 16 x 16."""
    whole = Counters(
        shape=LARGE, blocks=64 * 64, accesses=accesses, instructions=5 * STEPS, multiply_adds=STEPS,
        branches=STEPS // 4, double=0, divisions=0, global_waits=256, shared_waits=0, barriers=0, footprint=10**6,
        loop=None, registers=32, spilled=0, shared_bytes=0,
    )  # fmt: skip
    return replace(whole, **changed)


def report(counted: Counters | None, **changed: Any) -> Report:
    return advised(examples.report(counters=counted, **changed))


NAIVE = counters(access())
UNCOALESCED = counters(access(sectors=2 * STEPS * 32, stride=4096))


def test_a_bound_is_work_over_rate():
    interface, gpu = Interface("matmul", ("A", "B", "C", "N")), GPUS["h200"]
    least = {
        bound.resource: bound.microseconds
        for bound in bounds(work(NAIVE, Launch((16, 16, 1), (16, 16)), interface, gpu), gpu)
    }
    share = -(-4096 // 132) / 4096
    assert least["arithmetic"] == pytest.approx(STEPS * share / 4 / 1980)
    assert least["L1 cache"] == pytest.approx(2 * STEPS * share / 1980)
    assert least["memory"] == pytest.approx(3 * 4 * 1024**2 / 4800e3)


def test_the_advice_names_line_evidence_factor_and_points():
    given = report(UNCOALESCED).advice
    assert given is not None
    assert not given.is_estimate
    first = given.items[0]
    assert (first.name, first.line) == ("uncoalesced loads", 7)
    assert "4,096 bytes apart: 32 sectors" in first.evidence
    assert 1 < first.low < first.high
    assert (first.points_low, first.points_high) == (20.0, 20.0), "all that are left, for either factor"


def test_without_a_measurement_the_advice_is_an_estimate_without_points():
    given = advised(examples.simulated(counters=NAIVE), "t4").advice
    assert given is not None
    assert (given.is_estimate, given.device, given.microseconds) == (True, "Tesla T4", None)
    assert [item.points_high for item in given.items] == [None] * len(given.items)


def test_there_is_no_advice_without_counters_nor_for_other_types():
    rubric = examples.rubric(interface=Interface("matmul", ("A", "B", "C", "N"), type_a="float16", type_b="float16"))
    assert report(None).advice is None
    assert report(NAIVE, rubric=rubric).advice is None


def test_counters_that_contradict_the_launch_are_not_used():
    launch = Launch((16, 16, 1), (16, 16))
    assert is_plausible(NAIVE, launch)
    assert not is_plausible(replace(NAIVE, multiply_adds=3 * STEPS // 2), launch)
    assert not is_plausible(replace(NAIVE, blocks=0), launch)
    assert not is_plausible(counters(access(requests=0)), launch)


def test_the_advice_is_in_the_json_on_the_page_and_in_the_exports():
    graded = report(UNCOALESCED)
    assert json_report.from_dict(json_report.to_dict(graded)) == graded
    assert json_report.schema().is_valid(json_report.to_dict(graded))
    shown = page.render(graded)
    assert "What limits the speed" in shown
    assert "uncoalesced loads" in shown
    assert "Uncoalesced loads (line 7)" in feedback.explanation(graded)


def test_a_comparison_says_what_changed_and_whether_the_intervals_show_it():
    before, after = report(UNCOALESCED), report(NAIVE, measurements=(examples.measurement(gflops=1000.0),))
    compared = {change.quantity: change for change in changes(before, after)}
    assert compared["us at N=1024"].verdict == "2.00 times as fast (1.96 to 2.04)"
    assert compared["global loads, sectors"].verdict == "-87.5%"
    assert (compared["first advice"].before, compared["registers"].verdict) == ("uncoalesced loads", "")
    same = {change.quantity: change for change in changes(before, before)}
    assert same["us at N=1024"].verdict == SAME
