"""What the CUDA backend compiles: a cubin, and the PTX of it in which the simulator looks for races."""

from pathlib import Path

import pytest

from grader.contract.inputs import CHECKED
from grader.contract.messages import Check, Compile
from grader.host import toolkit
from grader.model import Case, Interface, Launch, Limits, Shape
from grader.worker.cuda import trusted
from grader.worker.cuda.backend import Cuda
from grader.worker.simulator.executor import Executor

ASYNC_COPIES = Path(__file__).parents[2] / "submissions" / "honest" / "async_copies.cu"
SQUARE = Interface("matmul", ("A", "B", "C", "N"))


@pytest.mark.usefixtures("simulator")
@pytest.mark.parametrize("architecture", ["sm_80", "sm_90", "sm_120"])
def test_the_simulator_runs_what_is_compiled_for_a_gpu(architecture: str, tmp_path: Path):
    (tmp_path / ASYNC_COPIES.name).write_bytes(ASYNC_COPIES.read_bytes())
    compiled = Cuda().compile(Compile(ASYNC_COPIES.name, architecture, SQUARE, ("-O3",), Limits()), tmp_path)
    assert (tmp_path / compiled.build.artifact).read_bytes().startswith(b"\x7fELF")
    assert f".target {architecture}" in (tmp_path / compiled.traced.artifact).read_text()
    case = Case(Shape(33, 33, 33), CHECKED, 1)
    launch = compiled.traced.launch or Launch((16, 16, 1), (16, 16))
    assert Executor().check(Check(compiled.traced, launch, case, SQUARE, Limits()), tmp_path).finding is None


@pytest.mark.usefixtures("simulator")
@pytest.mark.parametrize("with_nvcc", [True, False])
def test_the_kernels_around_the_timed_launches_are_compiled_by_what_there_is_and_kept(
    with_nvcc: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    if not with_nvcc:
        if toolkit.find_nvrtc() is None:
            pytest.skip("the wheel nvidia-cuda-nvrtc is not installed")
        monkeypatch.setattr(toolkit, "has_host_compiler", lambda: False)
    made = trusted.compiled("sm_90", tmp_path)
    assert all(name in made for name in (b"gate", b"freshen_float32", b"project_float64"))
    monkeypatch.setattr(trusted, "_compiled", pytest.fail)
    assert trusted.compiled("sm_90", tmp_path) == made
