"""NVIDIA's compiler on this machine: nvcc with a host compiler, or else the NVRTC library."""

import functools
import os
import re
from dataclasses import dataclass
from pathlib import Path

from grader.errors import DOCTOR_HINT, InfrastructureError
from grader.host import cuda_versions, installation, toolkit
from grader.host.process import Exit, run
from grader.host.stopped import Stopped

MISSING_HINT = "Install the CUDA toolkit, or set CUDA_ROOT to where it is."
INSTALL = f"Install g++ and the CUDA toolkit, or: {installation.install('compiler')}"
INSTALL_HOST_COMPILER = "apt install g++, or the package of your system"
CHOSEN = ("NVCC_CCBIN", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS")  # variables that nvcc reads
ANSWER_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Nvcc:
    """The compiler driver, and its release."""

    path: Path
    release: str

    @property
    def label(self) -> str:
        return f"nvcc {self.release}"


@dataclass(frozen=True, slots=True)
class Nvrtc:
    """The run-time compiler: a library that needs no host compiler and accepts no host code."""

    library: Path
    release: str

    @property
    def label(self) -> str:
        return f"NVRTC {self.release}"


Compiler = Nvcc | Nvrtc


def find_compiler(architecture: str = cuda_versions.DEFAULT_ARCHITECTURE) -> Compiler:
    """Return nvcc where it and the host compiler that it calls are installed, else NVRTC; whichever knows the GPU.

    Raises InfrastructureError if there is neither, or if nvcc does not work or is too old.
    """
    nvcc, library = toolkit.find(), toolkit.find_nvrtc()
    if nvcc and toolkit.has_host_compiler():
        found = Nvcc(nvcc, _nvcc_release(nvcc))
        release = cuda_versions.release(found.release)
        has_other = library and cuda_versions.release(library.name.rpartition(".so.")[2])[0] != release[0]
        if not has_other and release < cuda_versions.OLDEST:
            oldest = cuda_versions.text(cuda_versions.OLDEST)
            hint = f"It takes CUDA {oldest} or newer; CUDA_ROOT says where a toolkit is."
            raise InfrastructureError(f"{found.label} is too old.", hint)
        if not has_other or cuda_versions.of_architecture(architecture).runs(release):
            return found
    if library:
        return Nvrtc(library, _nvrtc_release(library))
    raise no_compiler()


def _nvcc_release(nvcc: Path) -> str:
    """The release that nvcc states, such as 13.0.88. Raises InfrastructureError for what is no nvcc."""
    said = _said(nvcc)
    if isinstance(said, InfrastructureError):  # an empty file, a script without its interpreter
        raise InfrastructureError(said.sentence, MISSING_HINT if said.hint == DOCTOR_HINT else said.hint)
    if release := re.search(r"V(\d+\.\d+\.\d+)", said.text):
        return release[1]
    late = f" within {ANSWER_SECONDS} s" if said.stopped is Stopped.TIME else ""
    raise InfrastructureError(f"{nvcc} does not state its version{late}.", MISSING_HINT)


@functools.cache
def _said(nvcc: Path) -> Exit | InfrastructureError:
    """What it answers when it is asked, or why it does not start. One that hangs is waited for once."""
    try:
        return run([nvcc, "--version"], cwd=Path(os.sep), seconds=ANSWER_SECONDS)
    except InfrastructureError as error:
        return error


def _nvrtc_release(library: Path) -> str:
    """The release of the library, of its wheel or else in its file's name."""
    from importlib.metadata import PackageNotFoundError, version  # takes ten milliseconds to import

    wheel = "nvidia-cuda-nvrtc-cu12" if library.parents[1].name in toolkit.WHEELS[1] else "nvidia-cuda-nvrtc"
    try:
        return version(wheel)
    except PackageNotFoundError:
        return library.resolve().name.rpartition(".so.")[2]


def no_compiler() -> InfrastructureError:
    """Why there is no compiler where there is neither NVRTC nor an nvcc with a host compiler."""
    if toolkit.find() is None:
        return InfrastructureError("There is no CUDA compiler.", INSTALL)
    if named := os.environ.get("NVCC_CCBIN"):
        return InfrastructureError(f"The host compiler {named}, which NVCC_CCBIN names, is not installed.", repair())
    return InfrastructureError("g++, which nvcc needs, is not installed.", f"Install it: {INSTALL_HOST_COMPILER}.")


def repair(otherwise: str = f"{INSTALL}.") -> str:
    """What to do about an nvcc that compiles nothing: correct the variables that it reads, if there are any."""
    chosen = [name for name in CHOSEN if os.environ.get(name)]
    it = "it" if len(chosen) == 1 else "them"
    return f"Correct {' and '.join(chosen)}, or unset {it}." if chosen else otherwise
