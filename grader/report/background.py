"""Write reports in the background: pages and figures take half a second, and the judge goes on meanwhile."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context, parent_process
from typing import TypeAlias

from grader.errors import InfrastructureError
from grader.model import Report

FIGURES = "grader.report.html.figures"
INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Finish: TypeAlias = Callable[[], None]  # waits until a report is written, and raises what its writing raised
Write: TypeAlias = Callable[[Report], Finish]


@contextmanager
def writer(write: Callable[[Report], None], *, draws: bool) -> Iterator[Write]:
    """Give a function that begins to write a report; one is written after the other.

    If the reports have figures, they are written by a process: a thread would share the interpreter with the judge,
    whose requests would wait while the plotting library is imported. InfrastructureError if that process is killed.
    """
    with _process() if draws else ThreadPoolExecutor(max_workers=1) as executor:

        def begin(report: Report) -> Finish:
            with _killed_as_grader_error():
                writing = executor.submit(write, report)

            def finish() -> None:
                with _killed_as_grader_error():
                    writing.result()

            return finish

        yield begin


def _process() -> Executor:
    """Start the process. It ignores interrupts, after which it still has a report to write."""
    executor = ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn"), initializer=_prepare)
    before = {number: signal.signal(number, signal.SIG_IGN) for number in INTERRUPTS}  # which the process inherits
    try:
        executor.submit(os.getpid)  # starts it
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return executor


def _prepare() -> None:
    """Import what draws figures, and end this process when its parent is killed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    import_module(FIGURES)


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)


@contextmanager
def _killed_as_grader_error() -> Iterator[None]:
    try:
        yield
    except BrokenExecutor as error:
        raise InfrastructureError("The process that writes the reports was killed.", "Is the memory full?") from error
