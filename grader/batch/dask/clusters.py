"""Start a Dask cluster on this machine, or connect to one that is running, and list its workers."""
# mypy: allow-untyped-calls
# Dask has types in places only.

import logging
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import resource_tracker
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import dask
from distributed import Client, Nanny, Scheduler, Security, SpecCluster, Worker, WorkerPlugin

from grader.batch.run import worker_placement
from grader.errors import DOCTOR_HINT, InfrastructureError, refusal, refused
from grader.host import granted
from grader.host.interrupts import INTERRUPTS, ignored, postponed
from grader.sandbox import box_files
from grader.text.clean import one_line

GPU = "GPU"  # the resource that a worker with a GPU offers
CONNECT_SECONDS = 5
END_SECONDS = 0.5
PREFIX = "grade-batch-"
REMOVAL_TRIES, REMOVAL_SECONDS = 10, 0.2  # processes of a killed worker end within half a second
THREADS_OF_A_WORKER = 14  # with its processes and a compiler; measured: 2 workers grade with 45 threads, not with 30
FILES_OF_A_WORKER = 16  # that this process opens; measured: 26 for one worker, 10 more for each other
LOOPBACK = "127.0.0.1"
PRE_SPAWN = "distributed.nanny.pre-spawn-environ"
# Dask's pages and profiles are not used. The profiler lists the frames of all threads under a lock of Python's. Before
# Python 3.11.5, a thread that ends may wait for this lock while it holds the GIL: the worker then deadlocks
# (https://github.com/python/cpython/issues/106883).
NOT_NEEDED: dict[str, object] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,
}


class _IgnoreInterrupts(WorkerPlugin):
    """Ignore Ctrl-C, which reaches every process of a terminal: the command handles it, and ends its workers."""

    def setup(self, worker: Worker) -> None:  # noqa: ARG002 - Dask passes it by name
        signal.signal(signal.SIGINT, signal.SIG_IGN)


class _KeepToShare(WorkerPlugin):
    """Pin a worker, and the compilers and kernels that it starts, to its own CPU cores."""

    def setup(self, worker: Worker) -> None:  # noqa: ARG002 - Dask passes it by name
        worker_placement.keep_to_share(os.environ)


@contextmanager
def local(environments: Sequence[Mapping[str, str]], *, gpu: bool) -> Iterator[Client]:
    """Start a worker on this machine for each environment. Each grades one submission at a time.

    Once the command begins to end, signals are ignored until the cluster has ended: closing a terminal sends two, one
    by the terminal and one by its shell.

    Raises InfrastructureError if one does not start.
    """
    _silence_log()
    with ExitStack() as ending, ExitStack() as stack:
        try:
            _require(1 + len(environments))
            _start_resource_tracker()
            folder = str(stack.enter_context(scratch()))
            settings = {**NOT_NEEDED, "temporary-directory": folder, PRE_SPAWN: _common(environments)}
            stack.enter_context(dask.config.set(settings))
            with postponed():  # Dask cannot close a cluster that has started in part
                cluster = stack.enter_context(_cluster(environments, folder, gpu=gpu))
                client = stack.enter_context(Client(cluster, security=cluster.security))
            client.register_plugin(_IgnoreInterrupts())
            client.register_plugin(_KeepToShare())
        except OSError as error:
            raise refused(error, "The workers did not start") from error
        except RuntimeError as error:
            said = one_line(str(error).rstrip("."), 200)
            otherwise = InfrastructureError(f"The workers did not start: {said}.", DOCTOR_HINT)
            raise refusal(error) or otherwise from error
        except KeyboardInterrupt:
            ending.enter_context(ignored(*INTERRUPTS))
            raise
        try:
            yield client
        except BaseException:  # the results of running jobs are no longer needed
            ending.enter_context(ignored(*INTERRUPTS))
            for worker in cluster.workers.values():
                with suppress(TimeoutError):
                    cluster.sync(worker.kill, timeout=END_SECONDS)
            raise


def _require(workers: int) -> None:
    """Raise InfrastructureError if the system does not grant what so many workers need.

    Dask raises no error in this case: it waits for workers whose threads did not start, and prints tracebacks.
    """
    granted.check_threads(THREADS_OF_A_WORKER * workers)
    granted.check_files(FILES_OF_A_WORKER * workers)


def _start_resource_tracker() -> None:
    """Start Python's resource tracker so that it ignores SIGHUP, which a closing terminal sends to every process.

    By default, it ignores the other signals of a terminal only. If it ends before its users, they print tracebacks.
    """
    with ignored(signal.SIGHUP):
        resource_tracker.ensure_running()


@contextmanager
def existing(address: str) -> Iterator[Client]:
    """Connect to the cluster whose scheduler listens at `address`. Raises InfrastructureError if none answers."""
    _silence_log()
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        hint = "Start one with `dask scheduler`, and pass the address that it prints."
        raise InfrastructureError(f"No Dask scheduler answers at {address}.", hint) from error
    with client:
        yield client


def workers(client: Client, *, gpu: bool = False) -> dict[str, str]:
    """Return the connected workers, addresses with names; with `gpu`, only those that offer a GPU.

    The scheduler is asked, because `scheduler_info` returns the client's copy, which Dask replaces every two seconds by
    one without workers.

    Raises InfrastructureError when the scheduler is lost.
    """
    if client.scheduler is None:  # the client is closed
        raise scheduler_lost()
    try:
        info: dict[str, Any] = client.sync(client.scheduler.identity, n_workers=-1)["workers"]
    except OSError as error:
        raise scheduler_lost() from error
    offering = ((address, worker) for address, worker in info.items() if not gpu or worker["resources"].get(GPU))
    return {address: str(worker["name"]).removeprefix("tcp://") for address, worker in offering}


def scheduler_lost() -> InfrastructureError:
    """Return the error that ends grading on a cluster."""
    hint = "Finished results are kept. Start the cluster again, then run the same command."
    return InfrastructureError("The connection to the cluster's scheduler was lost.", hint)


def _common(environments: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return the variables that all environments share. Dask sets them before Python starts in a worker.

    The other variables are set after NumPy is loaded, which is too late for its threads. The shared ones replace Dask's
    defaults: one thread for each numeric library, and memory that is returned at once.
    """
    return dict(set.intersection(*(set(environment.items()) for environment in environments)))


def _cluster(environments: Sequence[Mapping[str, str]], folder: str, *, gpu: bool) -> SpecCluster:
    """Return a cluster with TLS and temporary keys, because clients of a scheduler may run any code as its user."""
    security = Security.temporary()
    common = {"host": LOOPBACK, "security": security, "dashboard_address": f"{LOOPBACK}:0"}
    worker = {
        "nthreads": 1,
        "resources": {GPU: 1} if gpu else {},
        "memory_limit": 0,  # the box of a submission has its own limit
        "local_directory": folder,
        "silence_logs": logging.CRITICAL,
    }
    nannies = {
        name: {"cls": Nanny, "options": {**common, **worker, "env": {**environment, "TMPDIR": folder}}}
        for name, environment in zip(worker_placement.names(environments), environments, strict=True)
    }
    scheduler = {"cls": Scheduler, "options": {**common, "dashboard": False}}
    return SpecCluster(nannies, scheduler, security=security, silence_logs=logging.CRITICAL)


def _silence_log() -> None:
    """Silence Dask's log, because failures are reported as outcomes of jobs."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


@contextmanager
def scratch() -> Iterator[Path]:
    """Give a temporary folder for the cluster.

    The boxes of killed workers are also in it. It is removed when the processes of these workers have ended.
    """
    folder = Path(mkdtemp(prefix=PREFIX)).absolute()
    try:
        with box_files.owned(folder):
            yield folder
    finally:
        for _ in range(REMOVAL_TRIES):
            box_files.remove(folder)
            if not folder.exists():
                break
            time.sleep(REMOVAL_SECONDS)
