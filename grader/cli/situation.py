"""What decides the result of a check besides the command line and the files that it names."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import grader
from grader.host import toolkit

OF_THE_SHELL = {"_", "OLDPWD", "SHLVL"}  # variables that change from command to command
# What shows that a driver or a library was installed: then the check may run on a GPU.
OF_THE_MACHINE = (Path("/etc/ld.so.cache"), Path("/proc/driver/nvidia/version"), Path("/dev/dxg"))


def situation() -> Iterator[str]:
    """Yield texts that change whenever this grader, its packages, the machine, the terminal or a compiler does."""
    yield from (grader.__version__, sys.version, sys.prefix, str(Path.cwd()), repr(os.uname()))
    yield repr(sorted((name, value) for name, value in os.environ.items() if name not in OF_THE_SHELL))
    yield repr([_terminal(stream) for stream in (0, 1, 2)])
    yield from _sources(Path(grader.__file__).parent)
    yield repr([name for folder in sys.path for name in _distributions(folder)])
    yield from map(_version, (*_compilers(), *OF_THE_MACHINE))


def _terminal(stream: int) -> tuple[int, int] | None:
    try:
        return os.get_terminal_size(stream)
    except OSError:
        return None


def _sources(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.parent.name != "__pycache__":
            yield from (str(path), hashlib.sha256(path.read_bytes()).hexdigest())


def _distributions(folder: str) -> list[str]:
    """Return the packages that are installed in a folder; their names contain their versions."""
    try:
        return sorted(path.name for path in Path(folder).iterdir() if path.suffix in {".dist-info", ".egg-info"})
    except OSError:
        return []


def _compilers() -> Iterator[Path]:
    for path in (*map(toolkit.find, ("nvcc", "ptxas", "gcc", "g++")), toolkit.find_nvrtc()):
        if path is not None:
            yield path


def _version(path: Path) -> str:
    """Return what changes when a file is installed or replaced."""
    try:
        status = path.stat()
    except OSError:
        return f"no {path}"
    return f"{path.resolve()} {status.st_size} {status.st_mtime_ns}"
