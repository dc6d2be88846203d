"""The environment of a worker."""

import os
from pathlib import Path

import pytest

from grader.sandbox import environment


def test_a_worker_finds_its_tools_and_sees_no_secret(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/opt/cuda/bin")
    monkeypatch.setenv("CI_TOKEN", "secret")
    given = environment.of_worker(Path("/box"))
    assert given["PATH"] == "/opt/cuda/bin"
    assert given["TMPDIR"] == "/box"
    assert "CI_TOKEN" not in given


def test_a_worker_starts_no_threads_of_blas(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "16")
    assert environment.of_worker(Path("/box"))["OPENBLAS_NUM_THREADS"] == "1"


def test_a_worker_finds_packages_where_the_judge_finds_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((".", "lib", "/opt/packages", "")))
    entries = environment.of_worker(Path("/box"))["PYTHONPATH"].split(os.pathsep)
    assert entries == [str(tmp_path), str(tmp_path / "lib"), "/opt/packages"]
