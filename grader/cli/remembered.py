"""Results of `grade check` that are remembered: the same check again, while nothing that it depends on has changed.

Only the judge reads and writes them, in the user's cache, which confined processes cannot reach. No grade uses them.
Imports little: a remembered result is there before most other modules would be loaded.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import grader
from grader.host import cache, toolkit

AGAIN = "--again"
FOLDER = "checks"
STATUSES = (0, 1)
LARGEST = 16 << 20  # bytes of a file that a check reads
# How the names of variables begin that change from command to command, and from window to window.
OF_THE_SHELL = ("_", "OLDPWD", "SHLVL", "SSH_", "TMUX", "WINDOW", "TERM_SESSION", "VSCODE_", "XDG_SESSION")
# What shows that a driver or a library was installed: then the check may run on a GPU.
OF_THE_MACHINE = (Path("/etc/ld.so.cache"), Path("/proc/driver/nvidia/version"), Path("/dev/dxg"))


@dataclass(frozen=True, slots=True)
class AskedCheck:
    """A `grade check` by its words and a key of everything else that decides its result, when it begins.

    `files` has the hashes of the files that it reads, empty for a word that names no file.
    """

    words: tuple[str, ...]
    key: str
    files: Mapping[str, str]

    def reading(self, path: Path) -> AskedCheck | None:
        """Return the check, which reads this file too."""
        digest = _hash(str(path))
        return None if digest is None else replace(self, files={**self.files, str(path): digest})


def begin(words: Sequence[str]) -> AskedCheck | None:
    """Return the check that these words of the command line ask for.

    None if they ask for something else, or for what cannot be remembered, because it is read from a pipe.
    """
    asked = [word for word in words if word != AGAIN]
    if not asked or asked[0] != "check":
        return None
    names = [name for word in asked for name in (word, word.partition("=")[2]) if name]
    hashes = {name: _hash(name) for name in names}
    files = {name: digest for name, digest in hashes.items() if digest is not None}
    if len(files) < len(hashes):
        return None
    try:
        return AskedCheck(tuple(words), cache.key(repr((asked, *situation()))), files)
    except OSError:  # this folder was removed
        return None


def find(check: AskedCheck) -> tuple[int, str, str] | None:
    """Return the exit status of the same check, what it printed about the submission, and when it ended.

    None if there is none, if a file has changed, or if it is damaged.
    """
    try:
        match json.loads(cache.read(_place(check)) or b""):
            case {"files": dict(files), "status": int(status), "printed": str(printed), "ended": str(ended)}:
                same = all(_hash(name) == digest for name, digest in files.items())
                return (status, printed, ended) if same and status in STATUSES else None
    except (ValueError, RecursionError):
        pass
    return None


def keep(check: AskedCheck, status: int, printed: str) -> None:
    """Remember a result, unless a file was changed during the check."""
    if status in STATUSES and all(_hash(name) == digest for name, digest in check.files.items()):
        ended = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")
        record = {"files": dict(check.files), "status": status, "printed": printed, "ended": ended}
        cache.write(_place(check), json.dumps(record).encode())


def replay(check: AskedCheck) -> int | None:
    """Print a remembered result, with how to check again. Return its exit status; None if there is none."""
    if AGAIN in check.words or not (known := find(check)):
        return None
    status, printed, ended = known
    inputs = "" if any(word.startswith("--seed") for word in check.words) else " with new inputs"
    sys.stderr.write(f"Remembered from {ended}. To check again{inputs}, add {AGAIN}.\n")
    sys.stderr.flush()
    sys.stdout.write(printed)
    sys.stdout.flush()
    return status


def _place(check: AskedCheck) -> str:
    return f"{FOLDER}/{check.key}.json"


def _hash(name: str) -> str | None:
    """Return the hash of a file; empty if there is none that can be read, None for a pipe, a device or a huge file."""
    path = Path(name)
    try:
        status = path.stat()
        if stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST:
            return hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, ValueError):
        return ""
    return "" if stat.S_ISDIR(status.st_mode) else None


def situation() -> Iterator[str]:
    """Yield texts that change whenever this grader, its packages, the machine, the terminal or a compiler does."""
    yield from (grader.__version__, sys.version, sys.prefix, str(Path.cwd()), repr(os.uname()))
    yield repr(sorted((name, value) for name, value in os.environ.items() if not name.startswith(OF_THE_SHELL)))
    yield repr([_terminal(stream) for stream in (0, 1, 2)])
    yield from (grader.__file__, cache.sources(Path(grader.__file__).parent))
    yield repr([name for folder in sys.path for name in _distributions(folder)])
    compilers = (*map(toolkit.find, ("nvcc", "ptxas", "gcc", "g++")), toolkit.find_nvrtc())
    yield from map(_version, (*filter(None, compilers), *OF_THE_MACHINE))


def _terminal(stream: int) -> tuple[int, int] | None:
    try:
        return os.get_terminal_size(stream)
    except OSError:
        return None


def _distributions(folder: str) -> list[str]:
    """Return the packages that are installed in a folder; their names contain their versions."""
    try:
        return sorted(path.name for path in Path(folder).iterdir() if path.suffix in {".dist-info", ".egg-info"})
    except OSError:
        return []


def _version(path: Path) -> str:
    """Return what changes when a file is installed or replaced."""
    try:
        status = path.stat()
    except OSError:
        return f"no {path}"
    return f"{path.resolve()} {status.st_size} {status.st_mtime_ns}"
