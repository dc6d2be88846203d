from __future__ import annotations

import resource
from pathlib import Path

import psutil

from grader.contract.file_limits import LARGEST_FILE
from grader.model import Backend, Limits
from grader.sandbox.starting import worker
from tests import lab


def test_a_worker_dumps_no_core_and_fills_no_disk():
    with worker(Backend.SIMULATOR, Limits()) as this_worker:
        this_worker.finish_opening()
        (process,) = psutil.Process(lab.process_of(this_worker).pid).children()
        assert process.rlimit(resource.RLIMIT_CORE) == (0, 0)
        assert process.rlimit(resource.RLIMIT_FSIZE)[1] <= LARGEST_FILE


def test_what_a_compiler_leaves_behind_goes_with_the_box():
    with worker(Backend.SIMULATOR, Limits()) as this_worker:
        this_worker.finish_opening()
        assert psutil.Process(lab.process_of(this_worker).pid).environ()["TMPDIR"] == str(this_worker.box)
        box = Path(this_worker.box)
    assert not box.exists()


def test_a_worker_does_not_see_the_secrets_of_a_job(monkeypatch):
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    with worker(Backend.SIMULATOR, Limits()) as this_worker:
        this_worker.finish_opening()
        assert "GITHUB_TOKEN" not in psutil.Process(lab.process_of(this_worker).pid).environ()
