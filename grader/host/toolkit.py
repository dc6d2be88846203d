"""The CUDA toolkit of this machine: where its nvcc is, and which release it is."""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import shutil
from pathlib import Path

from grader.errors import InfrastructureError
from grader.host.process import run

INSTALLED = Path("/usr/local/cuda/bin")  # where NVIDIA's installer puts it
WHEELS = "cu13"  # the folder of the package `nvidia` that the wheels of CUDA 13 share
MISSING = "nvcc is not installed", "Install the CUDA toolkit, or set CUDA_ROOT to where it is."


def find() -> Path | None:
    """Nvcc of $CUDA_ROOT or $CUDA_HOME, of the PATH, where NVIDIA's installer puts it, or of the wheels."""
    homes = [f"{os.environ[name]}/bin" for name in ("CUDA_ROOT", "CUDA_HOME") if os.environ.get(name)]
    folders = [*homes, os.environ.get("PATH", ""), str(INSTALLED), *(f"{root}/bin" for root in wheels())]
    nvcc = shutil.which("nvcc", path=os.pathsep.join(folders))
    return Path(nvcc) if nvcc else None


def require() -> Path:
    """Nvcc as `find` finds it. Raises InfrastructureError when there is none."""
    nvcc = find()
    if nvcc is None:
        problem, fix = MISSING
        raise InfrastructureError(f"{problem}.", fix)
    return nvcc


@functools.cache
def version(nvcc: Path, box: Path) -> str:
    """The release that nvcc states, such as 13.0.88."""
    output = run([nvcc, "--version"], cwd=box, seconds=20).output
    if release := re.search(rb"V(\d+\.\d+\.\d+)", output):
        return release[1].decode()
    raise InfrastructureError(f"{nvcc} does not state its version.", MISSING[1])


def wheels() -> tuple[Path, ...]:
    """Where this Python has NVIDIA's wheels."""
    found = importlib.util.find_spec("nvidia")
    places = found.submodule_search_locations if found else None
    return tuple(root for place in places or () if (root := Path(place) / WHEELS).is_dir())


def find_nvrtc() -> Path | None:
    """The library, of the wheel `nvidia-cuda-nvrtc` or of a toolkit without a driver."""
    for root in [*wheels(), INSTALLED.parent]:
        for library in sorted(root.glob("lib*/libnvrtc.so.*")):
            return library
    return None


def has_host_compiler() -> bool:
    """Nvcc has it preprocess the file; NVCC_CCBIN may name another than gcc."""
    if named := os.environ.get("NVCC_CCBIN"):
        return shutil.which(named) is not None or any(Path(named).glob("g*"))
    return shutil.which("gcc") is not None and shutil.which("g++") is not None


def compiler_label() -> str:
    """The CUDA compiler for machines without a GPU: nvcc with its release, or NVRTC; empty when there is neither."""
    nvcc = find()
    if nvcc is not None and has_host_compiler():
        return f"nvcc {version(nvcc, Path.cwd())}"
    return "NVRTC" if find_nvrtc() else ""
