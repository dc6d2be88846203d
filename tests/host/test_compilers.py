import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.errors import InfrastructureError
from grader.host import toolkit
from grader.host.compilers import Nvcc, Nvrtc, find_compiler
from grader.host.confinement.mechanism import strongest
from grader.host.cuda_versions import GpuWithDriver
from grader.model import Limits
from grader.worker.frontend.running import Compilation, run_compiler


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with a host compiler and nothing of NVIDIA's."""
    for name in ("CUDA_ROOT", "CUDA_HOME", "NVCC_CCBIN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(toolkit, "INSTALLED", tmp_path / "installed/bin")
    monkeypatch.setattr(toolkit, "wheels", lambda: (tmp_path / "wheels",))
    program(tmp_path / "bin/gcc", "")
    program(tmp_path / "bin/g++", "")
    return tmp_path


def program(path: Path, says: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{says}'\n")
    path.chmod(0o755)
    return path


def test_a_toolkit_comes_before_the_wheels(machine: Path) -> None:
    program(machine / "wheels/bin/nvcc", "V13.0.1")
    installed = program(machine / "installed/bin/nvcc", "V13.1.2")
    compiler = find_compiler()
    assert isinstance(compiler, Nvcc)
    assert (compiler.path, compiler.label) == (installed, "nvcc 13.1.2")


def test_the_wheels_serve_where_there_is_no_toolkit(machine: Path) -> None:
    path = program(machine / "wheels/bin/nvcc", "V13.0.88")
    compiler = find_compiler()
    assert isinstance(compiler, Nvcc)
    assert compiler.path == path
    assert machine / "wheels" in toolkit.nvcc_folders(compiler.path)


@pytest.mark.parametrize("absent", ["nvcc", "g++"])
def test_nvrtc_serves_where_there_is_no_nvcc_or_no_host_compiler_for_it(absent: str, machine: Path) -> None:
    program(machine / "bin/nvcc", "V13.0.88")
    library = program(machine / "wheels/lib/libnvrtc.so.13", "")
    (machine / "bin" / absent).unlink()
    compiler = find_compiler()
    assert isinstance(compiler, Nvrtc)
    assert compiler.library == library


@pytest.mark.usefixtures("machine")
def test_without_any_compiler_it_says_what_to_install() -> None:
    with pytest.raises(InfrastructureError) as caught:
        find_compiler()
    assert "CUDA compiler" in caught.value.sentence
    assert "pip install" in caught.value.hint


def test_nvcc_without_a_host_compiler_says_which_one_is_missing(machine: Path) -> None:
    program(machine / "bin/nvcc", "V13.0.88")
    (machine / "bin/g++").unlink()
    with pytest.raises(InfrastructureError, match=r"g\+\+"):
        find_compiler()


@pytest.mark.parametrize("release", ["11.2.152", "10.1.243"])
def test_a_toolkit_that_is_too_old_is_named_with_the_releases_that_serve(release: str, machine: Path) -> None:
    program(machine / "bin/nvcc", f"V{release}")
    with pytest.raises(InfrastructureError, match=f"^nvcc {release} is too old") as caught:
        find_compiler()
    assert "CUDA 11.8 or newer" in caught.value.hint
    library = program(machine / "wheels/lib/libnvrtc.so.13", "")
    assert find_compiler() == Nvrtc(library, "13")


def test_a_script_that_starts_nvcc_elsewhere_is_followed(machine: Path) -> None:
    real = program(machine / "toolkit/bin/nvcc", "V13.0.88")
    (machine / "bin/nvcc").write_text(f'#!/bin/sh\nexec {real} "$@"\n')
    (machine / "bin/nvcc").chmod(0o755)
    compiler = find_compiler()
    assert isinstance(compiler, Nvcc)
    assert machine / "toolkit" in toolkit.nvcc_folders(compiler.path)


def test_another_host_compiler_is_another_compiler(machine: Path) -> None:
    """What an older one made of a file, or refused, says nothing about it."""
    nvcc = program(machine / "installed/bin/nvcc", "V13.1.2")
    before = toolkit.stamp(nvcc)
    program(machine / "bin/gcc", "newer")
    assert toolkit.stamp(nvcc) != before


def test_a_confined_compiler_reads_settings_of_nvcc_that_are_a_link_to_another_place(
    machine: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    nvcc = program(machine / "toolkit/bin/nvcc", "V12.4.131")
    program(machine / "bin/nvcc", "").write_text(f'#!/bin/sh\nexec {nvcc} "$@"\n')
    settings = nvcc.with_name("nvcc.profile")
    settings.symlink_to(program(tmp_path_factory.mktemp("etc") / "nvcc.profile", ""))
    box = machine / "box"
    box.mkdir()
    compiler = find_compiler()
    assert isinstance(compiler, Nvcc)
    assert read(settings, box, toolkit.nvcc_folders(compiler.path)).code == 0


@pytest.mark.parametrize(
    ("linked", "header"),
    [
        ("include/crt/host.h", "include/crt/host.h"),
        ("include/crt", "include/crt/host.h"),
        ("include", "include/crt/host.h"),
        ("targets/linux/include/host.h", "targets/linux/include/host.h"),
    ],
)
def test_a_confined_compiler_reads_what_links_in_its_toolkit_lead_to(
    linked: str, header: str, machine: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """As in a view of several packages, each of which is a folder of its own."""
    package, inside = tmp_path_factory.mktemp("package"), machine / "view"
    nvcc = program(inside / "bin/nvcc", "V13.1.2")
    program(package / header.removeprefix("targets/linux/"), "")
    (inside / linked).parent.mkdir(parents=True, exist_ok=True)
    (inside / linked).symlink_to(package / linked.removeprefix("targets/linux/"))
    (inside / "bin/circle").symlink_to("circle")
    (machine / "box").mkdir()
    assert read(inside / header, machine / "box", toolkit.nvcc_folders(nvcc)).code == 0
    assert read(program(package / "secret", ""), machine / "box", toolkit.nvcc_folders(nvcc)).code != 0


def read(path: Path, box: Path, readable: tuple[Path, ...]) -> Compilation:
    return run_compiler(["/bin/cat", str(path)], box, readable, Limits(), strongest())


def test_a_gpu_that_nvcc_no_longer_knows_gets_an_nvrtc_that_does(machine: Path) -> None:
    program(machine / "bin/nvcc", "V13.0.88")
    library = program(machine / "wheels/lib/libnvrtc.so.12", "")
    compiler = find_compiler("sm_60")
    assert isinstance(compiler, Nvrtc)
    assert compiler.library == library
    assert isinstance(find_compiler("sm_75"), Nvcc)


def test_a_driver_that_is_too_old_for_nvcc_gets_an_nvrtc_that_fits(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.host.cuda_versions.read", lambda: GpuWithDriver((7, 5), (12, 4)))
    program(machine / "bin/nvcc", "V13.0.88")
    program(machine / "wheels/lib/libnvrtc.so.12", "")
    assert isinstance(find_compiler("sm_75"), Nvrtc)


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where this Python has NVIDIA's wheels."""
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    monkeypatch.delitem(sys.modules, "nvidia", raising=False)
    toolkit.wheels.cache_clear()
    monkeypatch.setattr(toolkit, "INSTALLED", tmp_path / "none")
    yield tmp_path / "nvidia"
    toolkit.wheels.cache_clear()


def test_the_wheels_of_cuda_12_are_found_in_their_folders(packages: Path) -> None:
    library = program(packages / "cuda_nvrtc/lib/libnvrtc.so.12", "")
    (packages / "cuda_runtime").mkdir()
    assert toolkit.find_nvrtc() == library
    assert packages / "cuda_runtime" in toolkit.wheels()


@pytest.mark.parametrize(
    ("driver", "name"), [((12, 4), "libnvrtc.so.12"), ((13, 0), "libnvrtc.so.13"), (None, "libnvrtc.so.13")]
)
def test_of_two_generations_of_wheels_the_driver_decides(
    driver: tuple[int, int] | None, name: str, packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpu = GpuWithDriver((8, 0), driver) if driver else None
    monkeypatch.setattr("grader.host.cuda_versions.read", lambda: gpu)
    program(packages / "cuda_nvrtc/lib/libnvrtc.so.12", "")
    program(packages / "cu13/lib/libnvrtc.so.13", "")
    found = toolkit.find_nvrtc()
    assert found is not None
    assert found.name == name
