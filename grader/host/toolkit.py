"""The CUDA toolkit of this machine: where its nvcc is, and which release it is."""

from __future__ import annotations

import re
from os import environ
from pathlib import Path

from grader.errors import InfrastructureError
from grader.host.process import run

INSTALLED = Path("/usr/local/cuda/bin")  # where NVIDIA's installer puts it


def find() -> Path | None:
    """Nvcc of $CUDA_ROOT or $CUDA_HOME, of the PATH, or where NVIDIA's installer puts it."""
    homes = [Path(environ[name]) / "bin" for name in ("CUDA_ROOT", "CUDA_HOME") if environ.get(name)]
    for folder in [*homes, *map(Path, environ.get("PATH", "").split(":")), INSTALLED]:
        if (folder / "nvcc").is_file():
            return folder / "nvcc"
    return None


def version(nvcc: Path, box: Path) -> str:
    """The release that nvcc states, such as 13.0.88."""
    ended = run([nvcc, "--version"], cwd=box, seconds=20)
    found = re.search(rb"V(\d+\.\d+\.\d+)", ended.output)
    if not found:
        raise InfrastructureError(f"{nvcc} does not answer", "Install the CUDA toolkit, or set CUDA_ROOT to it.")
    return found[1].decode()
