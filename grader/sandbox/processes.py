"""Start the process of a worker, in a new box, and as confined as this machine allows."""

from __future__ import annotations

import compileall
import functools
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

from grader.contract.purpose import Purpose
from grader.host import cache
from grader.host.confinement.mechanism import guard
from grader.host.process import Running
from grader.model import Backend, Limits
from grader.sandbox import box_files, bundles, forking
from grader.sandbox.bundles import TRUSTED
from grader.sandbox.client import Worker
from grader.sandbox.worker_rules import confinement, rules

Start: TypeAlias = Callable[[Path, Backend, Limits, Purpose], Running]
PACKAGES = ("grader.worker", "llvmlite", "elftools")


def start_process(box: Path, backend: Backend, limits: Limits, purpose: Purpose, prefix: Sequence[str] = ()) -> Running:
    """Start a worker as a process of this machine, confined as far as possible; the judge enforces its limits.

    `prefix` is put before the worker's command: the command of a profiler, which is confined like the worker.
    """
    keep_bytecode()
    command = [*prefix, sys.executable, "-m", "grader.worker.main", str(box), backend, purpose]
    allowed = rules(box, backend, limits, purpose)
    return forking.start(guard(command, allowed, confinement(backend, purpose), box))


@contextmanager
def started(backend: Backend, limits: Limits, start: Start, purpose: Purpose) -> Iterator[Worker]:
    """Start a worker in a new box. Leaving ends it and all its descendants, and removes the box."""
    box = box_files.make()
    owner = ExitStack()
    try:
        owner.enter_context(box_files.owned(box))
        if backend.capabilities.measures_speed:
            bundles.give(TRUSTED, box)
        running = start(box, backend, limits, purpose)
        try:
            yield Worker(box, limits, running, purpose is Purpose.TIME)
        finally:
            running.kill()
    finally:
        box_files.remove(box)
        owner.close()


@functools.cache
def keep_bytecode() -> None:
    """Compile what confined workers cannot save, so that they do not compile it at every start.

    To see that all is compiled takes longer than a worker's start; so it is noted for folders that have not changed.
    """
    if sys.dont_write_bytecode:
        return
    specs = [spec for spec in map(find_spec, PACKAGES) if spec]
    folders = [folder for spec in specs for folder in spec.submodule_search_locations or ()]
    if cache.read(_state(folders)) is None:
        for folder in folders:
            compileall.compile_dir(folder, quiet=2)
        cache.write(_state(folders), b"")


def _state(folders: Sequence[str]) -> str:
    """Return a name for what is in these folders now: files that are added, removed or replaced change it."""
    every = [place for folder in folders for place, _, _ in os.walk(folder) if not place.endswith("__pycache__")]
    return cache.key("bytecode", sys.version, *(f"{place} {Path(place).stat().st_mtime_ns}" for place in every))
