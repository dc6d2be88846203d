"""Dask: workers of this machine, or of any cluster that is there. The only module that imports it."""
# mypy: allow-untyped-calls, allow-any-generics
# Dask has types in places only.

from __future__ import annotations

import logging
import secrets
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path
from tempfile import mkdtemp
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

from grader import box as boxes
from grader.batch.engine import Outcome
from grader.batch.remote import Job, grade_job, machine_here
from grader.errors import InfrastructureError, UsageError
from grader.model import Backend, Machine
from grader.report.text import one_line

GPU = "GPU"
CONNECT_SECONDS = 5
END_SECONDS = 0.5
SCRATCH = "grade-batch-"
REMOVE_TRIES, REMOVE_SECONDS = 10, 0.2  # what a killed worker started ends itself within half a second
LOOK_SECONDS, LOOK_FOR_WORKERS_SECONDS = 0.05, 5.0
LOOPBACK = "127.0.0.1"
PRE_SPAWN = "distributed.nanny.pre-spawn-environ"
NO_PAGES: dict[str, list[str]] = {"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}


class _LeavesInterrupts(WorkerPlugin):
    """Ctrl-C reaches every process of a terminal, and it is the command that ends the workers."""

    def setup(self, worker: Worker) -> None:  # noqa: ARG002 - the name that Dask calls it by
        signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def local(environments: Sequence[Mapping[str, str]], *, gpu: bool) -> Iterator[Client]:
    """A worker of this machine for each of the environments, each grading one submission at a time.

    Raises InfrastructureError when they do not start.
    """
    _hush()
    with ExitStack() as stack:
        try:
            scratch = str(stack.enter_context(_scratch()))
            settings = {**NO_PAGES, "temporary-directory": scratch, PRE_SPAWN: _common(environments)}
            stack.enter_context(dask.config.set(settings))
            cluster = stack.enter_context(_cluster(environments, scratch, gpu=gpu))
            client = stack.enter_context(Client(cluster, security=cluster.security))
            client.register_plugin(_LeavesInterrupts())
        except (OSError, RuntimeError) as error:
            hint = "Is the disk full? TMPDIR names another folder."
            raise InfrastructureError(f"The workers did not start: {one_line(str(error), 200)}.", hint) from error
        try:
            yield client
        except BaseException:  # nobody waits for what they are doing now
            for worker in cluster.workers.values():
                with suppress(TimeoutError):
                    cluster.sync(worker.kill, timeout=END_SECONDS)
            raise


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder for everything that is temporary, which lasts as long as the cluster.

    A worker that is killed leaves its boxes; they go with this folder, as soon as what it started has noticed.
    """
    folder = Path(mkdtemp(prefix=SCRATCH))
    try:
        yield folder
    finally:
        for _ in range(REMOVE_TRIES):
            boxes.remove(folder)
            if not folder.exists():
                break
            time.sleep(REMOVE_SECONDS)


def _common(environments: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """What all workers have, to be there before Python starts: NumPy is loaded before a nanny sets the rest.

    It replaces what Dask sets then, which is one thread for every library and memory returned at once.
    """
    return dict(set.intersection(*(set(one.items()) for one in environments)))


def _cluster(environments: Sequence[Mapping[str, str]], scratch: str, *, gpu: bool) -> SpecCluster:
    """It speaks TLS with keys made for this run: whoever may talk to a scheduler may run code as its owner."""
    security = Security.temporary()
    common = {"host": LOOPBACK, "security": security, "dashboard_address": f"{LOOPBACK}:0"}
    worker = {
        "nthreads": 1,
        "resources": {GPU: 1} if gpu else {},
        "memory_limit": 0,  # a submission has its own, in its box
        "local_directory": scratch,
        "silence_logs": logging.CRITICAL,
    }
    nannies = {
        number: {"cls": Nanny, "options": {**common, **worker, "env": {**environment, "TMPDIR": scratch}}}
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
    try:
        return bool(client.nthreads())
    except OSError:  # the scheduler is gone, and that is told by whoever waits for a result
        return True


def machine_of(client: Client, wanted: Backend | None, image: str) -> Machine:
    """What the first worker that answers grades with. Raises InfrastructureError where it cannot grade."""
    found = _outcome(client.submit(machine_here, wanted, image, pure=False))
    if not isinstance(found, Machine):
        raise found
    return found


def grade_all(
    client: Client, jobs: Sequence[Job], *, gpu: bool, alone: Callable[[], None]
) -> Iterator[tuple[Job, Outcome]]:
    """Every job with its report as it comes, or with what kept it from having one.

    No more jobs are given out than there are workers, so that one which joins later finds something to do. `alone`
    hears of it when all have left: a batch system may bring others. Raises InfrastructureError when the scheduler is
    gone.
    """
    waiting = iter(jobs)
    given: dict[str, Job] = {}
    arriving = as_completed()
    while True:
        for job in islice(waiting, max(0, _slots(client, gpu=gpu) - len(given))):
            key = f"grade-{secrets.token_hex(8)}"
            given[key] = job
            arriving.add(client.submit(grade_job, job, key=key, pure=False, resources={GPU: 1} if gpu else None))
        if not given:
            return
        future = _next(arriving, client, alone)
        yield given.pop(str(future.key)), _outcome(future)


def _next(arriving: Any, client: Client, alone: Callable[[], None]) -> Future:
    """The next future to be done."""
    there, looked = True, time.monotonic()
    while not arriving.has_ready():
        time.sleep(LOOK_SECONDS)
        if time.monotonic() - looked > LOOK_FOR_WORKERS_SECONDS:
            looked, before, there = time.monotonic(), there, has_workers(client)
            if before and not there:
                alone()
    return next(arriving)


def _outcome(future: Future) -> Any:
    """What a worker made, or why there is nothing, as a fault of ours.

    Raises InfrastructureError when the scheduler is gone.
    """
    error = future.exception()
    if future.cancelled():
        hint = "What is finished is kept: start the cluster again, and then the same command."
        raise InfrastructureError("The connection to the cluster's scheduler was lost.", hint)
    if error is None:
        return future.result()
    if isinstance(error, InfrastructureError):
        return error
    if isinstance(error, KilledWorker):
        return InfrastructureError("The machine that graded it was lost, several times.", "Is its memory full?")
    return InfrastructureError(f"The cluster's worker failed: {type(error).__name__}: {error}.")


def _slots(client: Client, *, gpu: bool) -> int:
    """How many submissions the cluster grades at a time: one at least, for the worker that is still to come."""
    workers = client.scheduler_info(n_workers=-1)["workers"].values()
    able = [one for one in workers if not gpu or one["resources"].get(GPU)]
    if workers and not able:
        hint = "Start each worker with `dask worker ADDRESS --nthreads 1 --resources GPU=1`."
        raise UsageError("No worker of the cluster offers a GPU.", hint)
    return max(1, len(able))


def _hush() -> None:
    """Dask tells the terminal much that is no news to who grades a class; what fails comes back as an outcome."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
