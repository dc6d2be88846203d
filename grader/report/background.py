"""Render and write reports in the background: figures take half a second, and the judge goes on meanwhile."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from multiprocessing import get_context, parent_process
from multiprocessing.util import Finalize
from typing import TypeAlias, TypeVar

from grader.host.interrupts import ignored
from grader.model import Report

FIGURES = "grader.report.html.figures"
LAST = -1  # of what runs when a process ends
MOST_AT_ONCE = 3  # reports of a class; one takes a quarter of a second, and four GPUs grade two in a second

Result = TypeVar("Result")
Finish: TypeAlias = Callable[[], None]  # waits until a report is written, and raises what its writing raised
Render: TypeAlias = Callable[[Report], dict[str, str]]  # the text of every file by its name
Write: TypeAlias = Callable[[dict[str, str]], None]
Save: TypeAlias = Callable[[Callable[[], None]], Finish]  # begins what renders and writes a report


@dataclass(frozen=True, slots=True)
class ReportSaver:
    """Saves the reports of a grade: `begin` to save one, after those before it, or `draw` the one that follows soon.

    Nothing is written of a report that is only drawn. If the same object is saved later, it is not rendered again.
    """

    begin: Callable[[Report], Finish]
    draw: Callable[[Report], None]


@contextmanager
def report_saver(render: Render, write: Write, *, draws: bool) -> Iterator[ReportSaver]:
    """Give what saves reports.

    If they have figures, a process renders them: a thread would share the interpreter with the judge, whose requests
    would wait while the plotting library is imported.
    """
    drawn: list[tuple[Report, Callable[[], dict[str, str]]]] = []
    with _processes(1) if draws else ThreadPoolExecutor(max_workers=1) as executor:
        _begin(executor, os.getpid)  # starts the process

        def draw(report: Report) -> None:
            drawn.append((report, _begin(executor, partial(render, report))))

        def begin(report: Report) -> Finish:
            if texts := next((texts for known, texts in drawn if known is report), None):
                return lambda: write(texts())
            return _begin(executor, partial(_save, render, write, report))

        yield ReportSaver(begin, draw)


@contextmanager
def class_saver(*, draws: bool) -> Iterator[Save]:
    """Give what saves the reports of a class, several at once if they have figures. Leaving waits for all."""
    if not draws:
        yield _saved_here
        return
    with _processes(MOST_AT_ONCE) as executor:
        yield partial(_begin, executor)


def _saved_here(save: Callable[[], None]) -> Finish:
    save()
    return lambda: None


def _save(render: Render, write: Write, report: Report) -> None:
    write(render(report))


def _begin(executor: Executor, work: Callable[[], Result]) -> Callable[[], Result]:
    """Begin work, and return what waits for its result. What a killed process was to do is done here.

    The other processes end then, by SIGTERM; the other interrupts end none of them.
    """
    try:
        with ignored(signal.SIGINT, signal.SIGHUP):  # also by a process that starts now
            begun = executor.submit(work)
    except BrokenExecutor:
        return work
    return partial(_result, begun, work)


def _result(begun: Future[Result], work: Callable[[], Result]) -> Result:
    try:
        return begun.result()
    except BrokenExecutor:
        return work()


def _processes(most: int) -> Executor:
    return ProcessPoolExecutor(max_workers=most, mp_context=get_context("spawn"), initializer=_prepare)


def _prepare() -> None:
    """Load what draws figures, which the first of them would wait for, and end this process when its parent is killed.

    It ends at once: to take its modules apart takes the interpreter as long as to draw a figure.
    """
    threading.Thread(target=_end_with_parent, daemon=True).start()
    Finalize(None, os._exit, args=(0,), exitpriority=LAST)
    import_module(FIGURES).load_everything()


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)
