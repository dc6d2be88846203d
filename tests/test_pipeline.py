"""One submission through the whole grader: when progress is reported, what costs points, and what does not."""

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader import pipeline
from grader.contract.inputs import RUNS
from grader.errors import NO_THREAD, UsageError
from grader.judge.cases import cases
from grader.judge.worker_pool import SUBMISSION
from grader.model import Backend, Machine, Report, Shape, State, Verdict
from grader.timing.baselines import GradeBaselines
from grader.timing.measuring import Measuring, Timings
from grader.worker.replay import replays, trials
from tests import lab
from tests.desk import Desk
from tests.launcher import start_here
from tests.report import examples

SINGLE_BITS = Path(__file__).parent / "ptxsim" / "kernels" / "single_bits.cu"
ENDLESS = lab.naive_with("volatile int one = 1; while (N > 33 && one) {}")


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.cu"
    path.write_text(lab.NAIVE)
    return path


def verdicts(report: Report, size: int) -> set[Verdict]:
    return {result.verdict for result in report.results if size == result.case.shape.N}


@pytest.mark.quick
def test_every_step_is_reported_before_the_next_begins(mine: Path, tmp_path: Path, simulator: Machine):
    told: list[tuple[str, Report]] = []
    plan = lab.plan(mine, lab.write_rubric(tmp_path))
    report = pipeline.grade(plan, simulator, lambda report, step: told.append((step, report)))
    steps = [step for step, _ in told]
    first, compiled = told[0][1], told[1][1]
    assert steps == ["", "compiling", *["checking"] * len(report.results), "counting", "complete"]
    assert {report_.state for _, report_ in told[:-1]} == {State.RUNNING}
    assert told[-1][1] is report
    assert (first.build, compiled.results) == (None, ())
    assert compiled.build is not None
    assert [len(report_.results) for _, report_ in told[2:-2]] == list(range(1, len(report.results) + 1))


def test_a_report_has_every_case_in_order_and_the_seconds_of_every_stage(
    mine: Path, tmp_path: Path, simulator: Machine
):
    plan = lab.plan(mine, lab.write_rubric(tmp_path, sizes=(33, 64)), start=start_here)
    report = pipeline.grade(plan, simulator, lambda *_: None)
    assert report.state is State.FINISHED
    assert [result.case for result in report.results] == list(cases(plan.sizes, 1, Backend.SIMULATOR))
    assert report.stages.keys() == {"compile", "check", "count"}
    assert all(seconds > 0 for seconds in report.stages.values())
    assert report.measurements == ()


def test_a_file_that_changes_after_it_was_read_is_graded_as_it_was_read(mine: Path, tmp_path: Path, simulator: Machine):
    read = mine.read_bytes()

    def replace_file(_: Report, step: str) -> None:
        if not step:
            mine.write_text(lab.naive_with("N += 1;"))

    report = pipeline.grade(lab.plan(mine, lab.write_rubric(tmp_path), start=start_here), simulator, replace_file)
    assert mine.read_bytes() != read
    assert report.source.sha256 == hashlib.sha256(read).hexdigest()
    assert {result.verdict for result in report.results} == {Verdict.OK}


def test_a_grader_error_is_marked_as_one_and_has_no_score(
    mine: Path, tmp_path: Path, simulator: Machine, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NVCC_CCBIN", "/no/such/compiler")
    report = lab.grade(mine, lab.write_rubric(tmp_path), simulator)
    assert report.state is State.INFRASTRUCTURE_FAULT
    assert "/no/such/compiler, which NVCC_CCBIN names, is not installed" in report.infrastructure
    assert (report.score, report.fault, report.results) == (None, None, ())


def test_a_machine_that_starts_no_threads_costs_no_points(
    mine: Path, tmp_path: Path, simulator: Machine, monkeypatch: pytest.MonkeyPatch
):
    def no_thread(_: threading.Thread) -> None:
        raise RuntimeError(NO_THREAD)

    monkeypatch.setattr(threading.Thread, "start", no_thread)
    report = lab.grade(mine, lab.write_rubric(tmp_path), simulator)
    assert (report.state, report.score) == (State.INFRASTRUCTURE_FAULT, None)
    assert "no thread can be started" in report.infrastructure


def test_a_naive_kernel_that_does_not_compile_does_not_matter_where_nothing_is_timed(
    mine: Path, tmp_path: Path, simulator: Machine
):
    plan = replace(lab.plan(mine, lab.write_rubric(tmp_path), start=start_here), naive=b"no kernel")
    assert pipeline.grade(plan, simulator, lambda *_: None).state is State.FINISHED


@pytest.mark.gpu
def test_a_naive_kernel_that_does_not_compile_is_a_grader_error(mine: Path, tmp_path: Path, gpu: Machine):
    plan = replace(lab.plan(mine, lab.write_rubric(tmp_path, sizes=(257,), timed=(257,))), naive=b"no kernel")
    report = pipeline.grade(plan, gpu, lambda *_: None)
    assert report.state is State.INFRASTRUCTURE_FAULT
    assert "naive" in report.infrastructure


def test_a_file_that_cannot_be_read_is_wrong_usage(tmp_path: Path, simulator: Machine):
    with pytest.raises(UsageError, match="no file"):
        lab.grade(tmp_path / "nowhere.cu", lab.write_rubric(tmp_path), simulator)


@pytest.mark.usefixtures("simulator")
def test_what_the_simulator_cannot_run_costs_no_points(desk: Desk):
    ended = desk.run(SINGLE_BITS)
    report = desk.report()
    assert report is not None
    assert lab.verdict(report) is Verdict.NOT_SUPPORTED
    assert ended.status == 4
    assert "GPU" in ended.stdout
    assert "which may be correct" in ended.stdout


def test_a_crash_costs_its_own_size(mine: Path, tmp_path: Path, simulator: Machine):
    mine.write_text(lab.naive_with("if (N == 64) __trap();"))
    report = lab.grade(mine, lab.write_rubric(tmp_path, sizes=(33, 64, 100)), simulator)
    assert verdicts(report, 64) == {Verdict.CRASHED}
    assert verdicts(report, 33) == verdicts(report, 100) == {Verdict.OK}
    assert report.score.earned == pytest.approx(20 + 80 * 2 / 3)


@pytest.mark.gpu
def test_a_crash_costs_its_own_size_on_the_gpu(mine: Path, tmp_path: Path, gpu: Machine):
    mine.write_text(lab.naive_with("if (N == 64) __trap();"))
    report = lab.grade(mine, lab.write_rubric(tmp_path, sizes=(33, 64, 100), timed=(100,)), gpu)
    assert verdicts(report, 64) <= {Verdict.CRASHED, Verdict.SKIPPED}
    assert verdicts(report, 33) == verdicts(report, 100) == {Verdict.OK}


def test_after_two_timeouts_the_rest_is_skipped_and_says_so(
    mine: Path, tmp_path: Path, simulator: Machine, monkeypatch: pytest.MonkeyPatch
):
    for module, name in ((replays, "SECONDS"), (trials, "SECONDS_OF_ALL")):  # what explains it is of no interest here
        monkeypatch.setattr(module, name, 0.1)
    mine.write_text(ENDLESS)
    plan = lab.plan(mine, lab.write_rubric(tmp_path, sizes=(33, 64, 100), case_seconds=0.2), start=start_here)
    report = pipeline.grade(plan, simulator, lambda *_: None)
    given = [result.verdict for result in report.results]
    assert verdicts(report, 33) == {Verdict.OK, Verdict.SKIPPED}
    assert given.count(Verdict.TIMEOUT) == 2
    assert len(given) == 3 * len(RUNS) + 3  # two sizes are checked, one is repeated
    assert "2 runs before it did not finish" in report.results[-1].fault.sentence


@pytest.mark.gpu
def test_a_correct_submission_is_measured_at_every_timed_size(mine: Path, tmp_path: Path, gpu: Machine):
    report = lab.grade(mine, lab.write_rubric(tmp_path, sizes=(33, 257, 512), timed=(257, 512)), gpu)
    assert [measurement.shape.N for measurement in report.measurements] == [257, 512]
    assert {name: len(measured) for name, measured in report.baselines.items()} == {"naive": 2, "library": 2}
    assert report.stages.keys() == {"compile", "check", "time", "count"}


def test_a_size_that_is_only_timed_waits_for_every_answer_and_another_for_its_own():
    huge = Shape(8192, 8192, 8192)
    right = examples.report(rubric=examples.rubric(timed_sizes=(examples.LARGE, huge)))
    wrong = replace(right, results=(*right.results, examples.wrong(examples.SMALL, "second")))
    for report, are in ((right, [True, True]), (wrong, [True, False])):
        assert [pipeline._is_correct(report, shape) for shape in (examples.LARGE, huge)] == are


@pytest.mark.gpu
def test_a_wrong_size_is_not_timed(mine: Path, tmp_path: Path, gpu: Machine):
    mine.write_text(lab.naive_with("if (N == 257) return;"))
    report = lab.grade(mine, lab.write_rubric(tmp_path, sizes=(257, 512), timed=(257, 512)), gpu)
    assert [measurement.shape.N for measurement in report.measurements] == [512]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many requests the submission's worker has had when its timing begins. Nothing is timed."""
    requests: list[int] = []

    def measure(measuring: Measuring, _: object) -> Iterator[Timings]:
        requests.append(measuring.workers[SUBMISSION].asked)
        return iter(())

    monkeypatch.setattr(pipeline, "workers_ahead", lambda *_: (SUBMISSION,))
    monkeypatch.setattr(pipeline, "comparison", lambda *_: GradeBaselines())
    monkeypatch.setattr(pipeline, "measure", measure)
    return requests


@pytest.mark.parametrize(("wrong_at", "checked_there"), [(0, True), (48, False)])
def test_a_kernel_is_timed_in_the_worker_that_checked_it_unless_it_failed(
    wrong_at: int, checked_there: bool, asked: list[int], mine: Path, tmp_path: Path, simulator: Machine
):
    mine.write_text(lab.naive_with(f"if (N == {wrong_at}) return;"))
    plan = lab.plan(mine, lab.write_rubric(tmp_path, (33, 48), timed=(33, 48)), start=start_here)
    report = pipeline.grade(plan, simulator, lambda *_: None)
    loading_and_opening = 2
    assert [requests > loading_and_opening for requests in asked] == [checked_there], report.infrastructure


def test_a_kernel_that_is_wrong_everywhere_is_not_timed(
    asked: list[int], mine: Path, tmp_path: Path, simulator: Machine
):
    mine.write_text(lab.naive_with("return;"))
    plan = lab.plan(mine, lab.write_rubric(tmp_path, (33, 48), timed=(33, 48)), start=start_here)
    pipeline.grade(plan, simulator, lambda *_: None)
    assert not asked
