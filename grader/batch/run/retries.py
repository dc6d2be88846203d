"""Which worker grades which submission next, and when one is tried again after a failure. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.batch.run.job import Job, JobOutcome
from grader.errors import InfrastructureError
from grader.model import State

FAULTS_IN_A_ROW = 3
LOSSES = 4  # of workers during one submission; after them, the submission may be the cause


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a job.

    `failed` is the worker on which an earlier attempt ended in a grader error, or empty. `losses` is the number of
    workers that were lost during earlier attempts.
    """

    job: Job
    failed: str = ""
    losses: int = 0


def healthy_workers(workers: Collection[str], faults: Mapping[str, int]) -> list[str]:
    """Return the workers without FAULTS_IN_A_ROW grader errors in a row; all workers if none are left."""
    healthy = [worker for worker in workers if faults.get(worker, 0) < FAULTS_IN_A_ROW]
    return healthy or list(workers)


def assign(waiting: Sequence[Attempt], workers: Sequence[str], busy: Collection[str]) -> Iterator[tuple[Attempt, str]]:
    """Yield each idle worker with its next attempt: not one that failed there, unless it is the only worker."""
    left = list(waiting)
    for worker in workers:
        attempt = next((attempt for attempt in left if attempt.failed != worker or len(workers) == 1), None)
        if worker not in busy and attempt is not None:
            left.remove(attempt)
            yield attempt, worker


def retry_after_fault(attempt: Attempt, outcome: JobOutcome, worker: str, workers: Sequence[str]) -> Attempt | None:
    """After the first grader error, return an attempt for another worker; None if the outcome is final."""
    others = set(workers) - {worker}
    return replace(attempt, failed=worker) if is_grader_error(outcome) and others and not attempt.failed else None


def retry_after_worker_loss(attempt: Attempt) -> Attempt | None:
    """Return the next attempt after its worker was lost; None after too many losses."""
    return replace(attempt, losses=attempt.losses + 1) if attempt.losses + 1 < LOSSES else None


def is_grader_error(outcome: JobOutcome) -> bool:
    """Whether the grader or its machine failed. "Not supported" does not count: all such machines would refuse it."""
    return isinstance(outcome, InfrastructureError) or outcome.state is State.INFRASTRUCTURE_FAULT
