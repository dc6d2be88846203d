"""A worker takes a process that was started before, if it is of the same kind; nothing of it stays behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import psutil
import pytest

from grader.contract.purpose import Purpose
from grader.model import Backend, Limits
from grader.sandbox import box_files, processes, spares
from grader.sandbox.processes import Begun, start_process
from grader.sandbox.spares import kind
from grader.sandbox.starting import worker

SIMULATOR = kind(Backend.SIMULATOR, Purpose.EXECUTE)
OTHER_MEMORY = Limits(memory_mib=1024)


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Begun]:
    """The processes that are started."""
    started: list[Begun] = []

    @contextmanager
    def recorded(*given: object) -> Iterator[Begun]:
        with processes.begun(*given) as process:  # type: ignore[arg-type]
            started.append(process)
            yield process

    monkeypatch.setattr(spares, "begun", recorded)
    return started


def guardians() -> set[int]:
    return {child.pid for child in psutil.Process().children()}


def test_a_worker_of_the_kind_takes_the_process_and_ends_it(begun: list[Begun]) -> None:
    with spares.started([SIMULATOR]):
        with worker(Backend.SIMULATOR, Limits()) as taken:
            taken.finish_opening()
            assert taken.box == begun[0].box
        assert begun[0].running.poll() is not None
        assert not begun[0].box.exists()


@pytest.mark.parametrize(
    ("limits", "purpose"), [(OTHER_MEMORY, Purpose.EXECUTE), (Limits(), Purpose.COMPILE)], ids=["memory", "purpose"]
)
def test_a_worker_of_another_kind_has_a_process_of_its_own(
    begun: list[Begun], limits: Limits, purpose: Purpose
) -> None:
    with spares.started([SIMULATOR]), worker(Backend.SIMULATOR, limits, purpose=purpose) as other:
        assert other.box != begun[0].box


def test_a_worker_that_starts_elsewhere_takes_none(begun: list[Begun]) -> None:
    elsewhere = partial(start_process)
    with spares.started([SIMULATOR]), worker(Backend.SIMULATOR, Limits(), elsewhere) as other:
        assert other.box != begun[0].box


def test_each_process_is_taken_once(begun: list[Begun]) -> None:
    with spares.started([SIMULATOR]), ExitStack() as stack:
        first, second = (stack.enter_context(worker(Backend.SIMULATOR, Limits())) for _ in range(2))
        assert first.box == begun[0].box != second.box


def test_processes_that_nobody_has_taken_end(begun: list[Begun]) -> None:
    before = guardians()
    with spares.started([SIMULATOR, SIMULATOR]), worker(Backend.SIMULATOR, Limits()) as taken:
        spares.end()
        assert begun[1].running.poll() is not None
        taken.finish_opening()
    assert guardians() == before
    assert not any(process.box.exists() for process in begun)


def test_a_process_that_cannot_start_is_reported_by_the_worker_that_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box_files, "make", lambda: tmp_path / "missing")
    with spares.started([SIMULATOR]), pytest.raises(FileNotFoundError), worker(Backend.SIMULATOR, Limits()):
        pass
