import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader.errors import InfrastructureError
from grader.host import cpus
from grader.sandbox.deadlines import BUSY, Deadline, after_launch, by_processor_time, in_seconds

CPUS = len(cpus.allowed())


def used(seconds: float) -> Any:
    """A worker that has used so much CPU time."""
    return SimpleNamespace(processor_seconds=lambda: seconds)


def asked(seconds_ago: float) -> Deadline:
    """The deadline of a request for 20 s of computing by a worker that had used 5 s before."""
    return by_processor_time(20.0, time.monotonic() - seconds_ago, 5.0)


def test_a_worker_that_has_used_its_cpu_time_is_over() -> None:
    assert asked(21.0)(used(5.0 + 20.5 * CPUS))


def test_a_worker_on_a_busy_machine_gets_more_than_its_seconds_by_the_clock() -> None:
    assert not asked(100.0)(used(5.0 + 19.5 * CPUS))


def test_a_machine_that_gives_hardly_any_cpu_time_is_a_grader_error() -> None:
    with pytest.raises(InfrastructureError, match="too little CPU time"):
        asked(20.0 * BUSY + 1)(used(6.0))


def test_the_seconds_of_a_launch_count_from_its_file(tmp_path: Path) -> None:
    launched, now = tmp_path / "launched", time.monotonic()
    waiting = after_launch(launched, -1.0, now + 60)
    assert not waiting(used(0.0))
    launched.touch()
    assert waiting(used(0.0))


def test_what_comes_before_a_launch_has_a_limit_too(tmp_path: Path) -> None:
    assert after_launch(tmp_path / "launched", 60.0, time.monotonic() - 1)(used(0.0))


def test_the_deadline_of_a_device_is_one_by_the_clock() -> None:
    assert not in_seconds(60.0)(used(1e9))
    assert in_seconds(-1.0)(used(0.0))
