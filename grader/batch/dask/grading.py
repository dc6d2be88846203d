"""Grade jobs on a Dask cluster: one job at a time for each worker, with retries on other workers."""
# mypy: allow-untyped-calls, allow-any-generics
# Dask has types in places only.

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from queue import SimpleQueue
from threading import Event
from typing import Any, TypeVar

from distributed import Client, Future, KilledWorker, as_completed

from grader.batch.dask.clusters import GPU, scheduler_lost, workers
from grader.batch.run import retries
from grader.batch.run.engine import OnStart
from grader.batch.run.job import Job, JobOutcome, grade_job, machine_here
from grader.errors import InfrastructureError, UsageError
from grader.model import Backend, Machine

LOOK_SECONDS, LOOK_FOR_WORKERS_SECONDS = 0.05, 5.0
FETCH_SECONDS = 60  # a report is some kilobytes
T = TypeVar("T")


def machine_of(client: Client, wanted: Backend | None, image: str, *, allow_unconfined: bool) -> Machine:
    """Return the machine of the first worker that answers; of one with a GPU if there is any.

    Raises InfrastructureError if the worker cannot grade.
    """
    resources = {GPU: 1} if workers(client, gpu=True) else None
    machine = outcome(client.submit(machine_here, wanted, image, allow_unconfined, pure=False, resources=resources))
    if not isinstance(machine, Machine):
        raise machine
    return machine


def grade_all(
    client: Client, jobs: Sequence[Job], *, gpu: bool, on_start: OnStart, on_no_workers: Callable[[], None]
) -> Iterator[tuple[Job, JobOutcome]]:
    """Yield every job with its report, or with the grader error that prevented one, in the order of arrival.

    A worker has one job at a time, so that workers that join later also get jobs. It gets the next one at once, even
    while the caller writes the previous report: eight GPUs finish two submissions per second. `on_start` is called when
    a job is given to a worker, `on_no_workers` when the last worker has left; grading continues if others join, as they
    may in a batch system.

    Raises UsageError if no worker offers the `gpu` that is needed, InfrastructureError when the scheduler is lost.
    """
    if workers(client) and not workers(client, gpu=gpu):
        hint = "Start each worker with `dask worker ADDRESS --nthreads 1 --resources GPU=1`."
        raise UsageError("No worker of the cluster offers a GPU.", hint)
    scheduler = JobScheduler(client, jobs, gpu=gpu, on_start=on_start)
    yield from prefetch_in_thread(partial(scheduler.outcomes, on_no_workers))


class JobScheduler:
    """Gives every worker one job at a time, and records which: Dask does not report the worker of a failed job."""

    def __init__(self, client: Client, jobs: Sequence[Job], *, gpu: bool, on_start: OnStart) -> None:
        self._client, self._gpu, self._on_start = client, gpu, on_start
        self._waiting = [retries.Try(job) for job in jobs]
        self._running: dict[Future, tuple[retries.Try, str]] = {}
        self._completed = as_completed()
        self._faults: Counter[str] = Counter()

    def outcomes(self, on_no_workers: Callable[[], None], stop: Event) -> Iterator[tuple[Job, JobOutcome]]:
        """Yield the jobs as `grade_all`. Ends soon after `stop` is set; the cluster is closing then, and not used."""
        self._submit_waiting()
        had_workers = True
        while self._waiting or self._running:
            arrived = self._wait(stop)
            if stop.is_set():
                return
            finished = self._collect(arrived) if arrived else self._recall_lost()
            has_workers = bool(workers(self._client, gpu=self._gpu))
            if had_workers and not has_workers:
                on_no_workers()
            had_workers = has_workers
            self._submit_waiting()
            yield from finished

    def _submit_waiting(self) -> None:
        """Submit a waiting job to every idle worker."""
        busy = {worker for _, worker in self._running.values()}
        resources = {GPU: 1} if self._gpu else None
        connected = workers(self._client, gpu=self._gpu)
        for tried, worker in retries.assign(self._waiting, retries.healthy_workers(connected, self._faults), busy):
            self._waiting.remove(tried)
            job = replace(tried.job, is_followed=len(self._waiting) >= len(connected))
            key = f"grade-{secrets.token_hex(8)}"
            future = self._client.submit(grade_job, job, key=key, pure=False, workers=[worker], resources=resources)
            self._running[future] = tried, worker
            self._completed.add(future)
            self._on_start(tried.job, connected[worker])

    def _wait(self, stop: Event) -> list[Future]:
        """Wait for completed futures and return them; return none after some seconds, to look for lost workers."""
        until = time.monotonic() + LOOK_FOR_WORKERS_SECONDS
        while not self._completed.has_ready() and time.monotonic() < until and not stop.is_set():
            time.sleep(LOOK_SECONDS)
        arrived = []
        while self._completed.has_ready():
            arrived.append(next(self._completed))
        return arrived

    def _collect(self, arrived: Sequence[Future]) -> list[tuple[Job, JobOutcome]]:
        """Return the finished jobs. After a grader error, a job is queued again if another worker can retry it."""
        finished = []
        for future in arrived:
            if future in self._running:  # the others were recalled
                result = outcome(future, FETCH_SECONDS)  # limited, because a closing client may never return it
                tried, worker = self._running.pop(future)
                self._faults[worker] = self._faults[worker] + 1 if retries.is_grader_error(result) else 0
                healthy = retries.healthy_workers(workers(self._client, gpu=self._gpu), self._faults)
                retry = retries.retry_after_fault(tried, result, worker, healthy)
                finished += self._retry_or_finish(retry, tried, result)
        return finished

    def _recall_lost(self) -> list[tuple[Job, JobOutcome]]:
        """Queue the jobs of workers that have left again. Return those that were lost too often, with an error.

        Raises InfrastructureError when the scheduler is lost.
        """
        if self._client.status == "closed":
            raise scheduler_lost()
        connected, finished = workers(self._client), []
        for future, (tried, worker) in list(self._running.items()):
            if worker not in connected:
                del self._running[future]
                future.cancel()
                finished += self._retry_or_finish(retries.retry_after_worker_loss(tried), tried, machine_lost())
        return finished

    def _retry_or_finish(
        self, retry: retries.Try | None, tried: retries.Try, result: JobOutcome
    ) -> list[tuple[Job, JobOutcome]]:
        if retry is None:
            return [(tried.job, result)]
        self._waiting.append(retry)
        return []


def outcome(future: Future, seconds: float | None = None) -> Any:
    """Return a job's value, or an InfrastructureError if it failed or does not end in `seconds`.

    Raises InfrastructureError if the scheduler is lost.
    """
    try:
        error = future.exception(timeout=seconds)
        if future.cancelled():
            raise scheduler_lost()
        if error is None:
            return future.result(timeout=FETCH_SECONDS)  # fetched from its worker, which may have left the cluster
    except TimeoutError:
        return machine_lost()
    if isinstance(error, InfrastructureError):
        return error
    if isinstance(error, KilledWorker):
        return machine_lost()
    return InfrastructureError(f"The worker of the cluster failed: {type(error).__name__}: {error}.")


def machine_lost() -> InfrastructureError:
    """Return the error of one job whose worker disappeared."""
    return InfrastructureError("The machine that graded it was lost.", "Check whether it ran out of memory.")


def prefetch_in_thread(items: Callable[[Event], Iterable[T]]) -> Iterator[T]:
    """Yield every item in order, then raise the iterator's exception if there was one.

    `items` is called with an event that is set when the caller takes no more items. The iterator must then end soon. No
    item may be None. The thread ends before this iterator does.
    """
    fetched: SimpleQueue[T | None] = SimpleQueue()
    stop = Event()

    def fetch() -> None:
        try:
            for item in items(stop):
                fetched.put(item)
        finally:
            fetched.put(None)

    with ThreadPoolExecutor(max_workers=1) as thread:
        fetching = thread.submit(fetch)
        try:
            while (item := fetched.get()) is not None:
                yield item
        finally:
            stop.set()
        fetching.result()
