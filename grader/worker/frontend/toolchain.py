"""Find NVIDIA's compilers on this machine: the toolkit's nvcc, nvcc of the Python wheels, or the NVRTC library."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from grader.host import toolkit
from grader.host.cuda_versions import DEFAULT_ARCHITECTURE

INSTALL = toolkit.repair()


@dataclass(frozen=True, slots=True)
class Nvcc:
    """The compiler driver, its release, the folders that it and the host compiler read, and a mark of the two files."""

    path: Path
    release: str
    readable: tuple[Path, ...]
    stamp: str

    @property
    def label(self) -> str:
        return f"nvcc {self.release}"


@dataclass(frozen=True, slots=True)
class Nvrtc:
    """The run-time compiler: a library that needs no host compiler and accepts no host code."""

    library: Path
    release: str
    include: tuple[Path, ...]

    @property
    def label(self) -> str:
        return f"NVRTC {self.release}"


Compiler: TypeAlias = Nvcc | Nvrtc


def find_compiler(folder: Path, architecture: str = DEFAULT_ARCHITECTURE) -> Compiler:
    """Return nvcc where it and the host compiler that it calls are installed, else NVRTC; whichever knows the GPU.

    Raises InfrastructureError if there is neither.
    """
    if nvcc := toolkit.nvcc_for(architecture, folder):
        return Nvcc(nvcc, toolkit.version(nvcc, folder), toolkit.nvcc_folders(nvcc), toolkit.stamp(nvcc))
    if library := toolkit.find_nvrtc():
        include = tuple(root / "include" for root in toolkit.wheels())
        return Nvrtc(library, toolkit.nvrtc_version(library), include)
    raise toolkit.no_compiler()
