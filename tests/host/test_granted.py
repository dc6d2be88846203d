"""What the operating system does not grant is named before a program fails without a word."""

import os
import resource
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.errors import NO_THREAD, InfrastructureError
from grader.host import granted


@contextmanager
def limited(what: int, most: int) -> Iterator[None]:
    before = resource.getrlimit(what)
    resource.setrlimit(what, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(what, before)


@pytest.mark.parametrize(
    ("what", "most", "check", "said"),
    [
        (resource.RLIMIT_NOFILE, 100, lambda: granted.check_files(100), "Too many open files"),
        (resource.RLIMIT_DATA, 1 << 20, lambda: granted.check_memory(2 << 20), "Cannot allocate memory"),
    ],
)
def test_a_limit_of_the_process_is_named(what: int, most: int, check: Callable[[], None], said: str) -> None:
    check()
    with limited(what, most), pytest.raises(InfrastructureError, match=rf"^The machine failed: {said}\.$"):
        check()


def test_threads_that_do_not_start_are_named_and_none_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    granted.check_threads(3)
    start = threading.Thread.start
    started: list[threading.Thread] = []

    def second_fails(thread: threading.Thread) -> None:
        if started:
            raise RuntimeError(NO_THREAD)
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", second_fails)
    with pytest.raises(InfrastructureError, match="no thread can be started"):
        granted.check_threads(3)
    started[0].join(10)
    assert not started[0].is_alive()


def test_a_disk_with_too_little_space_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    granted.check_space(tmp_path)
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bavail=1, f_frsize=1000))
    with pytest.raises(InfrastructureError, match=rf"No space left on device \({tmp_path}\)"):
        granted.check_space(tmp_path)
