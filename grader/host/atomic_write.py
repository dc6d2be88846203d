"""Replace a file so that a reader sees the old content or the whole new content, never a part of it."""

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from grader.errors import refused

PART = ".part-"


def write_text(path: Path, text: str) -> None:
    """Replace the file at `path` by `text` in UTF-8, as `write_bytes` does."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes, mode: int = 0o666, *, lasts: bool = True) -> None:
    """Replace the file at `path`, in a folder that only the grader writes to.

    Protects against crashes, power cuts, full disks and concurrent readers: `content` is on the disk before the old
    file is replaced. The umask applies to `mode`. It does not protect against other processes that change the folder.
    What need not last is not waited for: after a power cut, the file may have any content.

    Raises InfrastructureError when the disk is full or the folder cannot be written; the old file is then unchanged.
    """
    part = path.parent / f"{PART}{secrets.token_hex(8)}"  # same folder, because a rename does not cross file systems
    with disk_errors(path):
        try:
            with open(part, "xb", opener=partial(os.open, mode=mode)) as file:
                file.write(content)
                if lasts:
                    file.flush()
                    os.fsync(file.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


def write_in_hostile_folder(path: Path, content: bytes, mode: int) -> None:
    """Replace the file at `path`, in a folder that student code may write to as well.

    Protects against links and files that student code left under any name: the temporary file is new and has an
    unpredictable name, its mode is set through its descriptor, and a rename replaces a link instead of following it.
    Nothing is kept after the grade, so it does not protect against power cuts.

    Raises OSError when the disk is full or the folder cannot be written.
    """
    part = path.parent / f"{PART}{secrets.token_hex(8)}"
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    with os.fdopen(descriptor, "wb") as file:
        if os.fstat(descriptor).st_mode & 0o777 != mode:  # a worker may not set it, and its umask is open
            os.fchmod(descriptor, mode)
        file.write(content)
    part.replace(path)


def sweep(folder: Path, older_than: float = 0.0) -> None:
    """Remove the temporary files that killed commands left in `folder`, if they are older than so many seconds."""
    for part in folder.glob(f"{PART}{'[0-9a-f]' * 16}"):
        with suppress(OSError):
            if time.time() - part.lstat().st_mtime >= older_than:
                part.unlink()


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn an OSError while `path` is written into an InfrastructureError that names it."""
    try:
        yield
    except OSError as error:
        raise refused(error, f"{path} could not be written", "Name a folder that can be written.") from error
