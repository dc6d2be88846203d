"""Who counts what a launch does: the simulator, also beside a device that traces nothing."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader import pipeline
from grader.advice import counting
from grader.model import Machine, Report, State
from tests import lab
from tests.worker import numpy_device

pytestmark = pytest.mark.usefixtures("simulator")


def grade(kernel: str, folder: Path) -> Report:
    source = folder / "mine.cu"
    source.write_text(kernel)
    plan = replace(lab.plan(source, lab.write_rubric(folder, sizes=(33, 64))), start=numpy_device.start)
    report = pipeline.grade(plan, Machine(numpy_device.member(), "it was requested", "a test"), lambda *_: None)
    assert report.state is State.FINISHED, report.infrastructure
    return report


def test_the_launches_of_a_device_are_counted_beside_it(tmp_path: Path):
    counted = grade(lab.NAIVE, tmp_path).counters
    assert counted.shape.N == 64
    assert counted.accesses


def test_the_worker_that_traced_the_kernel_counts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """It has translated the kernel already; without it, a new worker counts."""
    monkeypatch.setattr(counting, "worker", None)
    assert grade(lab.NAIVE, tmp_path).counters is not None


def test_what_a_kernel_does_that_the_simulator_lacks_is_not_counted(tmp_path: Path):
    unsupported = Path(__file__).parents[1] / "ptxsim" / "kernels" / "single_bits.cu"
    report = grade(unsupported.read_text(), tmp_path)
    assert report.counters is None
