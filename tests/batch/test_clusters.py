"""Workers of a class on this machine (0.1 s)."""

import resource
from pathlib import Path
from threading import Thread

import pytest

from grader.batch.dask import clusters
from grader.errors import InfrastructureError


def test_a_machine_that_starts_too_few_threads_is_named_before_any_worker_starts(monkeypatch: pytest.MonkeyPatch):
    started: list[Thread] = []
    start = Thread.start

    def start_ten(thread: Thread) -> None:
        if len(started) == 10:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(Thread, "start", start_ten)
    with pytest.raises(InfrastructureError, match="no thread can be started"), clusters.local([{}], gpu=False):
        pass
    for thread in started:
        thread.join(5)
        assert not thread.is_alive()


def test_too_few_files_for_the_workers_are_named():
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = len(list(Path("/dev/fd").iterdir()))
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 24, before[1]))
    try:
        with pytest.raises(InfrastructureError, match="Too many open files"), clusters.local([{}], gpu=False):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_what_dask_says_of_workers_that_do_not_start_is_one_sentence(monkeypatch: pytest.MonkeyPatch):
    def refuse(*_, **__):
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(clusters, "_cluster", refuse)
    said = r"The workers did not start: Nanny failed to start\.$"
    with pytest.raises(InfrastructureError, match=said), clusters.local([{}], gpu=False):
        pass
