"""The process from which workers are forked."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from grader.contract.messages import Open, Opened
from grader.model import Backend, Limits, Purpose
from grader.sandbox import forking
from grader.sandbox.starting import worker
from tests import lab
from tests.desk import wait_until

SIMULATOR = (Backend.SIMULATOR, Purpose.EXECUTE)


@pytest.fixture(autouse=True)
def none_is_left() -> Iterator[None]:
    """Each test has a fork server of its own."""
    forking.end()
    yield
    forking.end()


def fork_server() -> psutil.Process:
    (only,) = forking._servers
    return psutil.Process(only.process.pid)


def test_one_process_forks_all_workers_and_has_one_thread_and_no_file_of_theirs() -> None:
    with worker(Backend.SIMULATOR, Limits()) as first, worker(Backend.SIMULATOR, Limits()) as second:
        for each in (first, second):
            each.finish_opening()
        assert fork_server().num_threads() == 1
        assert len(fork_server().children()) == 2
        assert fork_server().num_fds() == 3


def test_workers_survive_their_fork_server_which_has_a_successor() -> None:
    with worker(Backend.SIMULATOR, Limits()) as first:
        before = fork_server()
        before.kill()
        with worker(Backend.SIMULATOR, Limits()) as second:
            assert fork_server() != before
            for each in (first, second):
                assert each.ask(Open(), 60) == Opened()


def test_what_was_imported_ahead_is_not_imported_again() -> None:
    forking.begin([SIMULATOR])
    before = fork_server()
    forking.begin([SIMULATOR])
    assert fork_server() == before


def test_a_module_that_cannot_be_imported_is_reported_by_the_worker_that_needs_it(tmp_path: Path) -> None:
    of_worker = "-m", "grader.worker.main", str(tmp_path), "missing", Purpose.COMPILE
    broken = lab.in_place_of_a_worker(tmp_path, sys.executable, *of_worker)
    assert wait_until(broken.poll)
    assert "No module named 'grader.worker.missing'" in (tmp_path / "printed").read_text()
    with worker(Backend.SIMULATOR, Limits()) as sound:
        sound.finish_opening()


def test_a_worker_finds_its_tools_and_sees_no_secret(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/opt/cuda/bin")
    monkeypatch.setenv("CI_TOKEN", "secret")
    given = forking.environment_of(Path("/box"))
    assert given["PATH"] == "/opt/cuda/bin"
    assert given["TMPDIR"] == "/box"
    assert "CI_TOKEN" not in given


def test_a_worker_starts_no_threads_of_blas(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "16")
    assert forking.environment_of(Path("/box"))["OPENBLAS_NUM_THREADS"] == "1"


def test_a_worker_finds_packages_where_the_judge_finds_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((".", "lib", "/opt/packages", "")))
    entries = forking.environment_of(Path("/box"))["PYTHONPATH"].split(os.pathsep)
    assert entries == [str(tmp_path), str(tmp_path / "lib"), "/opt/packages"]
