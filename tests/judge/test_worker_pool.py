"""The workers of a grade: which are started, and which of them times."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.judge.conditions import Conditions
from grader.judge.worker_pool import (
    CHECKER,
    LIBRARY,
    NAIVE,
    SUBMISSION,
    TRACER,
    worker_pool,
    workers_ahead,
    workers_to_time,
)
from grader.model import Backend, Machine
from grader.sandbox.client import Worker
from grader.sandbox.starting import worker
from tests import lab
from tests.report import examples

RUBRIC = Path(__file__).parents[2] / "rubrics" / "square.toml"
PLAN = lab.plan(Path("mine.cu"), RUBRIC)


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({}, {SUBMISSION, TRACER, NAIVE, LIBRARY}),
        ({"share_baselines": True}, {SUBMISSION, TRACER, LIBRARY}),
        ({"timed": False}, {CHECKER, TRACER}),
    ],
    ids=["grade", "class", "check"],
)
def test_a_submission_has_one_worker_on_the_device(changes: dict[str, Any], names: set[str]) -> None:
    assert set(workers_ahead(replace(PLAN, **changes), Backend.CUDA)) == names


@pytest.fixture
def checked(conditions: Conditions) -> Iterator[dict[str, Worker]]:
    """A worker that has checked a submission, and one of a baseline."""
    with worker_pool((SUBMISSION, NAIVE), conditions) as workers:
        yield dict(workers)


@pytest.fixture
def conditions(simulator: Machine) -> Conditions:
    return Conditions(examples.rubric(), simulator, seed=1)


def test_a_correct_kernel_is_timed_in_the_worker_that_checked_it(checked: dict[str, Worker], conditions: Conditions):
    with workers_to_time(checked, conditions, all_correct=True) as timing:
        assert timing == checked


def test_a_kernel_that_failed_at_a_size_is_timed_at_the_others_in_a_new_worker(
    checked: dict[str, Worker], conditions: Conditions
) -> None:
    with workers_to_time(checked, conditions, all_correct=False) as timing:
        assert timing[NAIVE] is checked[NAIVE]
        assert checked[SUBMISSION].running.poll() is not None
        timing[SUBMISSION].finish_opening()
    assert timing[SUBMISSION].running.poll() is not None


def test_a_worker_that_was_killed_after_the_checks_is_replaced(checked: dict[str, Worker], conditions: Conditions):
    checked[SUBMISSION].running.kill()
    with workers_to_time(checked, conditions, all_correct=True) as timing:
        timing[SUBMISSION].finish_opening()


def test_a_worker_that_serves_many_grades_opens_its_device_only_if_one_needs_it(conditions: Conditions) -> None:
    with worker(Backend.SIMULATOR, conditions.rubric.limits) as library:
        with worker_pool((LIBRARY, SUBMISSION), conditions, {LIBRARY: library}) as workers:
            workers[SUBMISSION].finish_opening()
        assert not library.opening
        assert library.running.poll() is None
