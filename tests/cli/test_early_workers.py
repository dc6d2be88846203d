"""Which workers start before a command has loaded its modules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from grader.cli import early_workers
from grader.contract.purpose import Purpose
from grader.errors import InfrastructureError
from grader.host import machine
from grader.model import Backend, Machine
from grader.sandbox import spares
from grader.sandbox.spares import ProcessKind
from grader.timing.worker_pool import purpose_of, workers_ahead
from tests import lab

ROOT = Path(__file__).parents[2]
FILE = str(ROOT / "reference" / "naive.cu")
PLAN = lab.plan(Path(FILE), ROOT / "rubrics" / "square.toml")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[ProcessKind]:
    kinds: list[ProcessKind] = []

    def start(given: Iterable[ProcessKind]) -> AbstractContextManager[None]:
        kinds.extend(given)
        return nullcontext()

    monkeypatch.setattr(spares, "started", start)
    return kinds


def use(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "choose", lambda _wanted: Machine(backend, "", "", ""))


@pytest.mark.parametrize("backend", Backend)
@pytest.mark.parametrize("command", ["run", "check"])
def test_a_grade_finds_every_worker_started(
    backend: Backend, command: str, started: list[ProcessKind], monkeypatch: pytest.MonkeyPatch
) -> None:
    use(backend, monkeypatch)
    with early_workers.early_workers([command, FILE]):
        pass
    ahead = workers_ahead(replace(PLAN, timed=command == "run"), backend)
    counts = Counter(kind.purpose for kind in started)
    assert counts == Counter([Purpose.COMPILE, *map(purpose_of, ahead)])
    assert {kind.memory_mib for kind in started} <= {PLAN.rubric.limits.memory_mib, 0}


@pytest.mark.parametrize("option", ["--backend=simulator", "--backend", "--container", "--help", "-h"])
def test_nothing_starts_that_may_not_be_needed(
    option: str, started: list[ProcessKind], monkeypatch: pytest.MonkeyPatch
) -> None:
    use(Backend.CUDA, monkeypatch)
    with early_workers.early_workers(["run", FILE, option]):
        assert not started


def test_nothing_starts_without_a_file(started: list[ProcessKind], monkeypatch: pytest.MonkeyPatch) -> None:
    use(Backend.CUDA, monkeypatch)
    with early_workers.early_workers(["run", "no_such_file.cu"]):
        assert not started


def test_a_machine_that_cannot_grade_starts_nothing(
    started: list[ProcessKind], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_wanted: Backend | None) -> Machine:
        raise InfrastructureError("There is no compiler.")

    monkeypatch.setattr(machine, "choose", fail)
    with early_workers.early_workers(["run", FILE]):
        assert not started
