"""A launch under Nsight Compute: which worker runs below it, and what becomes of its results."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.advice import profiling
from grader.advice.profiling import METRICS, profile, profiled
from grader.host import toolkit
from grader.host.process import Running
from grader.judge.conditions import Conditions
from grader.judge.stages import CompiledKernel, compile_kernel
from grader.model import Backend, Limits, Machine, Profile, Purpose, ResourceUse, Shape
from grader.rubric import load
from tests import lab
from tests.advice import fake_ncu
from tests.advice.counted import counted
from tests.worker import numpy_device

LOG = (Path(__file__).parent / "golden" / "ncu.csv").read_text(encoding="utf-8")
LARGE = Shape(1024, 1024, 1024)


def test_the_counters_are_beside_those_of_the_grader():
    counters, _ = counted(ROOT / "reference" / "tiled_16.cu", 1024)
    recorded = profile(LOG, LARGE, counters, "")
    assert {count.name: (count.profiled, count.counted) for count in recorded.counts} == {
        "global load requests": (4194304, 4194304),
        "global load sectors": (16777216, 16777216),
        "global store requests": (32768, 32768),
        "global store sectors": (131104, 131072),
        "shared load requests": (41943040, 41943040),
        "shared load wavefronts": (50380584, 50331648),
        "shared store requests": (4194304, 4194304),
        "shared store wavefronts": (4484624, 4194304),
        "instructions": (125009920, 143425536),
    }


def test_the_speed_of_light_and_the_busiest_resource_are_those_of_nsight_compute():
    recorded = profile(LOG, LARGE, None, "")
    assert (recorded.microseconds, recorded.compute, recorded.memory) == (277.376, 69.9, 89.31)
    assert recorded.uses[:2] == (ResourceUse("shared memory", 76.85), ResourceUse("instruction issue", 43.32))
    assert {count.counted for count in recorded.counts} == {None}


def test_the_wavefronts_of_shared_memory_do_not_count_for_the_cache():
    uses = {use.resource: use.percent for use in profile(LOG, LARGE, None, "").uses}
    assert uses["L1 cache"] == pytest.approx(89.31 - 76.85)


def test_counters_of_another_size_are_not_beside_them():
    counters, _ = counted(ROOT / "reference" / "tiled_16.cu", 1024)
    recorded = profile(LOG, Shape(512, 512, 512), counters, "")
    assert {count.counted for count in recorded.counts} == {None}


def test_a_count_that_another_profiler_prevented_is_left_out():
    recorded = profile(LOG.replace('"125,009,920"', '"nan"'), LARGE, None, "")
    assert "instructions" not in {count.name for count in recorded.counts}


@pytest.mark.parametrize("text", ["", "no table", '"ID","gpu__time_duration.sum"\n', '"a"\n"b"\n"c"\n', '\0"\n"\n'])
def test_a_log_without_results_is_a_problem(text: str):
    assert profile(text, LARGE, None, "").problem == "Nsight Compute measured nothing. It gave no reason."


def test_the_reason_of_nsight_compute_is_repeated():
    text = "==PROF== Connected\n==ERROR== The target process terminated.\n"
    assert profile(text, LARGE, None, "") == Profile(
        LARGE, "Nsight Compute measured nothing. Its reason: The target process terminated."
    )


def test_a_metric_that_a_device_lacks_is_left_out():
    text = LOG.replace("lts__t_sectors.avg", "lts__t_other.avg")
    assert "L2 cache" not in {use.resource for use in profile(text, LARGE, None, "").uses}


def test_the_clocks_stay_as_they_are_and_the_results_go_to_a_file():
    words = profiling.prefix("ncu", "_Z6matmulPf")
    assert words[words.index("--clock-control") + 1] == "none"
    assert words[words.index("--kernel-name") + 1] == "_Z6matmulPf"
    assert words[words.index("--log-file") + 1] == profiling.LOG
    assert words[words.index("--metrics") + 1].split(",") == list(METRICS)


GOLDEN = Path(__file__).parent / "golden"
ROOT = Path(__file__).parents[2]
SHAPE = Shape(64, 64, 64)

pytestmark = pytest.mark.usefixtures("simulator")


@pytest.fixture
def conditions(tmp_path: Path) -> Conditions:
    machine = Machine(numpy_device.member(), "it was requested", "a test")
    return Conditions(load.load(lab.write_rubric(tmp_path)), machine, 1, numpy_device.start)


@pytest.fixture
def kernel(conditions: Conditions) -> CompiledKernel:
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


def profile_with(
    recorded: str, conditions: Conditions, kernel: CompiledKernel, monkeypatch: pytest.MonkeyPatch
) -> Profile:
    monkeypatch.setenv("GRADER_FAKE_NCU", str(GOLDEN / recorded))
    return profiled(conditions, kernel, SHAPE, None)


@pytest.mark.usefixtures("ncu")
def test_a_worker_runs_the_kernel_below_the_profiler_and_ends(
    conditions: Conditions, kernel: CompiledKernel, monkeypatch: pytest.MonkeyPatch
):
    profile = profile_with("ncu.csv", conditions, kernel, monkeypatch)
    assert (profile.problem, profile.tool) == ("", "Nsight Compute 2025.3.1.0")
    assert profile.microseconds == pytest.approx(277.376)


@pytest.mark.usefixtures("ncu")
def test_a_user_who_may_not_read_the_counters_learns_what_an_administrator_does(
    conditions: Conditions, kernel: CompiledKernel, monkeypatch: pytest.MonkeyPatch
):
    profile = profile_with("ncu-refused.csv", conditions, kernel, monkeypatch)
    assert profile == Profile(SHAPE, profiling.NOT_ALLOWED, "Nsight Compute 2025.3.1.0")


@pytest.mark.usefixtures("ncu")
def test_a_profiler_that_fails_at_once_is_no_failure_of_the_grade(
    conditions: Conditions, kernel: CompiledKernel, monkeypatch: pytest.MonkeyPatch
):
    profile = profile_with("no-such-file", conditions, kernel, monkeypatch)
    assert profile.problem == "Nsight Compute measured nothing. It gave no reason."


def test_a_machine_without_the_profiler_says_how_to_install_it(
    conditions: Conditions, kernel: CompiledKernel, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(toolkit, "find", lambda _: None)
    assert profiled(conditions, kernel, SHAPE, None) == Profile(SHAPE, profiling.MISSING)


@pytest.mark.gpu
@pytest.mark.skipif(not toolkit.find(profiling.PROGRAM), reason="there is no Nsight Compute")
def test_nsight_compute_counts_the_requests_that_follow_from_the_kernel(gpu: Machine, tmp_path: Path):
    """Unless this user may not read the counters."""
    conditions = Conditions(load.load(lab.write_rubric(tmp_path)), gpu, 1)
    kernel = compile_kernel(conditions, lab.naive_with("").encode(), "mine.cu")
    profile = profiled(conditions, kernel, Shape(256, 256, 256), None)
    if profile.problem == profiling.NOT_ALLOWED:
        pytest.skip(profile.problem)
    profiled_counts = {count.name: count.profiled for count in profile.counts}
    assert (profile.problem, profiled_counts["global load requests"]) == ("", 2 * 256**3 // 32)
