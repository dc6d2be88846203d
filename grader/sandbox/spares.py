"""Processes of workers that start before it is known what they are for: Python takes a fifth of a second to start."""

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
    """What processes must have in common to serve for each other.

    Of the limits, the memory alone may confine a process; `memory_mib` is zero where it does not.
    """

    backend: Backend
    purpose: Purpose
    memory_mib: int


def kind(backend: Backend, purpose: Purpose, limits: Limits = DEFAULT) -> ProcessKind:
    """What a process for these limits must be."""
    return ProcessKind(backend, purpose, limits.memory_mib if has_limits(backend, purpose) else 0)


@dataclass(frozen=True, slots=True)
class Spare:
    """A process that nobody has taken, and what ends it."""

    begun: Begun
    ending: ExitStack


_spares: dict[ProcessKind, list[Spare]] = defaultdict(list)
_lock = Lock()


@contextmanager
def started(kinds: Iterable[ProcessKind]) -> Iterator[None]:
    """Start processes with the default limits, one for each kind. Those that nobody has taken end with the block."""
    try:
        with suppress(OSError, InfrastructureError):  # a worker that is started when it is needed reports it
            for wanted in kinds:
                ending = ExitStack()
                spare = ending.enter_context(begun(wanted.backend, DEFAULT, start_process, wanted.purpose))
                with _lock:
                    _spares[wanted].append(Spare(spare, ending))
        yield
    finally:
        end()


def taken(backend: Backend, limits: Limits, start: Start, purpose: Purpose) -> AbstractContextManager[Begun] | None:
    """A process of this kind that was started before, if there is one; leaving ends it."""
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
    """End what nobody has taken: a process that waits looks for requests all the time."""
    with _lock:
        unused = [spare for waiting in _spares.values() for spare in waiting]
        _spares.clear()
    for spare in unused:
        spare.ending.close()
