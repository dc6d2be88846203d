"""The workers of one kernel, started early: a process on a GPU takes a second or two to load CUDA."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from types import MappingProxyType

from grader.model import Backend, Limits
from grader.sandbox.client import Start, Worker, start_process, worker
from grader.timing.subjects import CHECKER, LIBRARY

NEEDED_FIRST = (CHECKER, LIBRARY)  # by checking
NO_WORKERS: Mapping[str, Worker] = MappingProxyType({})


@contextmanager
def worker_pool(
    names: Sequence[str],
    backend: Backend,
    limits: Limits,
    start: Start = start_process,
    existing: Mapping[str, Worker] = NO_WORKERS,
) -> Iterator[Mapping[str, Worker]]:
    """A worker for each name, or the existing one, which outlives the pool. Those that checking needs begin to open."""
    with ExitStack() as stack:
        workers = {
            name: existing[name] if name in existing else stack.enter_context(worker(backend, limits, start))
            for name in names
        }
        for name in NEEDED_FIRST:
            if name in workers:
                workers[name].begin_opening()
        yield workers


def open_all(workers: Mapping[str, Worker]) -> None:
    """Wait for the checker, and only then let the others begin to open.

    The driver loads one process at a time, about a quarter of a second each: four at once are all late.
    """
    if CHECKER in workers:
        workers[CHECKER].finish_opening()
    for pooled in workers.values():
        pooled.begin_opening(timing=True)
