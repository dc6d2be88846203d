"""Start a worker: a process in a fresh box, confined as far as this machine allows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from grader.host import process, timeline
from grader.host.confinement.mechanism import guard
from grader.host.process import Local, Running
from grader.model import Backend, Limits
from grader.sandbox import box_files, bundles, bytecode, environment
from grader.sandbox.bundles import TRUSTED, Bundle
from grader.sandbox.client import LARGEST_ANSWER, Worker
from grader.sandbox.worker_rules import Purpose, confinement, rules

Start: TypeAlias = Callable[[Path, Backend, Limits, Purpose], Running]


def start_process(box: Path, backend: Backend, limits: Limits, purpose: Purpose, prefix: Sequence[str] = ()) -> Running:
    """Start a worker as a process of this machine, confined as far as possible; the judge enforces its limits.

    The words of `prefix` come before its command: those of a profiler, which is confined as the worker is.
    """
    bytecode.keep()
    command = [*prefix, sys.executable, "-m", "grader.worker.main", str(box), backend]
    allowed = rules(box, backend, limits, purpose)
    with (box / box_files.PRINTED).open("wb") as sink:
        guarded = guard(command, allowed, confinement(backend, purpose), box)
        return Local(process.start(guarded, cwd=box, sink=sink.fileno(), env=environment.of_worker(box), held=True))


@contextmanager
def worker(
    backend: Backend,
    limits: Limits,
    start: Start = start_process,
    purpose: Purpose = Purpose.EXECUTE,
    bundle: Bundle | None = None,
) -> Iterator[Worker]:
    """A worker in a fresh box, with the files of the submission's `bundle`.

    Leaving ends everything that the worker started, then keeps what it added to the bundle, and removes the box.
    """
    box = box_files.make()
    owner = ExitStack()
    try:
        owner.enter_context(box_files.owned(box))
        for given in (TRUSTED if backend.capabilities.measures_speed else None, bundle):
            if given:
                bundles.give(given, box)
        running = start(box, backend, limits, purpose)
        current = Worker(box, limits, running, bundle=bundle)
        try:
            yield current
        finally:
            running.kill()
            if current.bundle:
                bundles.keep(current.bundle, box)
            with suppress(OSError):  # nothing was recorded
                timeline.add_untrusted(box_files.read_plain(box / timeline.IN_BOX, LARGEST_ANSWER))
    finally:
        box_files.remove(box)
        owner.close()
