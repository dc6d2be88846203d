"""Find NVIDIA's compilers on this machine: the toolkit's nvcc, nvcc of the Python wheels, or the NVRTC library."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from grader.host import toolkit

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


def find_compiler(folder: Path) -> Compiler:
    """Return nvcc where it and the host compiler that it calls are installed, else NVRTC.

    Raises:
        InfrastructureError: there is neither.

    """
    nvcc, library = toolkit.find(), toolkit.find_nvrtc()
    if nvcc is not None and toolkit.has_host_compiler():
        return Nvcc(nvcc, toolkit.version(nvcc, folder), toolkit.nvcc_folders(nvcc), toolkit.stamp(nvcc))
    if library is not None:
        include = tuple(root / "include" for root in toolkit.wheels())
        return Nvrtc(library, _wheel_version("nvidia-cuda-nvrtc") or library.resolve().name, include)
    raise toolkit.no_compiler()


def _wheel_version(package: str) -> str | None:
    from importlib.metadata import PackageNotFoundError, version  # takes ten milliseconds to import

    try:
        return version(package)
    except PackageNotFoundError:
        return None
