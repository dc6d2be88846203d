"""The files of a box, which a malicious process may have written."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

PREFIX = "grade-box-"
ABANDONED = re.compile(r"grade-(box|batch)-[a-z0-9_]{8}")  # as tempfile names them; no folder of a user
STARTING_SECONDS = 10  # an owner makes a folder and locks it at once
IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a file system in which a small file takes a tenth of the time
LEAST_IN_MEMORY = 64 << 30  # bytes that must be free there: some boxes with as much as their limit allows
PRINTED = "printed"  # holds what the worker prints
SMALLEST_FILE = 64 << 10  # bytes that a file counts for at least, which bounds the number of empty ones


def make() -> Path:
    """Make a box that no other user may enter."""
    return Path(tempfile.mkdtemp(prefix=PREFIX, dir=_folders()[0]))


def _folders() -> tuple[Path, ...]:
    """Where boxes are: the first for new ones. A user's own choice for temporary files comes before memory."""
    usual = Path(tempfile.gettempdir()).absolute()  # a worker starts in another folder
    if os.environ.get("TMPDIR") or not os.access(IN_MEMORY, os.W_OK):
        return (usual,)
    has_room = shutil.disk_usage(IN_MEMORY).free >= LEAST_IN_MEMORY
    return (IN_MEMORY, usual) if has_room else (usual, IN_MEMORY)


@contextmanager
def owned(folder: Path) -> Iterator[None]:
    """Hold the lock of a temporary folder, which the system releases however this process ends."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def sweep() -> None:
    """Remove temporary folders of this user whose owner has ended without removing them, killed or without power."""
    for folder in (folder for parent in _folders() for folder in parent.glob("grade-*")):
        with suppress(OSError):  # another command is faster
            status = folder.lstat()
            mine = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
            if mine and ABANDONED.fullmatch(folder.name) and time.time() - status.st_ctime > STARTING_SECONDS:
                _remove_unless_owned(folder)


def _remove_unless_owned(folder: Path) -> None:
    """Raises BlockingIOError if the owner is alive."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove(folder)
    finally:
        os.close(handle)


def remove(box: Path) -> None:
    """Remove a box, with folders in it that were made unreadable."""
    for folder, names, _ in os.walk(box):
        for inner in (Path(folder, name) for name in names):
            if not inner.is_symlink():
                with suppress(OSError):
                    inner.chmod(0o700)
    shutil.rmtree(box, ignore_errors=True)


def open_plain(path: Path) -> BinaryIO:
    """Open a file that a worker wrote. Raises OSError for a link, a pipe or a folder."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(f"{path.name} is not a regular file")
    return os.fdopen(handle, "rb")


def read_plain(path: Path, most: int) -> bytes:
    """The first `most` bytes of such a file."""
    with open_plain(path) as file:
        return file.read(most)


def size(path: Path) -> int:
    """Bytes of a file, 0 if there is none."""
    try:
        return path.lstat().st_size
    except FileNotFoundError:
        return 0


def is_heavier(box: Path, most: int) -> bool:
    """Whether the files of the box take more than `most` bytes of the disk."""
    total = 0
    for folder, names, files in os.walk(box):
        for name in names + files:
            with suppress(OSError):  # removed since
                blocks = Path(folder, name).lstat().st_blocks
                total += max(blocks * 512, SMALLEST_FILE)  # POSIX counts blocks of 512 bytes
        if total > most:
            return True
    return False
