"""The folder for temporary files of a class."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from grader.sandbox import box_files

PREFIX = "grade-batch-"
TRIES, SECONDS = 10, 0.2  # processes of a killed worker end within half a second


@contextmanager
def scratch() -> Iterator[Path]:
    """Yield a folder that exists as long as the cluster.

    It holds the boxes of killed workers too, and is removed when the processes that they started have ended.
    """
    folder = Path(mkdtemp(prefix=PREFIX))
    try:
        yield folder
    finally:
        for _ in range(TRIES):
            box_files.remove(folder)
            if not folder.exists():
                break
            time.sleep(SECONDS)
