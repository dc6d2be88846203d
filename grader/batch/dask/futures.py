"""Get a job's value or grader error from a Dask future, and the workers of a cluster."""
# mypy: allow-untyped-calls, allow-any-generics
# Dask has types in places only.

from __future__ import annotations

from typing import Any

from distributed import Client, Future, KilledWorker

from grader.batch.dask.clusters import GPU
from grader.errors import InfrastructureError

FETCH_SECONDS = 60  # a report is some kilobytes


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


def scheduler_lost() -> InfrastructureError:
    """Return the error that ends grading on a cluster."""
    hint = "Finished results are kept. Start the cluster again, then run the same command."
    return InfrastructureError("The connection to the cluster's scheduler was lost.", hint)


def machine_lost() -> InfrastructureError:
    """Return the error of one job whose worker disappeared."""
    return InfrastructureError("The machine that graded it was lost.", "Check whether it ran out of memory.")


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
