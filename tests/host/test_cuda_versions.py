"""Driver, GPU and toolkit that do not fit together are named, with the versions that do."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.host import cuda_versions, machine
from grader.host.cuda_versions import GpuWithDriver, Version
from grader.model import Backend, Machine

# What courses have.
T4, P100, V100 = GpuWithDriver((7, 5), (12, 4)), GpuWithDriver((6, 0), (13, 0)), GpuWithDriver((7, 0), (12, 0))
OLD, B200, H100 = GpuWithDriver((5, 2), (11, 4)), GpuWithDriver((10, 0), (12, 8)), GpuWithDriver((9, 0), (13, 0))
CAPABILITIES = [
    (3, 0),
    (3, 7),
    (5, 2),
    (6, 0),
    (6, 1),
    (7, 0),
    (7, 5),
    (8, 0),
    (8, 6),
    (9, 0),
    (10, 0),
    (11, 0),
    (12, 0),
]
RELEASES = [(11, 2), (11, 8), (12, 0), (12, 4), (12, 8), (12, 9), (13, 0), (13, 3)]


@pytest.mark.parametrize(
    ("gpu", "release", "problem", "fits"),
    [
        (T4, (13, 0), "too new for the driver, which has CUDA 12.4", "CUDA 11.8 to 12.9 or a driver from 580 on"),
        (P100, (13, 0), "no longer supports this GPU (sm_60)", "CUDA 11.8 to 12.9"),
        (V100, (13, 3), "no longer supports this GPU (sm_70)", "CUDA 11.8 to 12.9"),
        (V100, (11, 2), "is too old", "CUDA 11.8 to 12.9"),
        (OLD, (12, 4), "too new for the driver, which has CUDA 11.4", "CUDA 11.8 or a driver from 525 on"),
        (B200, (12, 4), "too old for this GPU (sm_100)", "CUDA 12.8 to 12.9 or a driver from 580 on"),
        (GpuWithDriver((11, 0), (12, 8)), (12, 8), "too old for this GPU (sm_110)", "a driver from 580 on"),
        (GpuWithDriver((3, 0), (11, 4)), (11, 8), "no longer supports this GPU (sm_30)", "a newer GPU"),
    ],
)
def test_what_does_not_fit_is_named_with_what_does(gpu: GpuWithDriver, release: Version, problem: str, fits: str):
    assert problem in cuda_versions.misfit("nvcc", release, gpu)
    assert cuda_versions.fitting(gpu) == fits


@pytest.mark.parametrize(
    ("gpu", "release"), [(T4, (12, 9)), (T4, (11, 8)), (P100, (12, 4)), (B200, (12, 9)), (H100, (13, 3))]
)
def test_what_fits_is_not_complained_about(gpu: GpuWithDriver, release: Version):
    assert cuda_versions.misfit("nvcc", release, gpu) == ""


@given(st.sampled_from(CAPABILITIES), st.sampled_from(RELEASES), st.sampled_from(RELEASES))
def test_the_releases_that_are_named_fit_and_no_other_does(capability: Version, driver: Version, release: Version):
    gpu = GpuWithDriver(capability, driver)
    words = re.match(r"CUDA ([\d.]+)(?: to ([\d.]+)| or newer)?", cuda_versions.fitting(gpu))
    first, last = (
        (words[1], words[2] or (words[1] if "newer" not in words[0] else "99.0")) if words else ("99.0", "0.0")
    )
    is_named = cuda_versions.release(first) <= release <= cuda_versions.release(last)
    assert is_named == (cuda_versions.misfit("nvcc", release, gpu) == "")


@pytest.mark.parametrize(
    ("gpu", "name"),
    [
        (H100, "cuda"),
        (T4, "cuda12"),
        (P100, "cuda12"),
        (V100, "cuda12"),
        (OLD, ""),
        (GpuWithDriver((5, 2), (12, 4)), ""),
        (None, "cuda"),
    ],
)
def test_the_extra_is_the_newest_that_fits(gpu: GpuWithDriver | None, name: str):
    assert cuda_versions.fitting_extra(gpu) == name


DRIVER = """
int nvmlInit_v2(void) { return FAILS; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) { *device = 0; return index; }
int nvmlSystemGetCudaDriverVersion_v2(int *version) { *version = CUDA; return 0; }
int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor) { *major = 7; *minor = 5; return 0; }
"""


def driver_library(folder: Path, *defines: str) -> str:
    """Return a library with those functions of NVIDIA's that are asked."""
    library = folder / "libnvidia-ml.so.1"
    compiler = shutil.which("gcc") or pytest.skip("there is no C compiler")
    subprocess.run([compiler, "-shared", *defines, "-x", "c", "-", "-o", library], input=DRIVER, text=True, check=True)
    return str(library)


def test_the_driver_itself_is_asked(tmp_path: Path):
    assert cuda_versions.read(driver_library(tmp_path, "-DFAILS=0", "-DCUDA=12040")) == T4


def test_a_gpu_that_does_not_answer_is_none(tmp_path: Path):
    assert cuda_versions.read(driver_library(tmp_path, "-DFAILS=9", "-DCUDA=0")) is None
    (tmp_path / "empty").touch()
    assert cuda_versions.read(str(tmp_path / "empty")) is None
    assert cuda_versions.read(str(tmp_path / "none")) is None


def test_compiler_and_library_are_each_compared_with_the_gpu():
    versions = {"cuda": "12.4", "compiler": "nvcc 13.0.88", "nvidia-cublas": "12.9.1.4"}
    gpu = Machine(Backend.CUDA, "", "", "Tesla P100", "sm_60", None, versions)
    (compiler,) = machine.misfits(gpu)
    assert compiler.problem == "nvcc 13.0.88 no longer supports this GPU (sm_60)"
    assert "11.8 to 12.9" in compiler.fix
    (library,) = machine.misfits(Machine(Backend.CUDA, "", "", "Tesla T4", "sm_75", None, {
        "cuda": "12.4", "compiler": "NVRTC 12.9.86", "nvidia-cublas": "13.1.0.3"}))  # fmt: skip
    assert library.problem == "cuBLAS 13.1.0.3 is too new for the driver, which has CUDA 12.4"
    assert "[cuda12]" in library.fix
