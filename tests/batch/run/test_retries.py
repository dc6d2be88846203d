"""Which worker grades what next."""

from typing import Any

import pytest

from grader.batch.results.reuse import Lab
from grader.batch.run.job import ClassRun, Job
from grader.batch.run.retries import Try, assign, healthy_workers, retry_after_fault, retry_after_worker_loss
from grader.errors import InfrastructureError
from grader.model import Backend
from tests.report import examples

RUN = ClassRun(Lab(examples.rubric(), b"", Backend.SIMULATOR), 1, examples.report().machine)
FAULT = InfrastructureError("There is no compiler.")


def attempt(student: str = "ada", **fields: Any) -> Try:
    return Try(Job(student, "matmul.cu", b"", RUN), **fields)


def test_every_idle_worker_gets_an_attempt():
    ada, ben, cyd = map(attempt, ("ada", "ben", "cyd"))
    assert list(assign([ada, ben, cyd], ["a", "b", "c"], {"b"})) == [(ada, "a"), (ben, "c")]


def test_an_attempt_does_not_go_to_the_worker_that_failed_it_while_there_is_another():
    ada, ben = attempt(failed="a"), attempt("ben")
    assert list(assign([ada, ben], ["a", "b"], set())) == [(ben, "a"), (ada, "b")]
    assert list(assign([ada], ["a", "b"], {"b"})) == []
    assert list(assign([ada], ["a"], set())) == [(ada, "a")]


def test_three_faults_in_a_row_end_a_worker_while_there_is_another():
    assert healthy_workers(["a", "b"], {"a": 3, "b": 2}) == ["b"]
    assert healthy_workers(["a", "b"], {"a": 3, "b": 3}) == ["a", "b"]
    assert healthy_workers([], {"a": 3}) == []


@pytest.mark.parametrize("outcome", [FAULT, examples.broken_machine()], ids=["error", "report"])
def test_a_grader_error_is_tried_once_more_by_another_worker(outcome: Any):
    assert retry_after_fault(attempt(), outcome, "a", ["a", "b"]) == attempt(failed="a")
    assert retry_after_fault(attempt(failed="b"), outcome, "a", ["a", "b"]) is None
    assert retry_after_fault(attempt(), outcome, "a", ["a"]) is None


def test_other_outcomes_than_grader_errors_are_not_tried_again():
    assert retry_after_fault(attempt(), examples.not_compiled(), "a", ["a", "b"]) is None


def test_a_job_is_given_up_after_four_workers_were_lost_with_it():
    assert retry_after_worker_loss(attempt(losses=2)) == attempt(losses=3)
    assert retry_after_worker_loss(attempt(losses=3)) is None
