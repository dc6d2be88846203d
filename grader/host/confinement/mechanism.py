"""Make a command that confines itself before it does anything else.

Landlock (kernel 5.13 or newer) needs no privilege and works for an ordinary user, for root and inside of containers;
bubblewrap needs its program and user namespaces. Both leave the command nothing but the folders it is given, and no
network. What Landlock does not hide is whether a file exists: it refuses to open it.
"""

from __future__ import annotations

import functools
import os
import shutil
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from grader.errors import InfrastructureError
from grader.host.confinement import confined
from grader.host.process import run

PROGRAM = Path(confined.__file__)
LARGEST_FILE = 1 << 30


class Confinement(StrEnum):
    """What keeps a command from the files of this machine."""

    LANDLOCK = "landlock"
    BUBBLEWRAP = "bubblewrap"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """Folders and files that may be read and executed, folders that may be written, and limits for each process."""

    readable: tuple[Path, ...]
    writable: tuple[Path, ...]
    processor_seconds: float
    file_bytes: int = LARGEST_FILE


@functools.cache
def strongest() -> Confinement:
    """The strongest confinement that this machine has."""
    if sys.platform != "linux":
        return Confinement.NONE
    if confined.version():
        return Confinement.LANDLOCK
    return Confinement.BUBBLEWRAP if _bubblewrap_works() else Confinement.NONE


def confine(command: list[str], rules: Rules, confinement: Confinement) -> list[str]:
    """The command that runs `command` confined. With Confinement.NONE it has the limits only."""
    found = shutil.which(command[0])
    if found is None:
        raise InfrastructureError(f"{command[0]} is not installed", "Run `grade doctor` to see what is missing.")
    limits = ["--cpu", str(max(1, -int(-rules.processor_seconds // 1))), "--file", str(rules.file_bytes)]
    prefix = [sys.executable, "-I", "-S", str(PROGRAM), *limits]
    inner = [found, *command[1:]]
    match confinement:
        case Confinement.LANDLOCK:
            return [*prefix, "--landlock", *_landlock(rules), "--", *inner]
        case Confinement.BUBBLEWRAP:
            return [*prefix, "--", *_bubblewrap(rules), "--", *inner]
        case Confinement.NONE:
            return [*prefix, "--", *inner]


def _landlock(rules: Rules) -> list[str]:
    reads = [word for path in rules.readable for word in ("--read", str(path))]
    return reads + [word for path in rules.writable for word in ("--write", str(path))]


def _bubblewrap(rules: Rules) -> list[str]:
    """A file system in which only these folders exist."""
    words = [_bubblewrap_path(), "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--dev", "/dev"]
    for path in rules.readable:
        words += ["--ro-bind-try", str(path), str(path)]
    for path in rules.writable:
        words += ["--bind", str(path), str(path)]
    return words


def _bubblewrap_path() -> str:
    return shutil.which("bwrap") or "bwrap"


def _bubblewrap_works() -> bool:
    """It is often installed where the kernel or a container refuses the namespaces that it needs."""
    if shutil.which("bwrap") is None:
        return False
    trial = [_bubblewrap_path(), "--unshare-all", "--ro-bind", "/", "/", "--", "/bin/true"]
    return run(trial, cwd=Path(os.sep), seconds=10).code == 0
