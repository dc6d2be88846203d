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
from grader.sandbox.processes import Start, begun, start_process


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
    with spares.taken(*given) or begun(*given) as process:
        if bundle:
            bundles.give(bundle, process.box)
        current = Worker(process.box, limits, process.running, bundle=bundle)
        try:
            yield current
        finally:
            process.running.kill()
            if current.bundle:
                bundles.keep(current.bundle, process.box)
            with suppress(OSError):  # no timeline was recorded
                timeline.add_untrusted(box_files.read_plain(process.box / timeline.IN_BOX, LARGEST_ANSWER))
