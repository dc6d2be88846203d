"""Ask whether the operating system still grants what programs need: one that is refused it may fail without a word."""

import errno
import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from mmap import MAP_PRIVATE, mmap
from pathlib import Path

from grader.errors import refusal

LITTLE = 4 << 20  # bytes; what a compiler leaves of a header alone may be as large
OF_A_WORKER = 12  # threads and processes: a worker's own, and those of a compiler that it runs twice at once


@contextmanager
def _named() -> Iterator[None]:
    try:
        yield
    except (OSError, RuntimeError) as error:
        raise refusal(error) or error from error


@_named()
def check_space(folder: Path) -> None:
    """Raise InfrastructureError if the disk is full."""
    status = os.statvfs(folder)
    if status.f_bavail * status.f_frsize < LITTLE:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))


@_named()
def check_threads(count: int = OF_A_WORKER) -> None:
    """Raise InfrastructureError if not so many more threads can start. Processes count as threads do."""
    released = threading.Event()
    threads = [threading.Thread(target=released.wait) for _ in range(count)]
    try:
        for thread in threads:
            thread.start()
    finally:
        released.set()


@_named()
def check_files(count: int) -> None:
    """Raise InfrastructureError if this process may not open so many more files."""
    with ExitStack() as opened:
        for _ in range(count // 2):
            for end in os.pipe():
                opened.callback(os.close, end)


@_named()
def check_memory(nbytes: int) -> None:
    """Raise InfrastructureError if this process may not have so much more memory, which is not used."""
    mmap(-1, nbytes, MAP_PRIVATE).close()
