"""The study as a whole: what is measured, what is not, and what a second run does."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

import pytest

from grader.contract.timing_messages import Transfer
from grader.judge.compiling import Artifact
from grader.judge.conditions import Conditions
from grader.judge.stages import CompiledKernel, LibraryProduct, Subject
from grader.judge.worker_pool import LIBRARY, NAIVE, SUBMISSION
from grader.model import Backend, Case, CaseResult, Fault, Launch, Machine, Shape, Verdict
from grader.rubric import load
from grader.study.measure import records, roofline, sizes, variants
from grader.study.measure import sweep as study
from grader.study.measure.journal import Journal, open_journal
from grader.study.measure.planning import StudyPlan
from grader.study.measure.records import Row
from grader.study.measure.sweep import Point, sweep
from grader.timing.measuring import Timings
from tests import lab
from tests.launcher import start_here
from tests.report import examples as reports

SIZED = lab.NAIVE.replace("{16, 16}", "{BLOCK, BLOCK}")
WRONG = SIZED.replace("if (row", "if (N == 40 && row == 39) return;\n    if (row")


def plan(folder: Path, text: str = SIZED, values: tuple[str, ...] = ("8", "16"), at: str = "33,40") -> StudyPlan:
    path = folder / "mine.cu"
    loaded = load.load(lab.write_rubric(folder))
    kernels = variants.variants({path: text.encode()}, {"BLOCK": values})
    return StudyPlan(loaded, kernels, sizes.parse(at, ()), b"", library=False, blas=False, seed=1)


@pytest.fixture(autouse=True)
def workers_here(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if "gpu" not in request.fixturenames:
        monkeypatch.setattr(study, "Conditions", partial(Conditions, start=start_here))


def run(study_plan: StudyPlan, machine: Machine, journal: Journal) -> list[Point]:
    return list(sweep(study_plan, machine, journal, lambda _: None))


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return open_journal(tmp_path / "sweep.jsonl")


def test_every_variant_has_a_row_at_every_size_and_no_speed_on_the_simulator(
    tmp_path: Path, simulator: Machine, journal: Journal
):
    points = run(plan(tmp_path), simulator, journal)
    assert [(point.name, point.shape.N) for point in points] == [
        ("mine BLOCK=8", 33), ("mine BLOCK=8", 40), ("mine BLOCK=16", 33), ("mine BLOCK=16", 40)
    ]  # fmt: skip
    assert {row.verdict for point in points for row in point.rows} == {Verdict.OK}
    assert {(row.measurement, row.transfer) for point in points for row in point.rows} == {(None, None)}
    assert points[0].rows[0].launch.block == (8, 8, 1)


def test_a_wrong_size_says_so_and_costs_no_other(tmp_path: Path, simulator: Machine, journal: Journal):
    points = run(plan(tmp_path, WRONG, ("8",)), simulator, journal)
    first, second = (point.rows[0] for point in points)
    assert (first.verdict, first.reason) == (Verdict.OK, "")
    assert second.verdict is Verdict.WRONG_ANSWER
    assert second.reason


def test_a_kernel_that_only_fails_with_real_numbers_is_wrong(tmp_path: Path, simulator: Machine, journal: Journal):
    rounded = SIZED.replace("float sum = 0.0f", "int sum = 0").replace("sum +=", "sum += (int)")
    assert rounded.count("int") > SIZED.count("int")
    (point,) = run(plan(tmp_path, rounded, ("8",), "33"), simulator, journal)
    assert point.rows[0].verdict is Verdict.WRONG_ANSWER


def test_another_seed_is_another_point(tmp_path: Path, simulator: Machine, journal: Journal):
    study_plan = plan(tmp_path, values=("8",), at="33")
    run(study_plan, simulator, journal)
    assert [point.kept for point in run(replace(study_plan, seed=2), simulator, journal)] == [False]


def test_a_variant_that_does_not_compile_is_one_row_with_its_reason(
    tmp_path: Path, simulator: Machine, journal: Journal
):
    points = run(plan(tmp_path, values=("none", "8")), simulator, journal)
    assert (points[0].name, points[0].shape) == ("mine BLOCK=none", None)
    assert points[0].rows[0].verdict is Verdict.COMPILE_ERROR
    assert "compile" in points[0].rows[0].reason
    assert len(points) == 3


def test_a_second_run_measures_nothing_again(tmp_path: Path, simulator: Machine, journal: Journal):
    study_plan = replace(plan(tmp_path), blas=True)
    first = run(study_plan, simulator, journal)
    second = run(study_plan, simulator, open_journal(journal.path))
    assert all(point.kept for point in second)
    assert not any(point.kept for point in first)
    assert {(point.name, point.shape): point.rows for point in second} == {
        (point.name, point.shape): point.rows for point in first
    }


def test_an_interrupted_run_resumes_where_it_stopped(tmp_path: Path, simulator: Machine, journal: Journal):
    study_plan = plan(tmp_path)
    steps = sweep(study_plan, simulator, journal, lambda _: None)
    begun = [next(steps), next(steps), next(steps)]
    steps.close()  # type: ignore[attr-defined]  # a generator
    again = run(study_plan, simulator, open_journal(journal.path))
    assert [point.kept for point in again] == [True, True, True, False]
    assert [point.rows for point in again[:3]] == [point.rows for point in begun]


@pytest.mark.parametrize("change", ["text", "driver", "device", "flags", "type"])
def test_what_changed_is_measured_again(change: str, tmp_path: Path, simulator: Machine, journal: Journal):
    study_plan = plan(tmp_path, values=("8",), at="33")
    run(study_plan, simulator, journal)
    machine, lab_ = simulator, study_plan.rubric
    match change:
        case "text":
            study_plan = plan(tmp_path, f"{SIZED}\n", ("8",), "33")
        case "driver":
            machine = replace(simulator, versions={**simulator.versions, "driver": "new"})
        case "device":
            machine = replace(simulator, device="another")
        case "flags":
            study_plan = replace(study_plan, rubric=replace(lab_, flags=("-O1",)))
        case "type":
            study_plan = replace(study_plan, rubric=replace(lab_, limits=replace(lab_.limits, case_seconds=7.0)))
    assert [point.kept for point in run(study_plan, machine, journal)] == [False]


def test_a_size_that_is_new_is_measured_beside_those_that_are_kept(
    tmp_path: Path, simulator: Machine, journal: Journal
):
    run(plan(tmp_path, values=("8",), at="33"), simulator, journal)
    points = run(plan(tmp_path, values=("8",), at="33,40"), simulator, journal)
    assert {point.shape.N: point.kept for point in points} == {33: True, 40: False}


def test_multi_core_blas_is_measured_at_every_size(tmp_path: Path, simulator: Machine, journal: Journal):
    points = [point for point in run(replace(plan(tmp_path), blas=True), simulator, journal) if point.name == "blas"]
    assert [point.shape.N for point in points] == [33, 40]
    assert all(point.rows[0].measurement.gflops.median > 0 for point in points)
    assert all("thread" in point.rows[0].implementation for point in points)


def timed(result: CaseResult, **speeds: float) -> tuple[Row, ...]:
    """Rows of a size as `measure` gives it."""
    launch = Launch((8, 8, 1), (8, 8))
    artifact = Artifact(reports.build(), b"")
    kernels = (CompiledKernel(name, launch, artifact) for name in (SUBMISSION, NAIVE))
    subjects: list[Subject] = [*kernels, LibraryProduct(LIBRARY, launch)]
    measurements = {name: reports.measurement(gflops=speed) for name, speed in speeds.items()}
    row = records.row_of_variant(variants.Variant("mine.cu", b"", {"BLOCK": "8"}))
    machine = Machine(Backend.CUDA, "", "", "a GPU", versions={"nvidia-cublas": "13.1"})
    return records.timed_rows(
        replace(row, launch=launch), Timings(result, measurements, Transfer(3, 3, 3)), subjects, machine
    )


def test_a_timed_size_has_a_row_for_the_kernel_and_for_each_baseline():
    kernel, naive, library = timed(reports.ok(reports.LARGE, "timed"), submission=500.0, naive=100.0, library=900.0)
    assert [row.subject for row in (kernel, naive, library)] == ["kernel", "naive", "cublas"]
    assert [row.measurement.gflops.median for row in (kernel, naive, library)] == [500.0, 100.0, 900.0]
    assert {row.variant for row in (kernel, naive, library)} == {"mine BLOCK=8"}
    assert {row.shape for row in (kernel, naive, library)} == {reports.LARGE}
    assert kernel.transfer == Transfer(3, 3, 3)
    assert (naive.transfer, library.transfer, library.launch) == (None, None, None)
    assert library.implementation == "cuBLAS 13.1"


def test_a_kernel_that_fails_while_it_is_timed_has_its_reason_and_no_speed():
    fault = Fault(Verdict.WRONG_ANSWER, "Correct when checked, wrong when timed.")
    (row,) = timed(CaseResult(Case(reports.LARGE, "timed", 1), Verdict.WRONG_ANSWER, 0.1, fault))
    assert (row.verdict, row.shape, row.measurement) == (Verdict.WRONG_ANSWER, reports.LARGE, None)
    assert "wrong when timed" in row.reason


def test_the_simulators_roof_is_what_was_given(tmp_path: Path, simulator: Machine, journal: Journal):
    rubric = plan(tmp_path).rubric
    assert roofline.roof(rubric, simulator, journal, None, ()).peak_gflops is None
    given = roofline.roof(rubric, simulator, journal, 7680.0, (320.0,))
    assert (given.peak_gflops, given.bandwidth, given.sustained) == (7680.0, 320.0, None)
    assert roofline.roof(rubric, simulator, journal, 7680.0, (320.0, 220.0)).sustained.median == 220.0


@pytest.mark.parametrize(
    ("sound", "right", "timed", "untimed"),
    [
        (True, (64, 2048), [64, 2048, 8192], []),
        (True, (64,), [64], [8192]),
        (False, (64, 2048), [64, 2048], [8192]),  # an earlier run found a fault at another size
    ],
)
def test_a_size_that_is_only_timed_waits_for_correct_answers_at_every_other(sound, right, timed, untimed):
    small, medium, large = (Shape(n, n, n) for n in (64, 2048, 8192))
    variant, kernel = variants.Variant("mine.cu", b"", {}), cast(CompiledKernel, None)
    compiled = study._Compiled(variant, kernel, (small, medium, large), sound)
    to_time = study._to_time(compiled, (small, medium), [Shape(n, n, n) for n in right])
    assert tuple([shape.N for shape in shapes] for shapes in to_time) == (timed, untimed)


@pytest.mark.gpu
def test_a_study_on_a_gpu_times_the_kernel_beside_its_baselines(tmp_path: Path, gpu: Machine, journal: Journal):
    study_plan = plan(tmp_path, WRONG, ("8", "16"), "40,256")
    study_plan = replace(
        study_plan, naive=lab.NAIVE.encode(), library=True, shapes=(*study_plan.shapes, Shape(512, 512, 512))
    )
    rows_at = {(point.name, point.shape.N): point.rows for point in run(study_plan, gpu, journal)}
    assert [row.verdict for row in rows_at["mine BLOCK=8", 40]] == [Verdict.WRONG_ANSWER]
    for name in ("mine BLOCK=8", "mine BLOCK=16"):
        kernel, naive, library = rows_at[name, 256]
        assert 0 < kernel.measurement.gflops.median < gpu.peak_gflops
        assert kernel.measurement.speedup is not None
        assert {row.verdict for row in (kernel, naive, library)} == {Verdict.OK}
        assert kernel.resources is not None
        assert kernel.transfer.total > kernel.transfer.kernel > 0
    assert all(point.kept for point in run(study_plan, gpu, open_journal(journal.path)))


@pytest.mark.gpu
def test_memory_sustains_less_than_its_bandwidth(tmp_path: Path, gpu: Machine, journal: Journal):
    roof = roofline.roof(plan(tmp_path).rubric, gpu, journal, None, ())
    assert roof.peak_gflops == gpu.peak_gflops
    assert 0 < roof.sustained.median < roof.bandwidth
    assert roof.attributes["WARP_SIZE"] == 32
    assert roofline.roof(plan(tmp_path).rubric, gpu, open_journal(journal.path), None, ()) == roof


def test_a_devices_bandwidth_is_what_it_read_and_wrote():
    stated = {"MEMORY_CLOCK_RATE": 7_001_000, "GLOBAL_MEMORY_BUS_WIDTH": 256}
    roof = roofline._roof(16600.0, stated, 2_000_000_000, (0.004, 0.005, 0.008))
    assert roof.bandwidth == pytest.approx(448.064)
    assert (roof.sustained.low, roof.sustained.median, roof.sustained.high) == pytest.approx((250.0, 400.0, 500.0))
    assert roofline._roof(None, {}, 8, (1.0,)).bandwidth is None
