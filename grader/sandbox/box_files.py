"""The files of a box. A hostile process may have written them."""

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
ABANDONED = re.compile(r"grade-(box|batch)-[a-z0-9_]{8}")  # the names that tempfile chooses; no folder of a user
STARTING_SECONDS = 10  # in which an owner has surely locked a new folder
IN_MEMORY = Path("/dev/shm")  # noqa: S108 - small files are ten times as fast here
LEAST_IN_MEMORY = 64 << 30  # bytes that must be free there: a few boxes at their limits
PRINTED = "printed"  # the name of the file with the worker's output
SMALLEST_FILE = 64 << 10  # bytes; smaller files count as this many, which bounds the number of files


def make() -> Path:
    """Create a box that no other user can enter."""
    return Path(tempfile.mkdtemp(prefix=PREFIX, dir=_folders()[0]))


def _folders() -> tuple[Path, ...]:
    """The folders that may contain boxes; new ones are made in the first. TMPDIR, if it is set, comes before memory."""
    usual = Path(tempfile.gettempdir()).absolute()  # absolute, because a worker starts in another folder
    if os.environ.get("TMPDIR") or not os.access(IN_MEMORY, os.W_OK):
        return (usual,)
    has_room = shutil.disk_usage(IN_MEMORY).free >= LEAST_IN_MEMORY
    return (IN_MEMORY, usual) if has_room else (usual, IN_MEMORY)


@contextmanager
def owned(folder: Path) -> Iterator[None]:
    """Lock a temporary folder. The system releases the lock however this process ends."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def sweep() -> None:
    """Remove this user's temporary folders whose owner was killed before it could remove them."""
    for folder in (folder for parent in _folders() for folder in parent.glob("grade-*")):
        with suppress(OSError):  # another process has removed it
            status = folder.lstat()
            mine = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
            if mine and ABANDONED.fullmatch(folder.name) and time.time() - status.st_ctime > STARTING_SECONDS:
                _remove_unless_owned(folder)


def _remove_unless_owned(folder: Path) -> None:
    """Remove a folder. Raises BlockingIOError if its owner is alive."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove(folder)
    finally:
        os.close(handle)


def remove(box: Path) -> None:
    """Remove a box and all in it, even folders that a worker made unreadable."""
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
    """Read at most `most` bytes of a file that a worker wrote. Raises the errors of `open_plain`."""
    with open_plain(path) as file:
        return file.read(most)


def size(path: Path) -> int:
    """The size of a file in bytes; 0 if it does not exist."""
    try:
        return path.lstat().st_size
    except FileNotFoundError:
        return 0


def is_heavier(box: Path, most: int) -> bool:
    """Whether the files of the box take more than `most` bytes on disk."""
    total = 0
    for folder, names, files in os.walk(box):
        for name in names + files:
            with suppress(OSError):  # removed in the meantime
                blocks = Path(folder, name).lstat().st_blocks
                total += max(blocks * 512, SMALLEST_FILE)  # POSIX counts blocks of 512 bytes
        if total > most:
            return True
    return False
