"""Start a worker, or take one that was opened before it was needed: a device takes long to open."""

import atexit
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from threading import Event, Lock, Thread

from grader.errors import InfrastructureError
from grader.host import timeline
from grader.host.gpu_lock import GpuLock
from grader.model import Backend, Limits, Purpose
from grader.sandbox import box_files, bundles
from grader.sandbox.bundles import Bundle
from grader.sandbox.client import LARGEST_ANSWER, Worker
from grader.sandbox.processes import Start, start_process, started


@dataclass(frozen=True, slots=True)
class Spare:
    """A worker that nobody has taken yet, and the stack that ends it."""

    backend: Backend
    purpose: Purpose
    worker: Worker
    ending: ExitStack


_spares: list[Spare] = []
_lock = Lock()  # kept while a spare starts, so that it can be taken or ended
_is_over = Event()  # the command ends, and no spare starts any more


@contextmanager
def worker(
    backend: Backend,
    limits: Limits,
    start: Start = start_process,
    purpose: Purpose = Purpose.EXECUTE,
    bundle: Bundle | None = None,
) -> Iterator[Worker]:
    """Start a worker in a new box, with the files of the submission's `bundle`.

    Leaving ends the worker and all its descendants, caches the files that it added to the bundle, and removes the box.
    """
    given = backend, limits, start, purpose
    with taken_spare(*given) or started(*given) as current:
        if bundle:
            current.carry(bundle)
        try:
            yield current
        finally:
            current.running.kill()
            if current.bundle:
                bundles.keep(current.bundle, current.box)
            with suppress(OSError):  # no timeline was recorded
                timeline.add_untrusted(box_files.read_plain(current.box / timeline.IN_BOX, LARGEST_ANSWER))


def begin_spare(backend: Backend, gpu: GpuLock, purpose: Purpose = Purpose.TIME) -> Thread | None:
    """Open a worker in the background; None for a backend on which nothing is timed.

    The next grade takes it, or starts its own if it did not open. `gpu` is a lock of its own, not that of the current
    grade: a device does not open while a kernel is timed on it.
    """
    if not backend.capabilities.measures_speed:
        return None
    opening = Thread(target=_open, args=(backend, gpu, purpose), daemon=True)
    opening.start()
    return opening


def _open(backend: Backend, gpu: GpuLock, purpose: Purpose) -> None:
    try:
        if added := _added(backend, purpose):
            added.open_beside(gpu)
    except (InfrastructureError, OSError):
        end_spares()


def _added(backend: Backend, purpose: Purpose) -> Worker | None:
    """Start a worker until it is taken or ended. No limit of a submission is fixed at the start of one on a GPU."""
    ending = ExitStack()
    with _lock:
        if _is_over.is_set():
            return None
        worker = ending.enter_context(started(backend, Limits(), start_process, purpose))
        _spares.append(Spare(backend, purpose, worker, ending))
    return worker


def taken_spare(
    backend: Backend, limits: Limits, start: Start, purpose: Purpose
) -> AbstractContextManager[Worker] | None:
    """Take a spare worker that is alive; None if there is none. Leaving ends it."""
    while start is start_process:
        with _lock:
            spare = next((each for each in _spares if (each.backend, each.purpose) == (backend, purpose)), None)
            if spare is None:
                break
            _spares.remove(spare)
        if not spare.worker.running.poll():
            return _until_left(spare, limits)
        spare.ending.close()
    return None


@contextmanager
def _until_left(spare: Spare, limits: Limits) -> Iterator[Worker]:
    with spare.ending:
        spare.worker.limits = limits
        yield spare.worker


@atexit.register
def _end_all() -> None:
    """End the spares at the end of the command, also one that is just starting: the fork server would wait for it."""
    _is_over.set()
    end_spares()


def end_spares() -> None:
    """End the processes that nobody has taken."""
    with _lock:
        ending = [*_spares]
        _spares.clear()
    for spare in ending:
        spare.ending.close()
