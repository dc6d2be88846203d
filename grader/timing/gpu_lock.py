"""One grade at a time on a GPU: kernels of another command at the same time would disturb both timings."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from grader.host import nvml
from grader.model import Machine

WAITING = "Another grade has this GPU; waiting for it to end."
FOLDER = Path("/tmp")  # noqa: S108 - not TMPDIR: all users of the GPU must find the same file
POLL_SECONDS = 0.1
READABLE_BY_ALL = 0o444
KINDS = ("next", "lock")  # the place of the next in line, and the GPU itself


@contextmanager
def acquire(machine: Machine) -> Iterator[Iterator[None]]:
    """Yield an iterator that repeats while another command has the GPU, and ends once this command has it.

    A command that is killed holds no lock. Without a GPU, or if no lock file can be made, nothing waits.
    """
    locks = _locks(f"matmul-grader-{nvml.gpu_id()}") if machine.backend.capabilities.needs_device_lock else ()
    try:
        yield _waits(*locks) if len(locks) == len(KINDS) else iter(())
    finally:
        for lock in locks:
            os.close(lock)


def _locks(name: str) -> tuple[int, ...]:
    locks = [_opened(FOLDER / f"{name}.{kind}") for kind in KINDS]
    return tuple(lock for lock in locks if lock is not None)


def _opened(path: Path) -> int | None:
    """Open a file of any user first: Linux may refuse O_CREAT for another user's file in a shared folder."""
    with suppress(OSError):
        return os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with suppress(OSError):
        created = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW, READABLE_BY_ALL)
        os.fchmod(created, READABLE_BY_ALL)  # whatever the umask
        return created
    return None


def _waits(next_in_line: int, gpu: int) -> Iterator[None]:
    """Wait for the place of the next in line, then for the GPU, so that a sweep cannot take the GPU again and again."""
    for lock in (next_in_line, gpu):
        while not _taken(lock):
            yield
            time.sleep(POLL_SECONDS)
    fcntl.flock(next_in_line, fcntl.LOCK_UN)


def _taken(lock: int) -> bool:
    """Try to lock; also true on a file system without locks, where nothing can wait."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
