"""Which worker grades which submission next, and when one is tried again after a failure. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.batch.run.job import Job, JobOutcome
from grader.errors import InfrastructureError
from grader.model import State

FAULTS_IN_A_ROW = 3
LOSSES = 4  # of workers during one submission; after them, the submission may be the cause


@dataclass(frozen=True, slots=True)
class Try:
    """One try at a job.

    `failed` is the worker on which an earlier try ended in a grader error, or empty. `losses` is the number of workers
    that were lost during earlier tries.
    """

    job: Job
    failed: str = ""
    losses: int = 0


def healthy_workers(workers: Collection[str], faults: Mapping[str, int]) -> list[str]:
    """Return the workers without FAULTS_IN_A_ROW grader errors in a row; all workers if none are left."""
    healthy = [worker for worker in workers if faults.get(worker, 0) < FAULTS_IN_A_ROW]
    return healthy or list(workers)


def assign(waiting: Sequence[Try], workers: Sequence[str], busy: Collection[str]) -> Iterator[tuple[Try, str]]:
    """Yield each idle worker with its next job: not one that failed there, unless it is the only worker."""
    left = list(waiting)
    for worker in workers:
        tried = next((tried for tried in left if tried.failed != worker or len(workers) == 1), None)
        if worker not in busy and tried is not None:
            left.remove(tried)
            yield tried, worker


def retry_after_fault(tried: Try, outcome: JobOutcome, worker: str, workers: Sequence[str]) -> Try | None:
    """After the first grader error, return a try on another worker; None if the outcome is final."""
    others = set(workers) - {worker}
    return replace(tried, failed=worker) if is_grader_error(outcome) and others and not tried.failed else None


def retry_after_worker_loss(tried: Try) -> Try | None:
    """Return the next try after its worker was lost; None after too many losses."""
    return replace(tried, losses=tried.losses + 1) if tried.losses + 1 < LOSSES else None


def is_grader_error(outcome: JobOutcome) -> bool:
    """Whether the grader or its machine failed. "Not supported" does not count: all such machines would refuse it."""
    return isinstance(outcome, InfrastructureError) or outcome.state is State.INFRASTRUCTURE_FAULT
