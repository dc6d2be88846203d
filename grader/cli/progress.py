"""The progress of one grade."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.text import Text

from grader.cli import terminal
from grader.cli.console import narrate, narration
from grader.model import Report
from grader.pipeline import OnProgress


@contextmanager
def progress(total: int) -> Iterator[OnProgress]:
    """Yield what shows progress: one changing line on a terminal; elsewhere a line for each finished size."""
    if narration.is_terminal:
        with narration.status("compiling") as status:
            yield lambda report, step: status.update(Text(terminal.progress_line(report, step, total)))
        return
    shown = 0

    def show(report: Report, step: str) -> None:
        nonlocal shown
        lines = terminal.finished_sizes(report, step)
        for line in lines[shown:]:
            narrate(line)
        shown = len(lines)

    yield show
