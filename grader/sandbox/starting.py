"""Start a worker, or take a spare process for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from grader.contract.purpose import Purpose
from grader.host import timeline
from grader.model import Backend, Limits
from grader.sandbox import box_files, bundles, spares
from grader.sandbox.bundles import Bundle
from grader.sandbox.client import LARGEST_ANSWER, Worker
from grader.sandbox.processes import Start, start_process, started


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
    with spares.taken(*given) or started(*given) as current:
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
