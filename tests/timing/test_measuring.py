"""Measuring: which outputs are wrong, when to stop, what is compared with what; and on a GPU, attempts to cheat."""

from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any, cast

import numpy as np
import pytest

from grader import pipeline
from grader.contract.inputs import TIMED
from grader.contract.messages import Checked
from grader.contract.timing_messages import PROJECTIONS, Prepared, TimedTransfers, Transfer
from grader.errors import InfrastructureError
from grader.explain import timed_launches
from grader.explain.finding import Asked
from grader.host import gpu_lock
from grader.host.gpu_lock import NOBODY_SHARES, GpuLock
from grader.judge.conditions import Conditions, GradePlan
from grader.judge.stages import LibraryProduct
from grader.judge.worker_pool import NAIVE, SUBMISSION
from grader.model import Criterion, Interface, Launch, Limits, Machine, Shape, State, Timing, Verdict
from grader.model.watched import DriverError, DriverFailed
from grader.sandbox.client import Worker
from grader.timing import measuring, rounds, statistics
from grader.timing.measuring import Measuring
from grader.timing.rounds import FailedWhenTimedError, Samples
from tests import corpus, lab
from tests.host.gpu_waits import may_check
from tests.report import examples

SHAPE = Shape(48, 32, 40)
FLOAT32 = Interface("matmul", ("A", "B", "C", "N"))
MACHINE = examples.report().machine
HOSTILE = Path(__file__).parents[1] / "submissions" / "hostile"


@pytest.mark.parametrize(("launches", "left"), [(4, 3), (4, 0), (0, 0), (-1, 4)])
def test_a_launch_without_a_projection_is_not_passed_over(launches: int, left: int, tmp_path: Path):
    np.zeros(left * SHAPE.M).tofile(tmp_path / PROJECTIONS)
    with pytest.raises(InfrastructureError, match="A round wrote"):
        rounds._projections(tmp_path, launches, SHAPE)


class Answers:
    """A worker that gives prepared answers."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def open_beside(self, _gpu: GpuLock) -> None:
        pass

    def finish_opening(self) -> None:
        pass

    def install(self, _files: object) -> None:
        pass

    def ask(self, _request: object, _seconds: float) -> Any:
        return self.answer


ASKED = Asked(Interface("matmul", ("A", "B", "C", "N")), Shape(1, 1, 1), Limits())


def answers(answer: Any) -> Worker:
    return cast(Worker, Answers(answer))


def test_of_the_products_with_copies_the_one_with_the_median_total_is_reported():
    products = Transfer(3, 3, 3), Transfer(1, 2, 3), Transfer(9, 9, 9)
    assert measuring._product_with_copies(answers(TimedTransfers(products)), ASKED) == Transfer(3, 3, 3)
    with pytest.raises(InfrastructureError, match="transfers"):
        measuring._product_with_copies(answers(Prepared(1)), ASKED)
    with pytest.raises(InfrastructureError, match="transfers"):
        measuring._product_with_copies(answers(TimedTransfers(())), ASKED)


def samples(**seconds: list[float]) -> dict[str, Samples]:
    return {name: Samples(values, 10) for name, values in seconds.items()}


def test_ratios_are_taken_round_by_round():
    """A round in which everything is twice as slow changes no ratio."""
    mine, slow = [1.0, 1.0, 2.0, 1.0], [4.0, 4.0, 8.0, 4.0]
    taken = samples(submission=mine, naive=slow, library=mine)
    measurements = {name: statistics.measurement_of(name, SHAPE, taken) for name in taken}
    assert measurements[SUBMISSION].speedup.low == measurements[SUBMISSION].speedup.high == 4
    assert measurements[SUBMISSION].library_fraction.median == 1
    assert measurements[NAIVE].speedup.median == 1
    assert measurements[NAIVE].library_fraction.median == 0.25
    assert measurements[SUBMISSION].gflops.median == pytest.approx(SHAPE.flops / 1e9)
    assert measurements[SUBMISSION].rounds == 4


def test_without_baselines_there_are_no_ratios():
    measurement = statistics.measurement_of(SUBMISSION, SHAPE, samples(submission=[1.0, 1.0]))
    assert (measurement.speedup, measurement.library_fraction) == (None, None)


@pytest.mark.parametrize(
    ("naive", "enough"), [([4.0] * 9, True), ([2.0, 6.0] * 4 + [4.0], False), ([3.0, 3.001, 2.999] * 3, False)]
)
def test_measuring_goes_on_while_a_ratio_is_wide_or_has_a_knot_of_the_curve_inside(naive: list[float], enough: bool):
    rubric = examples.rubric(timing=Timing(seconds_per_size=60, relative_width=0.01))  # its curve has a knot at 3
    taken = samples(submission=[1.0] * 9, naive=naive)
    assert statistics.precise_enough(rubric, examples.LARGE, taken, 9, 1.0, MACHINE) is enough


@pytest.mark.parametrize(("knot", "enough"), [(0.5, False), (0.6, True)])
def test_measuring_goes_on_while_a_knot_lies_inside_the_interval_of_the_share_of_the_peak(knot: float, enough: bool):
    curve = ((0.0, 0.0), (knot, 1.0))
    criterion = Criterion("peak", "Fraction of the peak", "peak-fraction", 10.0, (examples.LARGE,), curve)
    rubric = examples.rubric(criteria=(criterion,), timing=Timing(seconds_per_size=60, relative_width=0.01))
    taken = samples(submission=[0.999, 1.0, 1.001] * 3)
    machine = replace(MACHINE, peak_gflops=2 * examples.LARGE.flops / 1e9)
    assert statistics.precise_enough(rubric, examples.LARGE, taken, 9, 1.0, machine) is enough


def test_rounds_of_the_submission_need_not_narrow_the_interval_of_a_kept_baseline():
    rubric = examples.rubric(timing=Timing(seconds_per_size=60, relative_width=0.01))
    mine, wide = samples(submission=[1.0] * 9), Samples([2.0, 4.0, 6.0] * 10, 10, kept=True)
    assert statistics.precise_enough(
        rubric, examples.LARGE, {**mine, NAIVE: statistics.as_constant(wide)}, 9, 1.0, MACHINE
    )
    assert not statistics.precise_enough(rubric, examples.LARGE, {**mine, NAIVE: wide}, 9, 1.0, MACHINE)
    assert statistics.measurement_of(SUBMISSION, SHAPE, {**mine, NAIVE: wide}).speedup.high == 6


def test_a_spent_budget_ends_measuring():
    rubric = examples.rubric(timing=Timing(seconds_per_size=0.5))
    taken = samples(submission=[1.0] * 9, naive=[2.0, 6.0] * 4 + [4.0])
    assert statistics.precise_enough(rubric, examples.LARGE, taken, 9, 0.6, MACHINE)


def of_submission(worker: Worker, gpu: GpuLock = NOBODY_SHARES) -> Measuring:
    subjects = [LibraryProduct(SUBMISSION, Launch((1, 1, 1), (1, 1)))]
    return Measuring(Conditions(examples.rubric(), MACHINE, 1, gpu=gpu), subjects, {SUBMISSION: worker})


def test_others_may_check_while_sizes_are_prepared_but_not_while_they_are_timed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(gpu_lock, "FOLDER", tmp_path)
    seen: list[bool] = []

    def look(*_: object) -> float:
        seen.append(may_check(GpuLock("gpu")))
        return 0.0

    for step in ("prepare", "take_rounds"):
        monkeypatch.setattr(measuring, step, look)
    failed = answers(Checked(DriverFailed(DriverError.OTHER, "It crashed.")))  # when the transfers are timed
    list(measuring.measure(of_submission(failed, GpuLock("gpu")), [SHAPE, SHAPE]))
    assert seen == [True, False, True, False]


def test_a_wrong_output_that_is_known_late_is_a_fault_of_its_own_size_only(monkeypatch: pytest.MonkeyPatch):
    """While it is verified, the next size is timed already."""
    wrong, right, next_is_timed = Shape(16, 16, 16), Shape(32, 32, 32), Event()

    def take_rounds(_workers: Any, _rubric: Any, size: Any, taken: Any, _enough: Any, verifications: Any) -> None:
        taken[SUBMISSION] = replace(taken[SUBMISSION], seconds=[1.0] * 8, launches=8)
        if size.shape == right:
            next_is_timed.set()
        else:
            verifications.begin(found_late)

    def found_late() -> None:
        assert next_is_timed.wait(10)
        raise FailedWhenTimedError(timed_launches.wrong(16, wrong, 1))

    monkeypatch.setattr(measuring, "prepare", lambda *_: 0.0)
    monkeypatch.setattr(measuring, "take_rounds", take_rounds)
    copied = answers(TimedTransfers((Transfer(1, 1, 1),)))
    first, second = measuring.measure(of_submission(copied), [wrong, right])
    assert (first.result.case.shape, first.result.verdict) == (wrong, Verdict.WRONG_ANSWER)
    assert (second.result.case.shape, second.result.verdict) == (right, Verdict.OK)
    assert second.measurements[SUBMISSION].rounds == 8


@pytest.fixture
def plan(tmp_path: Path) -> GradePlan:
    mine = tmp_path / "mine.cu"
    mine.write_text(lab.NAIVE)
    return lab.plan(mine, lab.write_rubric(tmp_path, sizes=(33, 257), timed=(257,)))


@pytest.mark.gpu
def test_a_measured_kernel_is_checked_while_it_is_timed(plan: GradePlan, gpu: Machine):
    report = pipeline.grade(plan, gpu, lambda *_: None)
    (mine,) = report.measurements
    assert [result.verdict for result in report.results if result.case.run == TIMED] == [Verdict.OK]
    assert mine.gflops.low <= mine.gflops.median <= mine.gflops.high <= gpu.peak_gflops
    assert mine.speedup is not None
    assert mine.library_fraction is not None
    assert mine.transfer_seconds is not None
    assert mine.telemetry is not None


@pytest.mark.gpu
def test_a_kernel_that_stops_working_when_it_is_timed_is_refused(plan: GradePlan, gpu: Machine, tmp_path: Path):
    stops = corpus.handed_in(HOSTILE / "honest_for_sixty_launches.diff", tmp_path)
    report = pipeline.grade(replace(plan, path=stops), gpu, lambda *_: None)
    fault = lab.first_fault(report)
    assert fault.verdict is Verdict.WRONG_ANSWER
    assert "wrong when timed" in fault.sentence
    assert report.measurements == ()


@pytest.mark.gpu
def test_a_kernel_that_traps_when_it_is_timed_is_at_fault(plan: GradePlan, gpu: Machine, tmp_path: Path):
    trap = corpus.handed_in(HOSTILE / "traps_when_timed.diff", tmp_path)
    report = pipeline.grade(replace(plan, path=trap), gpu, lambda *_: None)
    fault = lab.first_fault(report)
    assert fault.verdict is Verdict.CRASHED
    assert "failed when timed" in fault.sentence
    assert (report.state, report.measurements) == (State.FINISHED, ())


@pytest.mark.gpu
def test_a_rate_above_the_devices_peak_is_refused(plan: GradePlan, gpu: Machine):
    report = pipeline.grade(plan, replace(gpu, peak_gflops=0.001), lambda *_: None)
    assert lab.verdict(report) is Verdict.IMPOSSIBLE_RATE
    assert report.measurements == ()
