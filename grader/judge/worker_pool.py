"""The workers of one grade by their names, started early: a process takes a second or two to load CUDA."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Event
from types import MappingProxyType

from grader.host.gpu_lock import GpuLock
from grader.judge.conditions import Conditions, GradePlan
from grader.model import Backend, Purpose
from grader.sandbox import bundles
from grader.sandbox.client import Worker
from grader.sandbox.starting import worker

# Each subject of a timing has a worker, and that of the submission also checks it. In a grade without timing, the
# checker does. The tracer traces launches.
CHECKER, TRACER, SUBMISSION, NAIVE, LIBRARY = "checker", "tracer", "submission", "naive", "library"

NO_WORKERS: Mapping[str, Worker] = MappingProxyType({})


def checkers(backend: Backend) -> tuple[str, ...]:
    """The names of the workers of a check, which start while the compiler runs, because they start slowly."""
    return (CHECKER,) if backend.tracer in {None, backend} else (CHECKER, TRACER)


def workers_ahead(plan: GradePlan, backend: Backend) -> tuple[str, ...]:
    """The names of the workers to start while the compiler runs; those that the checks need come first.

    In a grade with timing, the submission's worker checks it, too.
    """
    if not (plan.timed and backend.capabilities.measures_speed):
        return checkers(backend)
    naive = (NAIVE,) if plan.rubric.naive and not plan.shares else ()
    others = (*((LIBRARY,) if plan.rubric.library else ()), *naive)
    return (SUBMISSION, *(name for name in checkers(backend) if name != CHECKER), *others)


@contextmanager
def worker_pool(
    names: Sequence[str], conditions: Conditions, existing: Mapping[str, Worker] = NO_WORKERS
) -> Iterator[Mapping[str, Worker]]:
    """Start a worker for each name that has no existing one. Leaving ends the new ones only.

    New workers open in the background, the others when they are needed. Callers wait for one with `finish_opening`,
    which raises InfrastructureError if the worker could not open.
    """
    with ExitStack() as stack:
        opener = stack.enter_context(ThreadPoolExecutor(max_workers=1))
        backend, limits, workers = conditions.backend, conditions.rubric.limits, dict[str, Worker]()
        for name in names:
            given = backend_of(name, backend), limits, conditions.start, purpose_of(name)
            workers[name] = existing.get(name) or stack.enter_context(worker(*given))
        if TRACER in workers:
            workers[TRACER].begin_opening()
        stack.callback(_end_together, [workers[name] for name in names if name not in existing])
        ending = Event()
        stack.callback(ending.set)
        own = [named for named in workers.items() if named[0] not in {TRACER, *existing}]
        opener.submit(_open_in_turn, own, conditions.gpu, ending)
        yield workers


@contextmanager
def workers_to_time(
    workers: Mapping[str, Worker], conditions: Conditions, *, all_correct: bool
) -> Iterator[Mapping[str, Worker]]:
    """Give the workers for timing: among them the one that checked, or a new one unless it is `all_correct`.

    What a failed kernel did, such as a write outside its matrices, must not affect its timed launches.
    """
    checked = workers[SUBMISSION]
    if all_correct and not checked.running.poll():
        yield workers
        return
    checked.running.kill()
    with worker_pool((SUBMISSION,), conditions) as fresh:
        yield {**workers, **fresh}


def _end_together(workers: Sequence[Worker]) -> None:
    """End workers concurrently: the driver takes a tenth of a second for each."""
    with ThreadPoolExecutor(max_workers=max(1, len(workers))) as ending:
        list(ending.map(lambda ended: ended.running.kill(), workers))


def backend_of(name: str, backend: Backend) -> Backend:
    """The backend of the worker of this name in a grade with this backend."""
    return (backend.tracer if name == TRACER else None) or backend


def purpose_of(name: str) -> Purpose:
    """Whether the worker of this name executes checked launches, or times."""
    return Purpose.EXECUTE if name in {CHECKER, TRACER} else Purpose.TIME


def _open_in_turn(workers: Iterable[tuple[str, Worker]], gpu: GpuLock, ending: Event) -> None:
    """Open one worker after the other.

    The driver loads one process at a time, in about half a second: two at once would both be late.
    """
    for name, pooled in workers:
        if ending.is_set():
            return
        if name in {NAIVE, LIBRARY}:
            bundles.give(bundles.TRUSTED, pooled.box)  # with the code that the previous worker compiled
        pooled.open_beside(gpu)
