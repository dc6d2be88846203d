"""Which worker grades what next, so that one sick worker does not cost a class its grades. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.batch.run.engine import JobOutcome
from grader.batch.run.job import Job
from grader.errors import InfrastructureError
from grader.model import State

FAULTS_IN_A_ROW = 3
LOSSES = 4  # workers that one submission may take along: it may be what they were lost over


@dataclass(frozen=True, slots=True)
class Attempt:
    """A job, the worker that ended it in a fault of ours, if one did, and how many workers were lost over it."""

    job: Job
    failed: str = ""
    losses: int = 0


def healthy_workers(workers: Sequence[str], faults: Mapping[str, int]) -> list[str]:
    """Who gets jobs: whoever has not failed several times in a row, or all where everyone has."""
    well = [one for one in workers if faults.get(one, 0) < FAULTS_IN_A_ROW]
    return well or list(workers)


def assign(waiting: Sequence[Attempt], workers: Sequence[str], busy: Collection[str]) -> Iterator[tuple[Attempt, str]]:
    """Assign each idle worker its first attempt; one that it failed is left to other workers, if there are any."""
    left = list(waiting)
    for worker in workers:
        attempt = next((one for one in left if one.failed != worker or len(workers) == 1), None)
        if worker not in busy and attempt is not None:
            left.remove(attempt)
            yield attempt, worker


def retry_after_fault(attempt: Attempt, outcome: JobOutcome, worker: str, workers: Sequence[str]) -> Attempt | None:
    """The attempt once more, after a fault of ours and for another worker; None where the outcome stands."""
    others = set(workers) - {worker}
    return replace(attempt, failed=worker) if is_grader_error(outcome) and others and not attempt.failed else None


def retry_after_worker_loss(attempt: Attempt) -> Attempt | None:
    """The attempt once more, after its worker was lost; None where it seems to be what the workers were lost over."""
    return replace(attempt, losses=attempt.losses + 1) if attempt.losses + 1 < LOSSES else None


def is_grader_error(outcome: JobOutcome) -> bool:
    """Whether nothing came of it through a fault of ours; what a machine cannot run, none of its kind can."""
    return isinstance(outcome, InfrastructureError) or outcome.state is State.INFRASTRUCTURE_FAULT
