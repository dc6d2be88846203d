"""Find NVIDIA's compilers on this machine: the toolkit's nvcc, nvcc of the Python wheels, or the NVRTC library."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
from dataclasses import dataclass
from os import environ
from pathlib import Path
from typing import TypeAlias

from grader.errors import InfrastructureError
from grader.host import toolkit

# What compilers and the programs they start need of the system besides the toolkit: themselves, libraries, headers.
SYSTEM = (
    "/bin", "/lib", "/lib64", "/usr/bin", "/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/include",
    "/usr/local/include", "/usr/local/lib", "/etc/alternatives", "/etc/ld.so.cache", "/nix/store", "/gnu/store",
)  # fmt: skip
INSTALL = "Install g++ and the CUDA toolkit, or the wheels: pip install 'matmul-grader[compiler]'."


@dataclass(frozen=True, slots=True)
class Nvcc:
    """The compiler driver, its release, and the folders that it and the host compiler read."""

    path: Path
    release: str
    readable: tuple[Path, ...]

    @property
    def label(self) -> str:
        return f"nvcc {self.release}"


@dataclass(frozen=True, slots=True)
class Nvrtc:
    """The run-time compiler: a library that needs no host compiler and knows no host code."""

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
        return Nvcc(nvcc, toolkit.version(nvcc, folder), readable(nvcc))
    if library is not None:
        include = tuple(root / "include" for root in toolkit.wheels())
        return Nvrtc(library, _wheel_version("nvidia-cuda-nvrtc") or library.resolve().name, include)
    missing = "g++, which nvcc needs, is not installed" if nvcc is not None else "There is no CUDA compiler"
    raise InfrastructureError(missing, INSTALL)


def readable(nvcc: Path) -> tuple[Path, ...]:
    """Folders that compiling reads: the toolkit, the host compiler's installation, the system's headers."""
    real = _behind_script(nvcc)
    homes = [nvcc, real.parents[1], real.resolve().parents[1]]
    named = environ.get("NVCC_CCBIN", "gcc")
    host = Path(named, "gcc") if Path(named).is_dir() else Path(shutil.which(named) or "/usr/bin/gcc")
    if not any(host.resolve().is_relative_to(folder) for folder in SYSTEM):
        homes.append(host.resolve().parents[1])
    return (*dict.fromkeys(homes), *map(Path, SYSTEM))


def _wheel_version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _behind_script(nvcc: Path) -> Path:
    """The compiler itself: some systems put a script on the PATH that starts it in another place."""
    with nvcc.open("rb") as file:
        start = file.read(4096)
    named = re.search(rb"(/[\w./+-]+/nvcc)\b", start) if start.startswith(b"#!") else None
    return Path(named[1].decode()) if named and Path(named[1].decode()).is_file() else nvcc
