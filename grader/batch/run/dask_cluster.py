"""Dask: workers of this machine, or of any cluster that is there. The only module that imports it."""
# mypy: allow-untyped-calls, allow-any-generics
# Dask has types in places only.

from __future__ import annotations

import logging
import os
import secrets
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from threading import Event
from typing import Any

import dask
from distributed import (
    Client,
    Future,
    KilledWorker,
    Nanny,
    Scheduler,
    Security,
    SpecCluster,
    Worker,
    WorkerPlugin,
    as_completed,
)

from grader.batch.run import worker_placement
from grader.batch.run.engine import JobOutcome
from grader.batch.run.interrupts import ignored_once_begun
from grader.batch.run.job import Job, grade_job, machine_here
from grader.batch.run.prefetch import prefetch_in_thread
from grader.batch.run.retry import (
    Attempt,
    assign,
    healthy_workers,
    is_grader_error,
    retry_after_fault,
    retry_after_worker_loss,
)
from grader.batch.run.scratch import scratch
from grader.errors import InfrastructureError, UsageError
from grader.model import Backend, Machine
from grader.text.clean import one_line

GPU = "GPU"
CONNECT_SECONDS = 5
FETCH_SECONDS = 60  # a report is some kilobytes
END_SECONDS = 0.5
LOOK_SECONDS, LOOK_FOR_WORKERS_SECONDS = 0.05, 5.0
LOOPBACK = "127.0.0.1"
PRE_SPAWN = "distributed.nanny.pre-spawn-environ"
NO_PAGES: dict[str, list[str]] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}


class _LeavesInterrupts(WorkerPlugin):
    """Ctrl-C reaches every process of a terminal, and it is the command that ends the workers."""

    def setup(self, worker: Worker) -> None:  # noqa: ARG002 - the name that Dask calls it by
        signal.signal(signal.SIGINT, signal.SIG_IGN)


class _KeepsToItsShare(WorkerPlugin):
    """Workers of one machine have processors of their own, and so has what they start: compilers and kernels."""

    def setup(self, worker: Worker) -> None:  # noqa: ARG002 - the name that Dask calls it by
        worker_placement.keep_to_share(os.environ)


@contextmanager
def local(environments: Sequence[Mapping[str, str]], *, gpu: bool) -> Iterator[Client]:
    """A worker of this machine for each of the environments, each grading one submission at a time.

    Raises InfrastructureError when they do not start.
    """
    _hush()
    with ExitStack() as stack:
        begin_to_end = stack.enter_context(ignored_once_begun())
        try:
            folder = str(stack.enter_context(scratch()))
            settings = {**NO_PAGES, "temporary-directory": folder, PRE_SPAWN: _common(environments)}
            stack.enter_context(dask.config.set(settings))
            cluster = stack.enter_context(_cluster(environments, folder, gpu=gpu))
            client = stack.enter_context(Client(cluster, security=cluster.security))
            client.register_plugin(_LeavesInterrupts())
            client.register_plugin(_KeepsToItsShare())
        except (OSError, RuntimeError) as error:
            hint = "Is the disk full? TMPDIR names another folder."
            raise InfrastructureError(f"The workers did not start: {one_line(str(error), 200)}.", hint) from error
        except KeyboardInterrupt:
            begin_to_end()
            raise
        try:
            yield client
        except BaseException:  # nobody waits for what they are doing now
            begin_to_end()
            for worker in cluster.workers.values():
                with suppress(TimeoutError):
                    cluster.sync(worker.kill, timeout=END_SECONDS)
            raise


def _common(environments: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """What all workers have, to be there before Python starts: NumPy is loaded before a nanny sets the rest.

    It replaces what Dask sets then, which is one thread for every library and memory returned at once.
    """
    return dict(set.intersection(*(set(one.items()) for one in environments)))


def _cluster(environments: Sequence[Mapping[str, str]], folder: str, *, gpu: bool) -> SpecCluster:
    """It speaks TLS with keys made for this run: whoever may talk to a scheduler may run code as its owner."""
    security = Security.temporary()
    common = {"host": LOOPBACK, "security": security, "dashboard_address": f"{LOOPBACK}:0"}
    worker = {
        "nthreads": 1,
        "resources": {GPU: 1} if gpu else {},
        "memory_limit": 0,  # a submission has its own, in its box
        "local_directory": folder,
        "silence_logs": logging.CRITICAL,
    }
    nannies = {
        number: {"cls": Nanny, "options": {**common, **worker, "env": {**environment, "TMPDIR": folder}}}
        for number, environment in enumerate(environments)
    }
    scheduler = {"cls": Scheduler, "options": {**common, "dashboard": False}}
    return SpecCluster(nannies, scheduler, security=security, silence_logs=logging.CRITICAL)


@contextmanager
def existing(address: str) -> Iterator[Client]:
    """The cluster whose scheduler listens at `address`. Raises InfrastructureError where none answers."""
    _hush()
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        hint = "Start it with `dask scheduler`, and take the address that it prints."
        raise InfrastructureError(f"No Dask scheduler answers at {address}.", hint) from error
    with client:
        yield client


def has_workers(client: Client) -> bool:
    """Whether anything could begin now."""
    return bool(_workers(client))


def machine_of(client: Client, wanted: Backend | None, image: str) -> Machine:
    """What the first worker that answers grades with, of those that offer a GPU if any does.

    Raises InfrastructureError where it cannot grade.
    """
    resources = {GPU: 1} if _able(client, gpu=True) else None
    found = _outcome(client.submit(machine_here, wanted, image, pure=False, resources=resources))
    if not isinstance(found, Machine):
        raise found
    return found


def grade_all(
    client: Client, jobs: Sequence[Job], *, gpu: bool, alone: Callable[[], None]
) -> Iterator[tuple[Job, JobOutcome]]:
    """Every job with its report as it comes, or with what kept it from having one.

    A worker has one job at a time, so that one which joins later finds something to do. It has the next at once,
    however long it takes to write the last one's report: eight GPUs finish two submissions a second. `alone` hears of
    it when all have left: a batch system may bring others. Raises InfrastructureError when the scheduler is gone.
    """
    _check_gpu(client, gpu=gpu)
    yield from prefetch_in_thread(lambda stop: _arriving(client, jobs, stop, gpu=gpu, alone=alone))


def _arriving(
    client: Client, jobs: Sequence[Job], stop: Event, *, gpu: bool, alone: Callable[[], None]
) -> Iterator[tuple[Job, JobOutcome]]:
    """It ends at the next look once `stop` is set, and then talks to the cluster no more, which is about to close."""
    scheduler = JobScheduler(client, jobs, gpu=gpu)
    scheduler.give()
    there = True
    while scheduler.has_work:
        arrived = _arrived(scheduler.arriving, stop)
        if stop.is_set():
            return
        done = scheduler.take(arrived) if arrived else scheduler.recall()
        before, there = there, bool(_able(client, gpu=gpu))
        if before and not there:
            alone()
        scheduler.give()
        yield from done


class JobScheduler:
    """Gives every worker one job at a time, and knows who has which: Dask does not say where a job has failed."""

    def __init__(self, client: Client, jobs: Sequence[Job], *, gpu: bool) -> None:
        self.arriving = as_completed()
        self._client, self._gpu = client, gpu
        self._waiting = [Attempt(one) for one in jobs]
        self._given: dict[Future, tuple[Attempt, str]] = {}
        self._faults: Counter[str] = Counter()

    @property
    def has_work(self) -> bool:
        return bool(self._waiting or self._given)

    def give(self) -> None:
        """A job to everyone who has none."""
        busy = {worker for _, worker in self._given.values()}
        for attempt, worker in assign(self._waiting, self._healthy_workers(), busy):
            self._waiting.remove(attempt)
            placement = {"workers": [worker], "resources": {GPU: 1} if self._gpu else None}
            future = self._client.submit(
                grade_job, attempt.job, key=f"grade-{secrets.token_hex(8)}", pure=False, **placement
            )
            self._given[future] = attempt, worker
            self.arriving.add(future)

    def take(self, arrived: Sequence[Future]) -> list[tuple[Job, JobOutcome]]:
        """What is finished of it; a fault of ours is tried once more, where there is another worker."""
        done = []
        for future in arrived:
            if future in self._given:  # the others were called back
                outcome = _outcome(future, FETCH_SECONDS)  # it is there, but a client that closes may never say so
                attempt, worker = self._given.pop(future)
                self._faults[worker] = self._faults[worker] + 1 if is_grader_error(outcome) else 0
                done += self._retry_or_end(
                    retry_after_fault(attempt, outcome, worker, self._healthy_workers()), attempt, outcome
                )
        return done

    def recall(self) -> list[tuple[Job, JobOutcome]]:
        """Call the jobs back that were given to workers which have left, to be given to others."""
        if self._client.status == "closed":
            raise _scheduler_lost()
        there, done = _workers(self._client), []
        for future, (attempt, worker) in list(self._given.items()):
            if worker not in there:
                del self._given[future]
                future.cancel()
                done += self._retry_or_end(retry_after_worker_loss(attempt), attempt, _machine_lost())
        return done

    def _retry_or_end(
        self, repeated: Attempt | None, attempt: Attempt, outcome: JobOutcome
    ) -> list[tuple[Job, JobOutcome]]:
        """The attempt waits again, or has ended with this outcome."""
        if repeated is None:
            return [(attempt.job, outcome)]
        self._waiting.append(repeated)
        return []

    def _healthy_workers(self) -> list[str]:
        return healthy_workers(_able(self._client, gpu=self._gpu), self._faults)


def _arrived(arriving: Any, stop: Event) -> list[Future]:
    """The futures that are done, as soon as there is one; none where it took too long not to look who is there."""
    until = time.monotonic() + LOOK_FOR_WORKERS_SECONDS
    while not arriving.has_ready() and time.monotonic() < until and not stop.is_set():
        time.sleep(LOOK_SECONDS)
    found = []
    while arriving.has_ready():
        found.append(next(arriving))
    return found


def _outcome(future: Future, seconds: float | None = None) -> Any:
    """What a worker made, or why there is nothing, as a fault of ours. Waits for it, so long at most.

    Raises InfrastructureError when the scheduler is gone.
    """
    try:
        error = future.exception(timeout=seconds)
    except TimeoutError:
        return _machine_lost()
    if future.cancelled():
        raise _scheduler_lost()
    if error is None:
        return _result(future)
    if isinstance(error, InfrastructureError):
        return error
    if isinstance(error, KilledWorker):
        return _machine_lost()
    return InfrastructureError(f"The cluster's worker failed: {type(error).__name__}: {error}.")


def _result(future: Future) -> Any:
    """What is finished, fetched from the worker that has it, which may have left since."""
    try:
        return future.result(timeout=FETCH_SECONDS)
    except TimeoutError:
        return _machine_lost()


def _scheduler_lost() -> InfrastructureError:
    hint = "What is finished is kept: start the cluster again, and then the same command."
    return InfrastructureError("The connection to the cluster's scheduler was lost.", hint)


def _machine_lost() -> InfrastructureError:
    return InfrastructureError("The machine that graded it was lost.", "Is its memory full?")


def _workers(client: Client) -> dict[str, Any]:
    """The workers that are there, by their addresses."""
    found: dict[str, Any] = client.scheduler_info(n_workers=-1)["workers"]
    return found


def _able(client: Client, *, gpu: bool) -> list[str]:
    """The addresses of the workers that may be given a job."""
    return [address for address, one in _workers(client).items() if not gpu or one["resources"].get(GPU)]


def _check_gpu(client: Client, *, gpu: bool) -> None:
    if _able(client, gpu=False) and not _able(client, gpu=gpu):
        hint = "Start each worker with `dask worker ADDRESS --nthreads 1 --resources GPU=1`."
        raise UsageError("No worker of the cluster offers a GPU.", hint)


def _hush() -> None:
    """Dask tells the terminal much that is no news to who grades a class; what fails comes back as an outcome."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
