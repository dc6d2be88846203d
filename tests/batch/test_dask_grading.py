"""Dask workers: which jobs they get, and what happens if one fails."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack

import dask
import pytest
from distributed import Client, Scheduler, SpecCluster, Worker, get_worker

from grader.batch.dask import clusters, grading
from grader.batch.results.reuse import Lab
from grader.batch.run.job import ClassRun, Job
from grader.errors import InfrastructureError
from grader.model import Backend, Machine, Report
from tests.report import examples

GRADED: list[tuple[str, int]] = []  # who was graded by which worker; they are threads of this process

FOLLOWED: list[bool] = []  # whether each of these was told that its worker will get another


def grade(job: Job) -> Report:
    """A job's file is named after the workers that fail it, at once; the others take a while."""
    name = get_worker().name
    GRADED.append((job.student, name))
    FOLLOWED.append(job.is_followed)
    if str(name) in job.file:
        raise InfrastructureError("There is no compiler.")
    time.sleep(0.1)
    return examples.report()


def machine_by_name(*_: object) -> Machine:
    return Machine(Backend.CUDA, f"worker {get_worker().name}", "Linux")


@pytest.fixture
def start_cluster(monkeypatch: pytest.MonkeyPatch):
    """A function that starts a cluster with a worker for each of its arguments, a number of GPUs."""
    GRADED.clear()
    FOLLOWED.clear()
    monkeypatch.setattr(grading, "grade_job", grade)
    monkeypatch.setattr(grading, "machine_here", machine_by_name)
    with ExitStack() as stack:
        yield lambda *gpus: _start_cluster(stack, gpus)


def _start_cluster(stack: ExitStack, gpus: Sequence[int]) -> Client:
    workers = {
        number: {"cls": Worker, "options": {"nthreads": 1, "resources": {"GPU": 1} if gpu else {}}}
        for number, gpu in enumerate(gpus)
    }
    scheduler = {"cls": Scheduler, "options": {"dashboard": False, "dashboard_address": "127.0.0.1:0"}}
    return stack.enter_context(Client(stack.enter_context(SpecCluster(workers, scheduler))))


def test_all_workers_are_listed_while_dask_renews_what_its_client_knows(start_cluster: Callable[..., Client]):
    with dask.config.set({"distributed.client.scheduler-info-interval": "1ms"}):
        client = start_cluster(0, 0)
        listed = [len(clusters.workers(client)) for _ in range(200)]
    assert listed == [2] * 200


def test_a_lost_scheduler_is_a_grader_error(start_cluster: Callable[..., Client]):
    client = start_cluster(0)
    client.close()
    with pytest.raises(InfrastructureError, match="scheduler was lost"):
        clusters.workers(client)


def jobs(number: int, failed_by: str = "") -> list[Job]:
    run = ClassRun(Lab(examples.rubric(), b"", Backend.SIMULATOR), 1, examples.report().machine)
    return [Job(f"student{index}", failed_by, b"", run) for index in range(number)]


def graded(client: Client, wanted: Sequence[Job], *, gpu: bool = False) -> dict[str, bool]:
    """The students who have a report."""
    done = grading.grade_all(client, wanted, gpu=gpu, on_start=lambda *_: None, on_no_workers=lambda: None)
    return {job.student: isinstance(outcome, Report) for job, outcome in done}


def test_a_worker_that_fails_three_times_in_a_row_gets_no_more(start_cluster: Callable[..., Client]):
    assert all(graded(start_cluster(0, 0), jobs(12, failed_by="0")).values())
    assert [name for _, name in GRADED].count(0) == 3
    assert len(GRADED) == 15


def test_a_grader_error_of_both_workers_is_reported_after_two_tries(start_cluster: Callable[..., Client]):
    assert not any(graded(start_cluster(0, 0), jobs(2, failed_by="01")).values())
    assert {*GRADED} == {(student, name) for student in ("student0", "student1") for name in (0, 1)}


def test_the_only_worker_tries_once(start_cluster: Callable[..., Client]):
    assert not any(graded(start_cluster(0), jobs(2, failed_by="0")).values())
    assert len(GRADED) == 2


def test_a_job_is_told_that_another_follows_unless_there_are_too_few_for_all_workers(
    start_cluster: Callable[..., Client],
):
    assert all(graded(start_cluster(0, 0), jobs(6)).values())
    assert sorted(FOLLOWED) == [False] * 2 + [True] * 4


def test_jobs_for_a_gpu_go_to_workers_that_offer_one(start_cluster: Callable[..., Client]):
    assert all(graded(start_cluster(0, 1), jobs(3), gpu=True).values())
    assert {name for _, name in GRADED} == {1}


def test_the_next_job_is_given_before_a_finished_one_is_reported(start_cluster: Callable[..., Client]):
    arriving = grading.grade_all(
        start_cluster(0), jobs(2), gpu=False, on_start=lambda *_: None, on_no_workers=lambda: None
    )
    next(arriving)
    time.sleep(0.5)  # a report is written
    assert len(GRADED) == 2
    assert len(list(arriving)) == 1


def test_who_begins_is_reported_with_the_name_of_the_worker(start_cluster: Callable[..., Client]):
    begun: list[tuple[str, str]] = []
    client = start_cluster(0)
    list(
        grading.grade_all(
            client,
            jobs(2),
            gpu=False,
            on_start=lambda job, worker: begun.append((job.student, worker)),
            on_no_workers=lambda: None,
        )
    )
    assert begun == [("student0", "0"), ("student1", "0")]


@pytest.mark.parametrize("gpus", [(0, 1), (1, 0), (0, 0, 1)])
def test_a_worker_that_offers_a_gpu_says_what_the_class_is_graded_with(gpus, start_cluster: Callable[..., Client]):
    assert grading.machine_of(start_cluster(*gpus), None, "", allow_unconfined=True).reason == f"worker {gpus.index(1)}"


def test_workers_without_a_gpu_say_it_where_there_are_no_others(start_cluster: Callable[..., Client]):
    assert grading.machine_of(start_cluster(0), None, "", allow_unconfined=True).reason == "worker 0"
