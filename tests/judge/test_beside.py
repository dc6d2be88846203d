"""Searches for races beside a device that traces nothing: what simulator and compute-sanitizer add to the report."""

import json
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from grader import pipeline
from grader.cli.terminal import summary, verdict_only
from grader.contract.inputs import CHECKED
from grader.errors import InfrastructureError
from grader.explain.several_cases import CheckedCase
from grader.host import toolkit
from grader.host.process import Running
from grader.judge.beside import check_beside, in_order, without_search
from grader.judge.cases import cases
from grader.judge.compiling import Artifact
from grader.judge.kernel_setup import KernelSetup
from grader.model import (
    Backend,
    Build,
    Case,
    CaseResult,
    Fault,
    Interface,
    Launch,
    Limits,
    Machine,
    Purpose,
    Report,
    Shape,
    State,
    Verdict,
)
from grader.report.html.verdict import notes
from grader.sandbox.processes import Start
from tests import lab
from tests.desk import PATIENCE
from tests.launcher import conditions_of
from tests.report import examples
from tests.worker import numpy_device

TESTS = Path(__file__).parents[1]
RACE = TESTS / "submissions" / "wrong" / "parts_of_another_warp.cu"
NOT_SUPPORTED = TESTS / "ptxsim" / "kernels" / "single_bits.cu"
PROGRAMS = TESTS / "worker" / "cuda"
ALONE = lab.naive_with("__shared__ float row_[16]; row_[threadIdx.x] = A[0]; __syncthreads();")

pytestmark = pytest.mark.usefixtures("simulator")


def grade(
    source: Path, folder: Path, start: Start = numpy_device.start, *, has_sanitizer: bool = False, **words: Any
) -> Report:
    rubric = lab.write_rubric(folder, sizes=(33, 64))
    plan = replace(lab.plan(source, rubric), start=start)
    plan = replace(plan, rubric=replace(plan.rubric, **words))
    device = numpy_device.member(has_sanitizer=has_sanitizer)
    report = pipeline.grade(plan, Machine(device, "it was requested", "a test"), lambda *_: None)
    assert report.state is State.FINISHED, report.infrastructure
    return report


def searched(report: Report) -> list[CaseResult]:
    return [result for result in report.results if result.case.run == CHECKED]


def remarks(report: Report) -> list[str]:
    return [result.remark for result in report.results if result.remark]


def test_a_race_is_in_the_report_of_a_device_that_shows_none(tmp_path: Path):
    report = grade(RACE, tmp_path)
    by_family = {(result.case.run, result.verdict) for result in report.results}
    assert {verdict for run, verdict in by_family if run != CHECKED} == {Verdict.OK}
    assert (CHECKED, Verdict.DATA_RACE) in by_family
    assert [result.case for result in report.results] == list(cases(report.rubric.sizes, 1, report.machine.backend))
    assert report.score.earned == 20  # for compiling
    assert remarks(report) == []


def test_a_race_is_a_remark_where_the_rubric_says_so(tmp_path: Path):
    report = grade(RACE, tmp_path, undefined="remark")
    assert {result.verdict for result in report.results if result.case.run != CHECKED} == {Verdict.OK}
    tolerated = {result.tolerated.verdict for result in report.results if result.tolerated}
    assert tolerated == {Verdict.DATA_RACE}


def test_a_correct_kernel_is_ok_without_remarks(tmp_path: Path):
    source = tmp_path / "mine.cu"
    source.write_text(ALONE)
    report = grade(source, tmp_path)
    assert {result.verdict for result in report.results} == {Verdict.OK}
    assert remarks(report) == []


def test_what_the_simulator_cannot_run_is_a_remark_that_says_why(tmp_path: Path):
    report = grade(NOT_SUPPORTED, tmp_path)
    assert {result.verdict for result in report.results} == {Verdict.OK}
    assert searched(report) == []
    assert "were not searched for: the simulator does not support" in remarks(report)[0]
    assert any("were not searched for" in note for note in notes(report))
    console = Console(width=1000)
    with console.capture() as shown:
        console.print(verdict_only(report), summary(report))
    assert shown.get().count("not searched for") == 2
    assert report.score.earned == report.score.points


def test_a_simulator_that_does_not_start_costs_the_search_and_not_the_grade(tmp_path: Path):
    def start(box: Path, backend: Backend, limits: Limits, purpose: Purpose) -> Running:
        if backend == numpy_device.NAME:
            return numpy_device.start(box, backend, limits, purpose)
        return lab.in_place_of_a_worker(box, sys.executable, "-c", "import nothing_of_this_name")

    report = grade(RACE, tmp_path, start)
    assert {result.verdict for result in report.results} == {Verdict.OK}
    assert "nothing_of_this_name" in remarks(report)[0]


def test_a_lab_of_large_sizes_only_says_that_nothing_was_searched():
    large = Case(Shape(4096, 4096, 4096), "first", seed=1)
    results = [CheckedCase(CaseResult(case, Verdict.OK)) for case in (large, replace(large, run="second"))]
    first, second = without_search(results)
    assert first.result.remark == (
        "Data races and reads of unset memory were not searched for: every size of this lab is larger than 2100."
    )
    assert second.result.remark == ""


def test_the_device_does_not_wait_for_the_simulator():
    ended = threading.Event()
    small = Case(Shape(33, 33, 33), "first", seed=1)

    def on_device():
        yield CheckedCase(CaseResult(small, Verdict.OK))
        ended.set()

    def open_late() -> None:
        assert ended.wait(PATIENCE)
        raise InfrastructureError("It was late.")

    worker: Any = SimpleNamespace(finish_opening=open_late, running=SimpleNamespace(kill=lambda: None))
    artifact = Artifact(Build("", "", (), None, "", ()), b"")
    setup = KernelSetup(artifact, Launch((16, 16, 1), (16, 16)), conditions_of(Interface("matmul", ())))
    (only,) = check_beside(on_device(), setup, setup, [replace(small, run=CHECKED)], worker)
    assert only.result.remark == "Data races and reads of unset memory were not searched for: It was late."


@pytest.mark.parametrize(
    ("simulated", "on_device", "is_shown"),
    [
        (Verdict.CRASHED, Verdict.CRASHED, True),
        (Verdict.CRASHED, Verdict.OUT_OF_BOUNDS, True),
        (Verdict.CRASHED, Verdict.OK, False),
        (Verdict.TIMEOUT, Verdict.TIMEOUT, True),
        (Verdict.TIMEOUT, Verdict.OK, False),
        (Verdict.BARRIER, Verdict.TIMEOUT, True),
        (Verdict.BARRIER, Verdict.OK, False),  # some threads only had not reached it at the simulator's limit
    ],
)
def test_a_fault_of_the_simulator_that_the_device_confirms_is_shown_with_its_line(
    simulated: Verdict, on_device: Verdict, *, is_shown: bool
):
    small = Case(Shape(33, 33, 33), "first", seed=1)
    located = CaseResult(replace(small, run=CHECKED), simulated, fault=Fault(simulated, "It fails.", line=7))
    of_device = CaseResult(small, on_device, fault=None if on_device is Verdict.OK else Fault(on_device, "It fails."))
    cases = [CheckedCase(of_device)]
    launch = CheckedCase(located, timed_out=simulated is not Verdict.CRASHED)
    shown = [case.result for case in in_order(cases, {small.shape: launch})]
    assert (located in shown) == is_shown
    assert shown[-1].case == small


def test_a_crash_of_the_simulator_itself_does_not_hide_the_fault_of_the_device():
    small = Case(Shape(33, 33, 33), "first", seed=1)
    fault = Fault(Verdict.CRASHED, "The process crashed.")
    crashed = CheckedCase(CaseResult(replace(small, run=CHECKED), Verdict.CRASHED, fault=fault))
    on_device = CaseResult(small, Verdict.WRONG_ANSWER, fault=Fault(Verdict.WRONG_ANSWER, "It is wrong."))
    (shown,) = in_order([CheckedCase(on_device)], {small.shape: crashed})
    assert shown.result == on_device


def test_a_tolerated_fault_counts_although_c_is_wrong_on_the_simulator_only():
    small, race = Case(Shape(33, 33, 33), "first", seed=1), Fault(Verdict.DATA_RACE, "Two threads store.")
    launch = CheckedCase(replace(examples.wrong(small.shape, CHECKED), tolerated=race))
    on_device = CaseResult(small, Verdict.OK)
    (shown,) = in_order([CheckedCase(on_device)], {small.shape: launch})
    assert shown.result == replace(on_device, tolerated=race)


@pytest.fixture
def sanitized(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Report]:
    """Grade where compute-sanitizer is installed, which finds what was recorded."""
    for name in ("CUDA_ROOT", "CUDA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(PROGRAMS), prepend=":")

    def graded(source: Path = NOT_SUPPORTED, *, recorded: dict[str, str] | None = None, **words: Any) -> Report:
        monkeypatch.setenv("RECORDED", json.dumps(recorded or {}))
        return grade(source, tmp_path, has_sanitizer=True, **words)

    return graded


def test_a_correct_kernel_is_ok_and_the_report_says_what_was_not_searched_for(sanitized: Callable[..., Report]):
    results = searched(sanitized())
    assert [result.verdict for result in results] == [Verdict.OK, Verdict.OK]
    assert results[0].remark.startswith("Searched by compute-sanitizer, because the simulator does not support")
    assert "Not searched for: data races in global memory" in results[0].remark


def test_a_race_fails_in_the_first_size_and_the_second_is_left_out(sanitized: Callable[..., Report]):
    graded = sanitized(recorded={"racecheck": "race"})
    (result,) = searched(graded)
    assert (result.verdict, result.case.shape.N) == (Verdict.DATA_RACE, 33)
    assert result.fault.sentence.startswith("At N=33: line 9 reads")
    assert graded.score.earned == 20  # for compiling


def test_a_race_that_compute_sanitizer_finds_is_a_remark_where_the_rubric_says_so(sanitized: Callable[..., Report]):
    results = searched(sanitized(undefined="remark", recorded={"racecheck": "race"}))
    assert {result.verdict for result in results} == {Verdict.OK}
    assert results[0].tolerated.verdict is Verdict.DATA_RACE


def test_a_tool_that_cannot_watch_the_kernel_costs_the_search_and_not_the_grade(sanitized: Callable[..., Report]):
    graded = sanitized(recorded={"memcheck": "failed"})
    assert {result.verdict for result in graded.results} == {Verdict.OK}
    assert (searched(graded), "Unable to find injection library" in graded.results[0].remark) == ([], True)


def test_a_kernel_that_can_be_simulated_is_not_searched_twice(sanitized: Callable[..., Report]):
    result, *_ = searched(sanitized(RACE, recorded={"memcheck": "outside_a"}))
    assert result.verdict is Verdict.DATA_RACE


@pytest.mark.skipif(toolkit.find("compute-sanitizer") is not None, reason="compute-sanitizer is installed")
def test_without_compute_sanitizer_a_remark_says_so(tmp_path: Path):
    graded = grade(NOT_SUPPORTED, tmp_path, has_sanitizer=True)
    assert searched(graded) == []
    assert "were not searched for: the simulator does not support" in graded.results[0].remark
    assert "compute-sanitizer is not installed. Install it with" in graded.results[0].remark
