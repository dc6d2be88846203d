"""Spare processes: workers started before they are needed, because Python takes a fifth of a second to start."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from threading import Lock

from grader.contract.purpose import Purpose
from grader.errors import InfrastructureError
from grader.model import Backend, Limits
from grader.sandbox.processes import Begun, Start, begun, start_process
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
    """A process that is not used yet, and the stack that ends it."""

    begun: Begun
    ending: ExitStack


_spares: dict[ProcessKind, list[Spare]] = defaultdict(list)
_lock = Lock()


@contextmanager
def started(kinds: Iterable[ProcessKind]) -> Iterator[None]:
    """Start one process of each kind, with the default limits. Leaving ends those that are still unused."""
    try:
        with suppress(OSError, InfrastructureError):  # the worker that starts later instead reports the error
            for wanted in kinds:
                ending = ExitStack()
                spare = ending.enter_context(begun(wanted.backend, DEFAULT, start_process, wanted.purpose))
                with _lock:
                    _spares[wanted].append(Spare(spare, ending))
        yield
    finally:
        end()


def taken(backend: Backend, limits: Limits, start: Start, purpose: Purpose) -> AbstractContextManager[Begun] | None:
    """Take a spare process of this kind; None if there is none. Leaving ends the process."""
    if start is not start_process:
        return None
    with _lock:
        waiting = _spares[kind(backend, purpose, limits)]
        return _until_left(waiting.pop(0)) if waiting else None


@contextmanager
def _until_left(spare: Spare) -> Iterator[Begun]:
    with spare.ending:
        yield spare.begun


def end() -> None:
    """End the unused processes: a waiting worker polls for requests, which takes CPU time."""
    with _lock:
        unused = [spare for waiting in _spares.values() for spare in waiting]
        _spares.clear()
    for spare in unused:
        spare.ending.close()
