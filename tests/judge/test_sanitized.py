"""Kernels that the simulator does not support, on a device with compute-sanitizer: what it adds to the report."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from grader import pipeline
from grader.contract.inputs import CHECKED
from grader.host import toolkit
from grader.model import CaseResult, Machine, Report, State, Undefined, Verdict
from tests import lab
from tests.worker import numpy_device

TESTS = Path(__file__).parents[1]
PROGRAMS = TESTS / "worker" / "cuda"
NOT_SUPPORTED = TESTS / "ptxsim" / "kernels" / "single_bits.cu"
RACE = TESTS / "submissions" / "wrong" / "parts_of_another_warp.cu"

pytestmark = pytest.mark.usefixtures("simulator")


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def grade(source: Path = NOT_SUPPORTED, undefined: Undefined = "fails", **recorded: str) -> Report:
        monkeypatch.setenv("RECORDED", json.dumps(recorded))
        rubric = lab.write_rubric(tmp_path, sizes=(33, 64))
        plan = replace(lab.plan(source, rubric), start=numpy_device.start)
        plan = replace(plan, rubric=replace(plan.rubric, undefined=undefined))
        machine = Machine(numpy_device.member(has_sanitizer=True), "it was requested", "a test")
        graded = pipeline.grade(plan, machine, lambda *_: None)
        assert graded.state is State.FINISHED, graded.infrastructure
        return graded

    return grade


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CUDA_ROOT", "CUDA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(PROGRAMS), prepend=":")


def checked(report: Report) -> list[CaseResult]:
    return [result for result in report.results if result.case.run == CHECKED]


@pytest.mark.usefixtures("installed")
def test_a_correct_kernel_is_ok_and_the_report_says_what_was_not_searched_for(report):
    results = checked(report())
    assert [result.verdict for result in results] == [Verdict.OK, Verdict.OK]
    assert results[0].remark.startswith("Searched by compute-sanitizer, because the simulator does not support")
    assert "Not searched for: data races in global memory" in results[0].remark


@pytest.mark.usefixtures("installed")
def test_a_race_fails_in_the_first_size_and_the_second_is_left_out(report):
    graded = report(racecheck="race")
    (result,) = checked(graded)
    assert (result.verdict, result.case.shape.N) == (Verdict.DATA_RACE, 33)
    assert result.fault.sentence.startswith("At N=33: line 9 reads")
    assert graded.score.earned == 20  # for compiling


@pytest.mark.usefixtures("installed")
def test_a_race_is_a_remark_where_the_rubric_says_so(report):
    results = checked(report(undefined="remark", racecheck="race"))
    assert {result.verdict for result in results} == {Verdict.OK}
    assert results[0].tolerated.verdict is Verdict.DATA_RACE


@pytest.mark.usefixtures("installed")
def test_a_tool_that_cannot_watch_the_kernel_costs_the_search_and_not_the_grade(report):
    graded = report(memcheck="failed")
    assert checked(graded) == []
    assert {result.verdict for result in graded.results} == {Verdict.OK}
    assert "Unable to find injection library" in graded.results[0].remark


@pytest.mark.usefixtures("installed")
def test_a_kernel_that_can_be_simulated_is_not_searched_twice(report):
    result, *_ = checked(report(RACE, memcheck="outside_a"))
    assert result.verdict is Verdict.DATA_RACE


@pytest.mark.skipif(toolkit.find("compute-sanitizer") is not None, reason="compute-sanitizer is installed")
def test_without_compute_sanitizer_a_remark_says_so(report):
    graded = report()
    assert checked(graded) == []
    assert "were not searched for: the simulator does not support" in graded.results[0].remark
    assert "compute-sanitizer is not installed. Install it with" in graded.results[0].remark
