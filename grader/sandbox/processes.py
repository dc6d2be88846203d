"""The process of a worker, in a fresh box and confined as far as this machine allows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from grader.contract.purpose import Purpose
from grader.host import process
from grader.host.confinement.mechanism import guard
from grader.host.process import Local, Running
from grader.model import Backend, Limits
from grader.sandbox import box_files, bundles, bytecode, environment
from grader.sandbox.bundles import TRUSTED
from grader.sandbox.worker_rules import confinement, rules

Start: TypeAlias = Callable[[Path, Backend, Limits, Purpose], Running]


@dataclass(frozen=True, slots=True)
class Begun:
    """A process that has been started, and its box."""

    box: Path
    running: Running


def start_process(box: Path, backend: Backend, limits: Limits, purpose: Purpose, prefix: Sequence[str] = ()) -> Running:
    """Start a worker as a process of this machine, confined as far as possible; the judge enforces its limits.

    The words of `prefix` come before its command: those of a profiler, which is confined as the worker is.
    """
    bytecode.keep()
    command = [*prefix, sys.executable, "-m", "grader.worker.main", str(box), backend, purpose]
    allowed = rules(box, backend, limits, purpose)
    with (box / box_files.PRINTED).open("wb") as sink:
        guarded = guard(command, allowed, confinement(backend, purpose), box)
        return Local(process.start(guarded, cwd=box, sink=sink.fileno(), env=environment.of_worker(box), held=True))


@contextmanager
def begun(backend: Backend, limits: Limits, start: Start, purpose: Purpose) -> Iterator[Begun]:
    """A process in a fresh box. Leaving ends everything that it started, and removes the box."""
    box = box_files.make()
    owner = ExitStack()
    try:
        owner.enter_context(box_files.owned(box))
        if backend.capabilities.measures_speed:
            bundles.give(TRUSTED, box)
        running = start(box, backend, limits, purpose)
        try:
            yield Begun(box, running)
        finally:
            running.kill()
    finally:
        box_files.remove(box)
        owner.close()
