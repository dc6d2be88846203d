"""`grade check --watch`: check again whenever a file was saved."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from grader.cli.console import PASSED, error_message, narrate, results
from grader.errors import UsageError

LOOK_SECONDS = 0.3


def check_after_saves(files: Sequence[Path], check: Callable[[], int]) -> int:
    """Check now and after each save until Ctrl-C, and return the exit status of the last check."""
    status = PASSED
    try:
        for _ in saves(files):
            results.clear()  # of a terminal only
            try:
                status = check()
            except UsageError as error:  # half a file was saved, or an empty one
                narrate(error_message(error.sentence, error.hint))
            narrate("Waiting for the next save. Press Ctrl-C to stop.")
    except KeyboardInterrupt:
        return status
    return status


def saves(files: Sequence[Path]) -> Iterator[None]:
    """Yield at once, and whenever one of the files has changed. Editors replace files, so missing ones are awaited."""
    seen: tuple[tuple[int, int, int], ...] = ()
    while True:
        try:
            states = tuple(_state(file) for file in files)
        except FileNotFoundError:
            states = seen
        if states != seen:
            seen = states
            yield
        time.sleep(LOOK_SECONDS)


def _state(file: Path) -> tuple[int, int, int]:
    status = file.stat()
    return status.st_ino, status.st_mtime_ns, status.st_size
