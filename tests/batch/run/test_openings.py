"""How often a class opens a device, which the driver of a host does for one process after the other."""

from collections.abc import Callable, Iterator
from inspect import unwrap
from pathlib import Path

import pytest

from grader.batch.results.reuse import Lab
from grader.batch.run import job, library_products
from grader.batch.run.job import ClassRun, Job
from grader.host import gpu_lock, nvml
from grader.model import Backend, Purpose, Report, Verdict
from grader.sandbox import launchers, processes, starting
from grader.sandbox.launchers import WorkerHost
from grader.timing import baselines
from tests import lab
from tests.fake_gpu import MACHINE, FakeGpu


@pytest.fixture
def gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGpu]:
    fake = FakeGpu()
    for module in (processes, starting, launchers, library_products):
        monkeypatch.setattr(module, "start_process", fake.start)
    monkeypatch.setattr(unwrap(starting.worker), "__defaults__", (fake.start, Purpose.EXECUTE, None))
    monkeypatch.setattr(job, "_worker_host", lambda *_: WorkerHost(MACHINE, fake.start))
    for module in (nvml, baselines):
        monkeypatch.setattr(module, "gpu_id", lambda: "GPU-of-a-test")
    monkeypatch.setattr(gpu_lock, "FOLDER", tmp_path)
    yield fake
    job._library.close()
    starting.end_spares()


@pytest.fixture
def grade(tmp_path: Path) -> Callable[[str], Report]:
    """A function that grades a kernel with this variable in its file."""
    plan = lab.plan(tmp_path / "mine.cu", lab.write_rubric(tmp_path, (33, 64), timed=(33,)))
    run = ClassRun(Lab(plan.rubric, plan.naive, Backend.CUDA), 1, MACHINE, allow_unconfined=True)

    def graded(variable: str) -> Report:
        code = lab.naive_with(f"if ({variable} == 1) return;")
        content = f'extern "C" __device__ int {variable};\n{code}'.encode()
        return job.grade_job(Job(variable, "mine.cu", content, run))

    return graded


def test_each_submission_of_a_class_opens_one_device(gpu: FakeGpu, grade: Callable[[str], Report]) -> None:
    grade("first_one")  # with cuBLAS and the naive kernel
    opened = len(gpu.opened)
    assert {grade(name).score.earned for name in ("second", "third")} == {100}
    assert len(gpu.opened) == opened + 2
    assert [each.done for each in gpu.opened[opened:]] == [{"checked", "timed"}] * 2


def test_a_kernel_that_failed_somewhere_is_timed_in_a_new_worker(gpu: FakeGpu, grade: Callable[[str], Report]) -> None:
    for variable, verdict in (("wrong_at_64", Verdict.WRONG_ANSWER), ("crashes_at_64", Verdict.CRASHED)):
        report = grade(variable)
        assert verdict in {result.verdict for result in report.results}
        assert (report.score.earned, gpu.opened[-1].done) == (60, {"timed"})
    assert all(len(each.kernels) <= 1 for each in gpu.opened), "one process ran two submissions"
