"""A launch under Nsight Compute: which worker runs below it, and what becomes of its results."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.advice import nsight_compute, profiling
from grader.advice.profiling import profiled
from grader.contract.purpose import Purpose
from grader.host import toolkit
from grader.host.process import Running
from grader.model import Backend, Limits, Machine, Profile, Shape
from grader.rubric import load
from grader.timing.stages import Conditions, compile_kernel
from grader.timing.subjects import Subject
from tests import lab
from tests.advice import fake_ncu
from tests.worker import numpy_device

GOLDEN = Path(__file__).parent / "golden"
ROOT = Path(__file__).parents[2]
SHAPE = Shape(64, 64, 64)

pytestmark = pytest.mark.usefixtures("simulator")


@pytest.fixture
def conditions(tmp_path: Path) -> Conditions:
    machine = Machine(numpy_device.member(), "it was requested", "a test")
    return Conditions(load.load(lab.write_rubric(tmp_path)), machine, 1, numpy_device.start)


@pytest.fixture
def kernel(conditions: Conditions) -> Subject:
    return compile_kernel(conditions, lab.NAIVE.encode(), "mine.cu")


@pytest.fixture
def ncu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program in place of ncu, found as the real one is, with a worker of the NumPy device below it."""
    program = tmp_path / "bin" / "ncu"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\n{Path(fake_ncu.__file__).read_text()}")
    program.chmod(0o755)
    monkeypatch.setenv("CUDA_HOME", str(program.parents[1]))

    def start(box: Path, _backend: Backend, _limits: Limits, _purpose: Purpose, prefix: Sequence[str]) -> Running:
        command = [*prefix, sys.executable, "-m", numpy_device.__name__, str(box)]
        monkeypatch.setenv("PYTHONPATH", str(ROOT))
        return lab.in_place_of_a_worker(box, *command)

    monkeypatch.setattr(profiling, "start_process", start)
    return program


def profile_with(recorded: str, conditions: Conditions, kernel: Subject, monkeypatch: pytest.MonkeyPatch) -> Profile:
    monkeypatch.setenv("GRADER_FAKE_NCU", str(GOLDEN / recorded))
    return profiled(conditions, kernel, SHAPE, None)


@pytest.mark.usefixtures("ncu")
def test_a_worker_runs_the_kernel_below_the_profiler_and_ends(
    conditions: Conditions, kernel: Subject, monkeypatch: pytest.MonkeyPatch
):
    profile = profile_with("ncu.csv", conditions, kernel, monkeypatch)
    assert (profile.problem, profile.tool) == ("", "Nsight Compute 2025.3.1.0")
    assert profile.microseconds == pytest.approx(277.376)


@pytest.mark.usefixtures("ncu")
def test_a_user_who_may_not_read_the_counters_learns_what_an_administrator_does(
    conditions: Conditions, kernel: Subject, monkeypatch: pytest.MonkeyPatch
):
    profile = profile_with("ncu-refused.csv", conditions, kernel, monkeypatch)
    assert profile == Profile(SHAPE, nsight_compute.NOT_ALLOWED, "Nsight Compute 2025.3.1.0")


@pytest.mark.usefixtures("ncu")
def test_a_profiler_that_fails_at_once_is_no_failure_of_the_grade(
    conditions: Conditions, kernel: Subject, monkeypatch: pytest.MonkeyPatch
):
    profile = profile_with("no-such-file", conditions, kernel, monkeypatch)
    assert profile.problem == "Nsight Compute measured nothing. It gave no reason."


def test_a_machine_without_the_profiler_says_how_to_install_it(
    conditions: Conditions, kernel: Subject, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(toolkit, "find", lambda _: None)
    assert profiled(conditions, kernel, SHAPE, None) == Profile(SHAPE, nsight_compute.MISSING)


@pytest.mark.gpu
@pytest.mark.skipif(not toolkit.find(profiling.PROGRAM), reason="there is no Nsight Compute")
def test_nsight_compute_counts_the_requests_that_follow_from_the_kernel(gpu: Machine, tmp_path: Path):
    """Unless this user may not read the counters."""
    conditions = Conditions(load.load(lab.write_rubric(tmp_path)), gpu, 1)
    kernel = compile_kernel(conditions, lab.naive_with("").encode(), "mine.cu")
    profile = profiled(conditions, kernel, Shape(256, 256, 256), None)
    if profile.problem == nsight_compute.NOT_ALLOWED:
        pytest.skip(profile.problem)
    profiled_counts = {count.name: count.profiled for count in profile.counts}
    assert (profile.problem, profiled_counts["global load requests"]) == ("", 2 * 256**3 // 32)
