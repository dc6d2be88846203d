"""Who may use a GPU: any number of grades to check answers, or one alone to time, which others would disturb."""

import fcntl
import os
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from grader.host import nvml, timeline
from grader.model import Machine

WAITING = "Another grade is using this GPU; waiting until it is free."
FOLDER = Path("/tmp")  # noqa: S108 - not TMPDIR: all users of the GPU must find the same file
POLL_SECONDS = 0.005
PATIENCE_SECONDS, PAUSE_POLLS = 0.5, 40  # most checks take a tenth of a second
READABLE_BY_ALL = 0o444
OPENING = "matmul-grader-opening"
TURN_SECONDS = 5.0  # after which a device opens beside another: that one hangs
KINDS = ("next", "lock")  # the place of the next in line, and the GPU itself

OnWait = Callable[[], None]  # called once, when a wait begins


@dataclass(eq=False)
class GpuLock:
    """A grade's right to use a GPU. Without a `name` nothing waits: there is no GPU, or nobody shares it.

    A command that is killed holds no lock, and where no lock file can be made, nothing waits. A thread that holds the
    shared lock must not wait for another thread of the grade: that one may wait for its turn.
    """

    name: str = ""
    held_alone: bool = False

    def until_shared(self, on_wait: OnWait) -> None:
        """Wait while another command times kernels on the GPU; `on_wait` is called if that is so."""
        with _locks(self.name) as locks:
            _wait(_waits(locks, fcntl.LOCK_SH), on_wait)

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Use the GPU beside others, or as a part of what this grade does alone."""
        with _locks(self.name) as locks:
            with timeline.span("wait to share the GPU"):
                for _ in _waits(locks, fcntl.LOCK_SH):
                    if self.held_alone:
                        break
            with timeline.span("share the GPU"):
                yield

    @contextmanager
    def turn_to_open(self) -> Iterator[None]:
        """Wait until no other grade of this machine opens a device, on any GPU.

        The driver opens one after the other. If all began at once, each would share its GPU until all are open, and
        nobody could time meanwhile. A grade that has the turn must not wait for a GPU.
        """
        with _locks(OPENING if self.name else "", KINDS[1:]) as locks:
            with timeline.span("wait to open a device"):
                patient = time.monotonic() + TURN_SECONDS
                while locks and not _taken(locks[0], fcntl.LOCK_EX) and time.monotonic() < patient:
                    time.sleep(POLL_SECONDS)
            yield

    @contextmanager
    def alone(self, on_wait: OnWait = lambda: None) -> Iterator[None]:
        """Wait until nobody else uses the GPU, and have it alone in the block; `on_wait` is called if others use it."""
        with _locks(self.name) as locks:
            with timeline.span("wait to have the GPU alone"):
                _wait(_waits(locks, fcntl.LOCK_EX), on_wait)
            self.held_alone = True
            try:
                with timeline.span("have the GPU alone"):
                    yield
            finally:
                self.held_alone = False


NOBODY_SHARES = GpuLock()


def of(machine: Machine) -> GpuLock:
    """Return the lock of the first visible GPU, if the machine grades on one. Raises InfrastructureError."""
    return GpuLock(f"matmul-grader-{nvml.gpu_id()}") if machine.backend.capabilities.needs_device_lock else GpuLock()


@contextmanager
def _locks(name: str, kinds: tuple[str, ...] = KINDS) -> Iterator[tuple[int, ...]]:
    """Open the lock files; none without a name, or if one of them cannot be used."""
    opened = [_opened(FOLDER / f"{name}.{kind}") for kind in kinds] if name else []
    locks = tuple(lock for lock in opened if lock is not None)
    try:
        yield locks if len(locks) == len(kinds) else ()
    finally:
        for lock in locks:
            os.close(lock)


def _opened(path: Path) -> int | None:
    """Open a file of any user first: Linux may refuse O_CREAT for another user's file in a shared folder."""
    with suppress(OSError):
        return os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with suppress(OSError):
        created = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_NOFOLLOW, READABLE_BY_ALL)
        os.fchmod(created, READABLE_BY_ALL)  # whatever the umask
        return created
    return None


def _wait(waits: Iterator[None], on_wait: OnWait) -> None:
    for _ in islice(waits, 1):
        on_wait()
    for _ in waits:
        pass


def _waits(locks: tuple[int, ...], how: int) -> Generator[None]:
    """Repeat until the GPU is locked.

    A grade that waits long to be alone, for a kernel that hangs, lets others check for a moment.
    """
    while locks and not (yield from _waits_in_line(locks, how)):
        for _ in range(PAUSE_POLLS):
            yield
            time.sleep(POLL_SECONDS)


def _waits_in_line(locks: tuple[int, ...], how: int) -> Generator[None, None, bool]:
    """Repeat until the place of the next in line is locked, then the GPU; return whether it is, after some patience.

    So those who share the GPU cannot keep out a grade that needs it alone, and a sweep cannot take it again and again.
    """
    next_in_line, gpu = locks
    yield from _polls(lambda: _taken(next_in_line, fcntl.LOCK_EX))
    patient = time.monotonic() + PATIENCE_SECONDS
    yield from _polls(lambda: _taken(gpu, how) or (time.monotonic() > patient and _is_shared(gpu)))
    fcntl.flock(next_in_line, fcntl.LOCK_UN)
    return _taken(gpu, how)


def _polls(done: Callable[[], bool]) -> Generator[None]:
    while not done():
        yield
        time.sleep(POLL_SECONDS)


def _is_shared(gpu: int) -> bool:
    """Whether nobody has the GPU alone. Gives up what this grade has of it."""
    shared = _taken(gpu, fcntl.LOCK_SH)
    fcntl.flock(gpu, fcntl.LOCK_UN)
    return shared


def _taken(lock: int, kind: int) -> bool:
    """Try to lock; also true on a file system without locks, where nothing can wait."""
    try:
        fcntl.flock(lock, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
