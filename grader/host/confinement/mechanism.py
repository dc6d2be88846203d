"""Make a command that is confined before it does anything else, and one that leaves no process behind.

Landlock (kernel 5.13 or newer) needs no privilege and works for an ordinary user, for root and inside of containers;
bubblewrap needs its program and user namespaces. Both leave the command nothing but the folders it is given, and no
network. Landlock refuses to open a file, but tells that it exists, so a guarded command also gets a root directory of
its own, where user namespaces or root's rights allow it.
"""

import functools
import os
import shutil
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from grader.errors import DOCTOR_HINT, InfrastructureError
from grader.host.confinement import confined, landlock
from grader.host.process import run

CONFINED = Path(confined.__file__)
LARGEST_FILE = 1 << 30


class Confinement(StrEnum):
    """What keeps a command from the files of this machine."""

    LANDLOCK = "landlock"
    BUBBLEWRAP = "bubblewrap"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a command may do.

    Files and folders that it may read and execute, folders that it may write, folders whose names alone it may read;
    for each process seconds of CPU time and bytes of memory, None for no limit, and bytes of a file. A command
    that is `alone` starts no processes.
    """

    readable: tuple[Path, ...]
    writable: tuple[Path, ...]
    processor_seconds: float
    file_bytes: int = LARGEST_FILE
    data_bytes: int | None = None
    listed: tuple[Path, ...] = ()
    alone: bool = False


@functools.cache
def strongest() -> Confinement:
    """The strongest confinement that this machine has."""
    if sys.platform != "linux":
        return Confinement.NONE
    if landlock.version():
        return Confinement.LANDLOCK
    return Confinement.BUBBLEWRAP if _bubblewrap_works() else Confinement.NONE


def confine(command: list[str], rules: Rules, confinement: Confinement) -> list[str]:
    """Return the command that runs `command` confined. With Confinement.NONE all files stay open to it."""
    return [sys.executable, "-I", "-S", str(CONFINED), *_words(command, rules, confinement)]


def guard(command: list[str], rules: Rules, confinement: Confinement, box: Path) -> list[str]:
    """Return the words for a guardian that starts that command in the box, and ends all processes of it."""
    hide = ["--hide"] if confinement is Confinement.LANDLOCK else []
    return [str(box), *hide, *_words(command, rules, confinement)]


def _words(command: list[str], rules: Rules, confinement: Confinement) -> list[str]:
    """Return the options of confined.py and what it becomes."""
    program = shutil.which(command[0])
    if program is None:
        raise InfrastructureError(f"{command[0]} is not installed.", DOCTOR_HINT)
    limits = ["--cpu", str(max(1, -int(-rules.processor_seconds // 1))), "--file", str(rules.file_bytes)]
    limits += ["--data", str(rules.data_bytes)] if rules.data_bytes else []
    calls = ["--calls", *["--alone"] * rules.alone] if sys.platform == "linux" else []
    inner = [program, *command[1:]]
    match confinement:
        case Confinement.LANDLOCK:
            paths = {"--list": rules.listed, "--read": rules.readable, "--write": rules.writable}
            named = [word for option, given in paths.items() for path in given for word in (option, str(path))]
            return [*limits, *calls, "--landlock", *named, "--", *inner]
        case Confinement.BUBBLEWRAP:
            return [*limits, "--", *_bubblewrap(rules), "--", *inner]
        case Confinement.NONE:
            return [*limits, *(calls if rules.alone else []), "--", *inner]


def _bubblewrap(rules: Rules) -> list[str]:
    """A file system in which only these folders exist."""
    words = [_bubblewrap_path(), "--unshare-all", "--die-with-parent", "--cap-drop", "ALL"]
    words += ["--dev", "/dev", "--proc", "/proc"]
    for path in rules.readable:
        words += ["--ro-bind-try", str(path), str(path)]
    for path in rules.writable:
        words += ["--bind", str(path), str(path)]
    return words


def _bubblewrap_path() -> str:
    return shutil.which("bwrap") or "bwrap"


def _bubblewrap_works() -> bool:
    """Whether bubblewrap works: it is often installed where the namespaces that it needs are refused."""
    if shutil.which("bwrap") is None:
        return False
    trial = [_bubblewrap_path(), "--unshare-all", "--ro-bind", "/", "/", "--", "/bin/true"]
    return run(trial, cwd=Path(os.sep), seconds=10).code == 0
