"""What is imported for workers before a command has loaded its modules."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.cli import early_start
from grader.errors import InfrastructureError
from grader.host import gpu_lock, machine
from grader.host.gpu_lock import GpuLock
from grader.judge.worker_pool import backend_of, purpose_of, workers_ahead
from grader.model import WITHOUT_GPU, Backend, Machine, Purpose
from grader.sandbox import forking, starting
from tests import lab

ROOT = Path(__file__).parents[2]
FILE = str(ROOT / "reference" / "naive.cu")
PLAN = lab.plan(Path(FILE), ROOT / "rubrics" / "square.toml")


GPU = GpuLock()
Kinds = list[tuple[Backend, Purpose]]


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> Kinds:
    """The kinds of workers whose modules are imported ahead."""
    kinds: Kinds = []
    monkeypatch.setattr(forking, "begin", kinds.extend)
    monkeypatch.setattr(gpu_lock, "of", lambda _machine: GPU)
    monkeypatch.setattr(starting, "begin_spare", lambda *_: None)
    return kinds


def use(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "choose", lambda _wanted: Machine(backend, "", "", ""))


@pytest.mark.parametrize("backend", Backend)
@pytest.mark.parametrize("command", ["run", "check"])
def test_the_modules_of_all_workers_of_a_grade_are_imported(
    backend: Backend, command: str, ahead: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(backend, monkeypatch)
    early_start.begin([command, FILE])
    names = workers_ahead(replace(PLAN, timed=command == "run"), backend)
    assert set(ahead) == {
        (backend, Purpose.COMPILE),
        *((backend_of(name, backend), purpose_of(name)) for name in names),
    }
    assert ahead[0] == (backend, Purpose.COMPILE)


def test_a_rubric_is_checked_without_a_gpu(ahead: Kinds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "choose", lambda wanted: Machine(wanted, "", "", ""))
    early_start.begin(["rubric", "check", FILE])
    assert ahead == [(WITHOUT_GPU, Purpose.COMPILE), (WITHOUT_GPU, Purpose.EXECUTE)]


@pytest.mark.usefixtures("ahead")
@pytest.mark.parametrize("backend", Backend)
def test_a_gpu_is_opened_for_the_kernel(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    use(backend, monkeypatch)
    opened: list[tuple[object, ...]] = []
    monkeypatch.setattr(starting, "begin_spare", lambda *given: opened.append(given))
    for command, purpose in (("run", Purpose.TIME), ("check", Purpose.EXECUTE)):
        early_start.begin([command, FILE])
        assert opened == ([(backend, GPU, purpose)] if backend.capabilities.uses_gpu else [])
        opened.clear()


@pytest.mark.parametrize("option", ["--backend=simulator", "--backend", "--container", "--help", "-h"])
def test_nothing_starts_that_may_not_be_needed(option: str, ahead: Kinds, monkeypatch: pytest.MonkeyPatch) -> None:
    use(Backend.CUDA, monkeypatch)
    early_start.begin(["run", FILE, option])
    assert not ahead


def test_nothing_starts_without_a_file(ahead: Kinds, monkeypatch: pytest.MonkeyPatch) -> None:
    use(Backend.CUDA, monkeypatch)
    early_start.begin(["run", "no_such_file.cu"])
    assert not ahead


def test_a_machine_that_cannot_grade_starts_nothing(ahead: Kinds, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_wanted: Backend | None) -> Machine:
        raise InfrastructureError("There is no compiler.")

    monkeypatch.setattr(machine, "choose", fail)
    early_start.begin(["run", FILE])
    assert not ahead
