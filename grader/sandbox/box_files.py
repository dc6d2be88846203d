"""The files of a box, which a malicious process may have written."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

PREFIX = "grade-"
PRINTED = "printed"  # holds what the worker prints
SMALLEST_FILE = 64 << 10  # bytes that a file counts for at least, which bounds the number of empty ones


def make() -> Path:
    """Make a box that no other user may enter."""
    return Path(tempfile.mkdtemp(prefix=PREFIX))


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
