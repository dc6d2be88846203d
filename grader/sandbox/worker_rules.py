"""The rules for a worker on this machine: which files it may open, its limits, and whether it may start processes."""

from __future__ import annotations

import site
import sys
from collections.abc import Iterable
from pathlib import Path

from grader.contract.file_limits import LARGEST_FILE
from grader.contract.purpose import Purpose
from grader.host import cpu_affinity, toolkit
from grader.host.confinement.mechanism import Confinement, Rules, strongest
from grader.host.resources import INSTALLED, PACKAGE
from grader.model import Backend, Limits
from grader.sandbox.environment import python_path

PROCESSOR_SECONDS = 24 * 3600.0  # above every limit of the judge; ends a worker whose judge has ended
OTHER_DATA = 4 << 30  # bytes beyond a submission's limit: for Python, NumPy and the compiler
DATA_OF_A_THREAD = 64 << 20  # bytes; NumPy's BLAS has a thread for each CPU
# The system files besides libraries that Python, NumPy and LLVM read.
SYSTEM = ("/etc/os-release", "/etc/localtime", "/dev/urandom", "/dev/zero", "/proc/cpuinfo", "/proc/meminfo",
          "/proc/self", "/sys/devices/system/cpu", "/sys/devices/system/node")  # fmt: skip
PROCESSES = "/proc"  # for a worker that runs compilers, to read their memory use
WHOLE_SYSTEM = (Path("/"),)


def rules(box: Path, backend: Backend, limits: Limits, purpose: Purpose) -> Rules:
    """Return the rules for a worker in `box`.

    A worker that compiles starts compilers, and confines them further. A worker that simulates kernels starts no
    process. On a GPU, NVIDIA's driver needs all system files and an unlimited address space.
    """
    threads = len(cpu_affinity.allowed())
    data = (limits.memory_mib << 20) + OTHER_DATA + threads * DATA_OF_A_THREAD
    if purpose is Purpose.COMPILE:
        readable = (*_python(), *toolkit.compiler_folders(), *_paths(SYSTEM), Path(PROCESSES))
        return Rules(readable, (box,), PROCESSOR_SECONDS, LARGEST_FILE, data, _listed())
    if not has_limits(backend, purpose):
        return Rules(WHOLE_SYSTEM, WHOLE_SYSTEM, PROCESSOR_SECONDS, LARGEST_FILE)
    readable = (*_python(), *toolkit.system_folders(), *_paths(SYSTEM))
    return Rules(readable, (box,), PROCESSOR_SECONDS, LARGEST_FILE, data, _listed(), alone=True)


def confinement(backend: Backend, purpose: Purpose) -> Confinement:
    """Return the mechanism that confines such a worker here; none if the worker uses NVIDIA's driver."""
    return strongest() if has_limits(backend, purpose) else Confinement.NONE


def has_limits(backend: Backend, purpose: Purpose) -> bool:
    """Whether such a worker is confined and its memory limited; false if it uses NVIDIA's driver."""
    return purpose is Purpose.COMPILE or not backend.capabilities.uses_gpu


def _python() -> tuple[Path, ...]:
    """Return the folders of this Python, of its packages, and of the grader."""
    own = (sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1]), site.getusersitepackages())
    named = _paths(python_path())
    return (*_paths(own), *(path for path in named if path not in _listed()), PACKAGE)


def _listed() -> tuple[Path, ...]:
    """Return the checkout, to list but not to read: Python looks for the grader there, among files of the course."""
    return () if INSTALLED.is_dir() else (PACKAGE.parent,)


def _paths(words: Iterable[str]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(Path(word) for word in words))
