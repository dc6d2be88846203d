"""Compiled files and results, by the hash of all that they depend on. Only judges read and write them.

Every file begins with the hash of its content, so that one that was cut off, or written by another version, counts as
missing. When there are too many bytes, the files that were not used for the longest time are removed.
"""

import fcntl
import functools
import hashlib
import os
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from grader.errors import InfrastructureError
from grader.host.atomic_write import write_bytes

FORMAT = "2"  # of the files; earlier versions of the grader keep theirs one folder above
HASH_BYTES = hashlib.sha256().digest_size
MOST_BYTES = 1 << 30
POLL_SECONDS = 0.01
LOOK_SECONDS = 600.0  # between two looks at the size: to list some ten thousand files takes a tenth of a second
LOOKED = ".looked"  # its time is that of the last look


def key(*parts: str | bytes) -> str:
    """The hash of the parts and of where each one ends."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


@functools.cache
def sources(folder: Path) -> str:
    """The hash of a package's files: what it makes of the same input depends on them."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__")
    return key(*(part for path in files for part in (str(path.relative_to(folder)), path.read_bytes())))


def read(name: str) -> bytes | None:
    """The content of the kept file `name`; None if there is none that is whole."""
    try:
        path = _directory() / name
        kept = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):  # it is another user's
        os.utime(path)  # most systems note one read a day
    content = kept[HASH_BYTES:]
    return content if hashlib.sha256(content).digest() == kept[:HASH_BYTES] else None


def write(name: str, content: bytes, mode: int = 0o666) -> None:
    """Keep `content` as `name`. Does nothing where the cache cannot be written."""
    with suppress(OSError, InfrastructureError):
        path = _directory() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, hashlib.sha256(content).digest() + content, mode, lasts=False)
        _bound(_directory())


@contextmanager
def lock(name: str, seconds: float) -> Iterator[bool]:
    """Keep out others who lock the same name. Goes on without the lock after so many seconds, or where none works.

    Gives whether nobody else has it.
    """
    with ExitStack() as stack:
        is_free = True
        with suppress(OSError):
            path = _directory() / name
            path.parent.mkdir(parents=True, exist_ok=True)
            file = stack.enter_context(path.open("ab"))
            until = time.monotonic() + seconds
            while not (is_free := _is_locked(file.fileno())) and time.monotonic() < until:
                time.sleep(POLL_SECONDS)
        yield is_free


def _is_locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def names(folder: str) -> list[str]:
    """Return the names of what is kept in a folder of the cache."""
    try:
        return [path.name for path in (_directory() / folder).iterdir() if not path.name.startswith(".")]
    except OSError:
        return []


def _bound(folder: Path) -> None:
    """Remove the files that were not used for longest, if all together take too much room. Others may do so too."""
    looked = folder / LOOKED
    with suppress(FileNotFoundError):
        if time.time() - looked.stat().st_mtime < LOOK_SECONDS:
            return
    looked.touch()
    found = sorted(_files(folder))
    excess = sum(size for _, size, _ in found) - MOST_BYTES
    for _, size, path in found:
        if excess <= 0:
            return
        path.unlink(missing_ok=True)
        excess -= size
        with suppress(OSError):  # other files are in it
            path.parent.rmdir()


def _files(folder: Path) -> Iterator[tuple[float, int, Path]]:
    """Yield when every file was last used, its bytes and its path."""
    for path in folder.rglob("*"):
        with suppress(OSError):  # it was removed meanwhile
            status = path.lstat()
            if stat.S_ISREG(status.st_mode) and path.name != LOOKED:
                yield status.st_mtime, status.st_size, path


def _directory() -> Path:
    """Where the cache is. Raises FileNotFoundError for a user without a home."""
    if named := os.environ.get("GRADER_CACHE"):
        return Path(named)
    import platformdirs  # a worker needs the keys of this module only

    with suppress(RuntimeError):  # of newer versions; older ones answer `~/.cache`
        usual = Path(platformdirs.user_cache_dir("matmul-grader", version=FORMAT))
        if usual.is_absolute():
            return usual
    raise FileNotFoundError("this user has no home")
