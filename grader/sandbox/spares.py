"""Spare workers, started before they are needed, because a device takes long to open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from threading import Lock

from grader.contract.purpose import Purpose
from grader.model import Backend, Limits
from grader.sandbox.client import Worker
from grader.sandbox.processes import Start, begun, start_process
from grader.sandbox.worker_rules import has_limits

DEFAULT = Limits()


@dataclass(frozen=True, slots=True)
class ProcessKind:
    """The properties in which a spare process must match the one that is needed.

    Of the limits, only that of memory is fixed at the start of a process; `memory_mib` is 0 if even that is not.
    """

    backend: Backend
    purpose: Purpose
    memory_mib: int


def kind(backend: Backend, purpose: Purpose, limits: Limits = DEFAULT) -> ProcessKind:
    """The kind of a process with these limits."""
    return ProcessKind(backend, purpose, limits.memory_mib if has_limits(backend, purpose) else 0)


@dataclass(frozen=True, slots=True)
class Spare:
    """A worker that nobody has taken yet, and the stack that ends it."""

    worker: Worker
    ending: ExitStack


_spares: dict[ProcessKind, list[Spare]] = defaultdict(list)
_lock = Lock()


def add(wanted: ProcessKind) -> Worker:
    """Start a process of this kind, with the default limits, until it is taken or ended."""
    ending = ExitStack()
    process = ending.enter_context(begun(wanted.backend, DEFAULT, start_process, wanted.purpose))
    spare = Spare(Worker(process.box, DEFAULT, process.running, wanted.purpose is Purpose.TIME), ending)
    with _lock:
        _spares[wanted].append(spare)
    return spare.worker


def taken(backend: Backend, limits: Limits, start: Start, purpose: Purpose) -> AbstractContextManager[Worker] | None:
    """Take a spare worker of this kind that is alive; None if there is none. Leaving ends it."""
    while start is start_process:
        with _lock:
            waiting = _spares[kind(backend, purpose, limits)]
            if not waiting:
                break
            spare = waiting.pop(0)
        if not spare.worker.running.poll():
            return _until_left(spare, limits)
        spare.ending.close()
    return None


@contextmanager
def _until_left(spare: Spare, limits: Limits) -> Iterator[Worker]:
    with spare.ending:
        spare.worker.limits = limits
        yield spare.worker


def end(only: ProcessKind | None = None) -> None:
    """End the processes that nobody has taken, all or those of one kind."""
    with _lock:
        ending = [(of, spare) for of, waiting in _spares.items() for spare in waiting if only in {None, of}]
        for of, spare in ending:
            _spares[of].remove(spare)
    for _, spare in ending:
        spare.ending.close()
