"""The worker of a process's next submission, opened while the current one is graded."""

from __future__ import annotations

from threading import Thread

from grader.contract.purpose import Purpose
from grader.errors import InfrastructureError
from grader.host.gpu_lock import GpuLock
from grader.model import Backend
from grader.sandbox import spares
from grader.sandbox.spares import ProcessKind, kind


def begin(backend: Backend, gpu: GpuLock) -> Thread | None:
    """Open a worker that checks and times in the background; None for a backend on which nothing is timed.

    The next grade takes it, or starts its own if it did not open. `gpu` is a lock of its own, not that of the current
    grade: a device does not open while a kernel is timed on it.
    """
    if not backend.capabilities.measures_speed:
        return None
    opening = Thread(target=_open, args=(kind(backend, Purpose.TIME), gpu), daemon=True)
    opening.start()
    return opening


def _open(wanted: ProcessKind, gpu: GpuLock) -> None:
    try:
        worker = spares.add(wanted)
        worker.open_beside(gpu)
    except (InfrastructureError, OSError):
        spares.end(wanted)
