"""Which backend is chosen, and what is said about a backend that is not available."""

import re
from pathlib import Path

import pytest

from grader.errors import InfrastructureError
from grader.host import compilers, machine, toolkit
from grader.model import Backend, Machine


@pytest.fixture
def no_gpu() -> machine.Missing:
    missing = machine.missing_for(Backend.CUDA)
    if not missing:
        pytest.skip("there is a GPU")
    return missing[0]


def test_the_simulator_is_there_when_it_is_requested(simulator: Machine):
    assert simulator.backend is Backend.SIMULATOR
    assert simulator.reason == "it was requested"
    assert simulator.peak_gflops is None
    assert {"python", "numpy", "compiler"} <= simulator.versions.keys()


@pytest.mark.usefixtures("simulator")
def test_without_a_gpu_the_simulator_is_chosen_and_says_why(no_gpu: machine.Missing):
    chosen = machine.choose(None)
    assert chosen.backend is Backend.SIMULATOR
    assert chosen.reason == no_gpu.problem


def test_a_requested_gpu_is_never_replaced_by_the_simulator(no_gpu: machine.Missing):
    with pytest.raises(InfrastructureError) as caught:
        machine.choose(Backend.CUDA)
    assert no_gpu.problem in caught.value.sentence
    assert "--backend simulator" in caught.value.hint


def test_everything_that_is_missing_comes_with_the_line_that_fixes_it():
    missing = machine.missing_for(Backend.CUDA)
    assert all(part.part and part.problem and part.fix for part in missing)
    assert len({part.part for part in missing}) == len(missing)


def test_a_toolkit_that_is_not_found_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(toolkit, "INSTALLED", tmp_path)
    monkeypatch.setattr(toolkit, "wheels", tuple)
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("CUDA_ROOT", "CUDA_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert "CUDA compiler" in [missing.part for missing in machine.missing_for(Backend.SIMULATOR)]


def test_a_folder_of_the_path_that_cannot_be_read_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """As an ordinary user; root can read everything."""
    locked = tmp_path / "locked"
    locked.mkdir(mode=0)
    monkeypatch.setenv("PATH", f"{locked}:{tmp_path}")
    for name in ("CUDA_ROOT", "CUDA_HOME"):
        monkeypatch.delenv(name, raising=False)
    nvcc = tmp_path / "nvcc"
    nvcc.touch(mode=0o755)
    assert toolkit.find() == nvcc


BROKEN = {
    "an empty file": ("", "did not start: Exec format error"),
    "a script without its interpreter": ("#!/no/such/shell\n", "did not start: No such file"),
    "a script that fails": ("#!/bin/sh\nexit 1\n", "does not state its version"),
}


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder with programs."""
    monkeypatch.setattr(toolkit, "INSTALLED", tmp_path / "none")
    monkeypatch.setattr(toolkit, "wheels", tuple)
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("CUDA_ROOT", "CUDA_HOME", *compilers.CHOSEN):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(("script", "problem"), BROKEN.values(), ids=BROKEN)
def test_a_broken_nvcc_is_named_with_what_is_wrong(script: str, problem: str, alone: Path):
    for name in ("gcc", "g++", "nvcc"):
        (alone / name).write_text(script)
        (alone / name).chmod(0o755)
    with pytest.raises(InfrastructureError, match=f"^Nothing can grade here: .*{re.escape(problem)}") as caught:
        machine.choose(None)
    assert caught.value.hint.startswith("Install")
    assert "CUDA compiler" in [missing.part for missing in machine.missing_for(Backend.SIMULATOR)]


def test_without_a_host_compiler_it_is_the_host_compiler_that_is_missing(alone: Path):
    (alone / "nvcc").touch(0o755)
    with pytest.raises(InfrastructureError, match=r"g\+\+, which nvcc needs, is not installed"):
        machine.choose(None)


@pytest.mark.usefixtures("alone")
def test_without_any_compiler_the_message_says_so():
    with pytest.raises(InfrastructureError, match="there is no CUDA compiler"):
        machine.choose(None)


@pytest.mark.parametrize("name", compilers.CHOSEN)
def test_a_variable_that_nvcc_reads_is_named_as_what_to_correct(
    name: str, alone: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(name, str(alone / "no compiler"))
    assert compilers.repair() == f"Correct {name}, or unset it."


@pytest.mark.gpu
def test_a_gpu_is_chosen_where_there_is_one(gpu: Machine):
    chosen = machine.choose(None)
    assert chosen.backend is Backend.CUDA
    assert chosen.reason == "there is a GPU"
    assert gpu.architecture.startswith("sm_")
    assert gpu.peak_gflops is not None
    assert gpu.peak_gflops > 100
    assert {"driver", "cuda", "compiler", "pycuda"} <= gpu.versions.keys()
