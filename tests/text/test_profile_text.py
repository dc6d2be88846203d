"""How a profile is shown: in the terminal and on the page, beside the grader's counters and limits."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from grader.advice import profiling
from grader.advice.advise import advice
from grader.advice.devices import GPUS
from grader.cli import terminal
from grader.model import Profile, Report
from grader.report.html import page
from tests.advice.counted import ROOT, SQUARE, counted
from tests.report import examples
from tests.report.examples import LARGE

LOG = (ROOT / "tests" / "advice" / "golden" / "ncu.csv").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def profiled_report() -> Report:
    """The example's report with what was counted and measured for tiled_16."""
    counters, launch = counted(ROOT / "reference" / "tiled_16.cu", LARGE.N)
    return examples.report(
        counters=counters,
        advice=advice(counters, launch, SQUARE.interface, GPUS["h200"], examples.measurement()),
        profile=profiling.profile(LOG, LARGE, counters, "Nsight Compute 2025.3.1.0"),
    )


def in_the_terminal(report: Report) -> str:
    file = io.StringIO()
    Console(file=file, width=80, highlight=False).print(terminal.summary(report))
    assert max(map(len, file.getvalue().splitlines())) <= 80
    return " ".join(file.getvalue().split())


def on_the_page(report: Report) -> str:
    return " ".join(page.render(report).replace("µs", "us").split())


@pytest.mark.parametrize("show", [in_the_terminal, on_the_page])
def test_both_limits_are_named_beside_each_other(show: object, profiled_report: Report):
    text = in_the_terminal(profiled_report) if show is in_the_terminal else on_the_page(profiled_report)
    assert "Beside Nsight Compute" in text
    assert "takes 277.4 us by Nsight Compute 2025.3.1.0" in text
    assert "Speed of light: compute 70 %, memory 89 % of the peak." in text
    assert "Busiest: shared memory, 77 %, as by the grader." in text


def test_the_terminal_has_each_counter_with_the_difference(profiled_report: Report):
    text = in_the_terminal(profiled_report)
    assert "global load requests 4,194,304 4,194,304 +0.0 %" in text
    assert "instructions 125,009,920 143,425,536 +14.7 %" in text


def test_the_page_has_them_in_a_table(profiled_report: Report):
    cells = "".join(f'<td class="number">{cell}</td>' for cell in ("4,484,624", "4,194,304", "-6.5 %"))
    assert f'<th scope="row">shared store wavefronts</th>{cells}' in on_the_page(profiled_report)


def test_a_limit_that_differs_is_named(profiled_report: Report):
    bounds = tuple(sorted(profiled_report.advice.bounds, key=lambda bound: bound.resource != "memory"))
    other = replace(profiled_report, advice=replace(profiled_report.advice, bounds=bounds))
    assert "Busiest: shared memory, 77 %; by the grader memory." in in_the_terminal(other)


def test_an_estimate_for_another_gpu_is_not_compared(profiled_report: Report):
    assert profiled_report.advice is not None
    estimate = replace(profiled_report, advice=replace(profiled_report.advice, is_estimate=True))
    assert "Busiest: shared memory, 77 %. " in in_the_terminal(estimate)


def test_why_nothing_was_measured_is_all_that_is_shown():
    report = examples.report(profile=Profile(LARGE, profiling.NOT_ALLOWED))
    assert "NVreg_RestrictProfilingToAdminUsers=0" in in_the_terminal(report)
    assert "NVreg_RestrictProfilingToAdminUsers=0" in on_the_page(report)
    assert "profile-table" not in on_the_page(report)


def test_a_grade_without_a_profile_mentions_none():
    assert "Nsight" not in in_the_terminal(examples.report()) + on_the_page(examples.report())
