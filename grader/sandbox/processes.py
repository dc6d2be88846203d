"""Start the process of a worker, in a new box, and as confined as this machine allows."""

import compileall
import functools
import os
import site
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path

from grader.contract.files import LARGEST_FILE
from grader.host import cache, cpus, toolkit
from grader.host.confinement.mechanism import Confinement, Rules, guard, strongest
from grader.host.installation import INSTALLED, PACKAGE
from grader.host.process import Running
from grader.model import Backend, Limits, Purpose
from grader.sandbox import box_files, bundles, forking
from grader.sandbox.bundles import TRUSTED
from grader.sandbox.client import Worker
from grader.sandbox.forking import python_path

PROCESSOR_SECONDS = 24 * 3600.0  # above every limit of the judge; ends a worker whose judge has ended
OTHER_DATA = 4 << 30  # bytes beyond a submission's limit: for Python, NumPy and the compiler
DATA_OF_A_THREAD = 64 << 20  # bytes; NumPy's BLAS has a thread for each CPU
# The system files besides libraries that Python, NumPy and LLVM read.
SYSTEM = ("/etc/os-release", "/etc/localtime", "/dev/urandom", "/dev/zero", "/proc/cpuinfo", "/proc/meminfo",
          "/proc/self", "/sys/devices/system/cpu", "/sys/devices/system/node")  # fmt: skip
PROCESSES = "/proc"  # for a worker that runs compilers, to read their memory use
WHOLE_SYSTEM = (Path("/"),)
Start = Callable[[Path, Backend, Limits, Purpose], Running]
PACKAGES = ("grader.worker", "llvmlite", "elftools")


def start_process(box: Path, backend: Backend, limits: Limits, purpose: Purpose, prefix: Sequence[str] = ()) -> Running:
    """Start a worker as a process of this machine, confined as far as possible; the judge enforces its limits.

    `prefix` is put before the worker's command: the command of a profiler, which is confined like the worker.
    """
    keep_bytecode()
    command = [*prefix, sys.executable, "-m", "grader.worker.main", str(box), backend, purpose]
    confinement = strongest() if _has_limits(backend, purpose) else Confinement.NONE
    return forking.start(guard(command, rules(box, backend, limits, purpose), confinement, box))


@contextmanager
def started(backend: Backend, limits: Limits, start: Start, purpose: Purpose) -> Iterator[Worker]:
    """Start a worker in a new box. Leaving ends it and all its descendants, and removes the box."""
    box = box_files.make()
    owner = ExitStack()
    try:
        owner.enter_context(box_files.owned(box))
        if backend.capabilities.measures_speed:
            bundles.give(TRUSTED, box)
        running = start(box, backend, limits, purpose)
        try:
            yield Worker(box, limits, running, purpose is Purpose.TIME)
        finally:
            running.kill()
    finally:
        box_files.remove(box)
        owner.close()


@functools.cache
def keep_bytecode() -> None:
    """Compile what confined workers cannot save, so that they do not compile it at every start.

    It takes longer than a worker's start to find that all is compiled, so that is noted until a folder changes.
    """
    if sys.dont_write_bytecode:
        return
    specs = [spec for spec in map(find_spec, PACKAGES) if spec]
    folders = [folder for spec in specs for folder in spec.submodule_search_locations or ()]
    if cache.read(_state(folders)) is None:
        for folder in folders:
            compileall.compile_dir(folder, quiet=2)
        cache.write(_state(folders), b"")


def _state(folders: Sequence[str]) -> str:
    """Return a name for what is in these folders now: files that are added, removed or replaced change it."""
    every = [place for folder in folders for place, _, _ in os.walk(folder) if not place.endswith("__pycache__")]
    return cache.key("bytecode", sys.version, *(f"{place} {Path(place).stat().st_mtime_ns}" for place in every))


def rules(box: Path, backend: Backend, limits: Limits, purpose: Purpose) -> Rules:
    """Return the rules for a worker in `box`.

    A worker that compiles starts compilers, and confines them further. A worker that simulates kernels starts no
    process. On a GPU, NVIDIA's driver needs all system files and an unlimited address space.
    """
    threads = len(cpus.allowed())
    data = (limits.memory_mib << 20) + OTHER_DATA + threads * DATA_OF_A_THREAD
    if purpose is Purpose.COMPILE:
        readable = (*_python(), *toolkit.compiler_folders(), *_paths(SYSTEM), Path(PROCESSES))
        return Rules(readable, (box,), PROCESSOR_SECONDS, LARGEST_FILE, data, _listed())
    if not _has_limits(backend, purpose):
        return Rules(WHOLE_SYSTEM, WHOLE_SYSTEM, PROCESSOR_SECONDS, LARGEST_FILE)
    readable = (*_python(), *toolkit.system_folders(), *_paths(SYSTEM))
    return Rules(readable, (box,), PROCESSOR_SECONDS, LARGEST_FILE, data, _listed(), alone=True)


def _has_limits(backend: Backend, purpose: Purpose) -> bool:
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
