"""A worker for a submission that comes next, opened before it is needed: a device takes long to open."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from threading import Lock, Thread

from grader.contract.purpose import Purpose
from grader.errors import InfrastructureError
from grader.host.gpu_lock import GpuLock
from grader.model import Backend, Limits
from grader.sandbox.client import Worker
from grader.sandbox.processes import Start, start_process, started


@dataclass(frozen=True, slots=True)
class Spare:
    """A worker that nobody has taken yet, and the stack that ends it."""

    backend: Backend
    purpose: Purpose
    worker: Worker
    ending: ExitStack


_spares: list[Spare] = []
_lock = Lock()


def begin(backend: Backend, gpu: GpuLock, purpose: Purpose = Purpose.TIME) -> Thread | None:
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
        _added(backend, purpose).open_beside(gpu)
    except (InfrastructureError, OSError):
        end()


def _added(backend: Backend, purpose: Purpose) -> Worker:
    """Start a worker until it is taken or ended. No limit of a submission is fixed at the start of one on a GPU."""
    ending = ExitStack()
    worker = ending.enter_context(started(backend, Limits(), start_process, purpose))
    with _lock:
        _spares.append(Spare(backend, purpose, worker, ending))
    return worker


def taken(backend: Backend, limits: Limits, start: Start, purpose: Purpose) -> AbstractContextManager[Worker] | None:
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
def end() -> None:
    """End the processes that nobody has taken."""
    with _lock:
        ending = [*_spares]
        _spares.clear()
    for spare in ending:
        spare.ending.close()
