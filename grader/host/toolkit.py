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
