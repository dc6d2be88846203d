"""What a worker on this machine may do: the files it may open, its limits, and whether it may start processes."""

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

PROCESSOR_SECONDS = 24 * 3600.0  # beyond every limit that the judge sets; a lost worker then ends by itself
OTHER_DATA = 4 << 30  # bytes beyond a submission's limit, which the judge enforces: Python, NumPy, the compiler
DATA_OF_A_THREAD = 64 << 20  # of NumPy's library for linear algebra, which has a thread for each CPU
# What Python, NumPy and LLVM read of the system besides libraries.
SYSTEM = ("/etc/os-release", "/etc/localtime", "/dev/urandom", "/dev/zero", "/proc/cpuinfo", "/proc/meminfo",
          "/proc/self", "/sys/devices/system/cpu", "/sys/devices/system/node")  # fmt: skip
PROCESSES = "/proc"  # a worker that runs compilers watches their memory
WHOLE_SYSTEM = (Path("/"),)


def rules(box: Path, backend: Backend, limits: Limits, purpose: Purpose) -> Rules:
    """Return what a worker in `box` may do.

    Compilers are started by a worker that compiles, and confined once more. A worker that executes generated code
    starts nothing. With a GPU, NVIDIA's driver needs the system's files and any amount of address space.
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
    """Return what confines such a worker here; nothing does where it runs NVIDIA's driver and no generated code."""
    return strongest() if has_limits(backend, purpose) else Confinement.NONE


def has_limits(backend: Backend, purpose: Purpose) -> bool:
    """Whether such a worker is confined and its memory limited: not where it runs NVIDIA's driver."""
    return purpose is Purpose.COMPILE or not backend.capabilities.uses_gpu


def _python() -> tuple[Path, ...]:
    """Return this Python, its packages, and this package."""
    own = (sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1]), site.getusersitepackages())
    named = _paths(python_path())
    return (*_paths(own), *(path for path in named if path not in _listed()), PACKAGE)


def _listed() -> tuple[Path, ...]:
    """Return the checkout: Python looks for the grader there, and reference kernels and others' files lie beside it."""
    return () if INSTALLED.is_dir() else (PACKAGE.parent,)


def _paths(words: Iterable[str]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(Path(word) for word in words))
