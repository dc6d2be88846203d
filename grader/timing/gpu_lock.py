"""A GPU has one grade at a time: kernels of another command beside ours would cost both their timing."""

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
FOLDER = Path("/tmp")  # noqa: S108 - not TMPDIR: whoever shares the GPU must find the same file
LOOK_SECONDS = 0.1
EVERYONE = 0o444
KINDS = ("next", "lock")  # of who is next, and of who has the GPU


@contextmanager
def queue(where: Machine) -> Iterator[Iterator[None]]:
    """Gives what yields again and again while the GPU is another's; once that ends, the GPU is ours.

    A command that is killed holds nothing. Where there is no GPU, or no such file can be had, nobody waits.
    """
    locks = _locks(f"matmul-grader-{nvml.gpu_id()}") if where.backend.capabilities.needs_device_lock else ()
    try:
        yield _waits(*locks) if len(locks) == len(KINDS) else iter(())
    finally:
        for one in locks:
            os.close(one)


def _locks(name: str) -> tuple[int, ...]:
    found = [_opened(FOLDER / f"{name}.{kind}") for kind in KINDS]
    return tuple(one for one in found if one is not None)


def _opened(path: Path) -> int | None:
    """Open a file that all users share; a kernel may refuse O_CREAT for another user's file in a shared folder."""
    with suppress(OSError):
        return os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with suppress(OSError):
        made = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW, EVERYONE)
        os.fchmod(made, EVERYONE)  # whatever the umask
        return made
    return None


def _waits(following: int, lock: int) -> Iterator[None]:
    """Whoever waits is next, and who had the GPU last has to wait for that: else a sweep would let nobody in."""
    for one in (following, lock):
        while not _taken(one):
            yield
            time.sleep(LOOK_SECONDS)
    fcntl.flock(following, fcntl.LOCK_UN)


def _taken(lock: int) -> bool:
    """Also where the file system knows no locks: then nobody waits."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
