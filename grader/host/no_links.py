"""Open what other people may exchange for a link meanwhile: no link is followed, and what was opened is what is read.

A check before the opening would be of another file than the one that is opened.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# A pipe does not wait for its writer.
FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
# Where the system can, a folder that may be entered and not listed is passed too.
PASSING = getattr(os, "O_PATH", os.O_RDONLY) | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """Open what is at an absolute path for reading; `os.fstat` says what it is.

    Raises OSError: ELOOP if it is a link, ENOTDIR if a folder on the way is one.
    """
    with passed(path.parent) as folder:
        descriptor = os.open(path.name or ".", FLAGS, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def passed(path: Path) -> Iterator[int]:
    """Give the folder at an absolute path, to open or look at what is in it. Raises OSError as `opened` does."""
    folder = os.open(path.anchor, PASSING)
    try:
        for part in path.parts[1:]:
            below = os.open(part, PASSING, dir_fd=folder)
            os.close(folder)
            folder = below
        yield folder
    finally:
        os.close(folder)
