"""The workers of one grade, started early: a process takes a second or two to load CUDA."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Event
from types import MappingProxyType

from grader.contract.purpose import Purpose
from grader.host.gpu_lock import NOBODY_SHARES, GpuLock
from grader.judge.grade_plan import GradePlan
from grader.model import Backend, Limits
from grader.sandbox import bundles, spares
from grader.sandbox.client import Worker
from grader.sandbox.processes import Start, start_process
from grader.sandbox.starting import worker
from grader.timing.subjects import CHECKER, LIBRARY, NAIVE, SUBMISSION, TRACER

NEEDED_FIRST = (CHECKER, LIBRARY)  # for the checks
NO_WORKERS: Mapping[str, Worker] = MappingProxyType({})


def workers_ahead(plan: GradePlan, backend: Backend) -> tuple[str, ...]:
    """The names of the workers to start while the compiler runs: those for timing, and slow-starting checkers."""
    can = backend.capabilities
    tracer = () if backend.tracer in {None, backend} else (TRACER,)
    checkers = (CHECKER, *tracer) if can.starts_ahead else tracer
    if not (plan.timed and can.measures_speed):
        return checkers
    naive = (NAIVE,) if plan.rubric.naive and not plan.shares else ()
    return (*checkers, SUBMISSION, *naive, *((LIBRARY,) if plan.rubric.library else ()))


@contextmanager
def worker_pool(
    names: Sequence[str],
    backend: Backend,
    limits: Limits,
    start: Start = start_process,
    existing: Mapping[str, Worker] = NO_WORKERS,
    gpu: GpuLock = NOBODY_SHARES,
) -> Iterator[Mapping[str, Worker]]:
    """Start a worker for each name that has no existing one. Leaving ends the new ones only.

    Workers open in the background. Callers wait for one with `finish_opening`, which raises InfrastructureError if the
    worker could not open.
    """
    with ExitStack() as stack:
        opener = stack.enter_context(ThreadPoolExecutor(max_workers=1))
        workers: dict[str, Worker] = {}
        for name in names:
            given = _backend(name, backend), limits, start, purpose_of(name)
            workers[name] = existing.get(name) or stack.enter_context(worker(*given))
        for name, pooled in workers.items():
            pooled.begin_loading(timing=purpose_of(name) is Purpose.TIME)
        if TRACER in workers:
            workers[TRACER].begin_opening()
        stack.callback(_end_together, [workers[name] for name in names if name not in existing])
        ending = Event()
        stack.callback(ending.set)
        opener.submit(_open_in_turn, _by_need(workers), gpu, ending)
        yield workers


def _end_together(workers: Sequence[Worker]) -> None:
    """End workers concurrently: the driver takes a tenth of a second for each."""
    with ThreadPoolExecutor(max_workers=max(1, len(workers))) as ending:
        list(ending.map(lambda ended: ended.running.kill(), workers))


def _backend(name: str, backend: Backend) -> Backend:
    return (backend.tracer if name == TRACER else None) or backend


def purpose_of(name: str) -> Purpose:
    """Whether the worker of this name executes checked launches, or times."""
    return Purpose.EXECUTE if name in {CHECKER, TRACER} else Purpose.TIME


def _by_need(workers: Mapping[str, Worker]) -> Sequence[tuple[str, Worker]]:
    """The device's workers with their names; those that the checks need come first."""
    on_device = [named for named in workers.items() if named[0] != TRACER]
    return sorted(on_device, key=lambda named: named[0] not in NEEDED_FIRST)


def _open_in_turn(workers: Iterable[tuple[str, Worker]], gpu: GpuLock, ending: Event) -> None:
    """Open one worker after the other, then end the spare processes; the compiler has taken one by then.

    The driver loads one process at a time, in about half a second: two at once would both be late.
    """
    for name, pooled in workers:
        if ending.is_set():
            return
        if name != CHECKER:
            bundles.give(bundles.TRUSTED, pooled.box)  # with the code that the previous worker compiled
        pooled.open_beside(gpu)
    spares.end()
