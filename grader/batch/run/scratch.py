"""The folder for everything of a class that is temporary."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from grader.sandbox import box as boxes

PREFIX = "grade-batch-"
TRIES, SECONDS = 10, 0.2  # what a killed worker started ends itself within half a second


@contextmanager
def scratch() -> Iterator[Path]:
    """It lasts as long as the cluster.

    A worker that is killed leaves its boxes; they go with this folder, as soon as what it started has noticed.
    """
    folder = Path(mkdtemp(prefix=PREFIX))
    try:
        yield folder
    finally:
        for _ in range(TRIES):
            boxes.remove(folder)
            if not folder.exists():
                break
            time.sleep(SECONDS)
