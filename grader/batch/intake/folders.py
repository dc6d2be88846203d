"""What lies in a folder, links left alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path

from grader.batch.intake.source_entry import (
    JUNK,
    MOST_FILES,
    SourceEntry,
    check_number,
    inside,
    refused,
    sentence,
    too_large,
    why_refused,
)
from grader.errors import UsageError


@contextmanager
def opened(path: Path) -> Iterator[tuple[SourceEntry, ...]]:
    """Yield what a folder holds. Raises UsageError where it cannot be listed."""
    found = tuple(islice(_walk(path, path), MOST_FILES + 1))
    check_number(len(found), path)
    yield found


def _walk(root: Path, folder: Path) -> Iterator[SourceEntry]:
    try:
        entries = sorted(os.scandir(folder), key=lambda one: one.name)
    except OSError as error:
        if folder == root:
            raise UsageError(f"{root} cannot be listed: {error.strerror}.", "Check its permissions.") from error
        yield _closed(folder, folder.relative_to(root).as_posix(), error)
        return
    for entry in entries:
        if JUNK.search(entry.name):
            continue
        yield entry_at(Path(entry.path), Path(entry.path).relative_to(root).as_posix())
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(root, Path(entry.path))


def entry_at(path: Path, name: str) -> SourceEntry:
    """Return the file or folder at `path` under another name."""
    try:
        status = path.lstat()
    except OSError as error:
        return _closed(path, name, error)
    why = why_refused(status.st_mode)
    modified = datetime.fromtimestamp(status.st_mtime, UTC).isoformat(timespec="seconds")
    ending = "/" if path.is_dir() and not why else ""
    return SourceEntry(inside(name) + ending, modified, partial(_read, path, name), sentence(name, why) if why else "")


def _closed(path: Path, name: str, error: OSError) -> SourceEntry:
    words = sentence(name, f"cannot be opened ({error.strerror})")
    return SourceEntry(inside(name), "", partial(_read, path, name), words)


def _read(path: Path, name: str, most: int) -> bytes:
    if why := why_refused(path.lstat().st_mode):  # opening a pipe waits for whoever writes to it
        raise refused(sentence(name, why))
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise refused(sentence(name, f"cannot be read ({error.strerror})")) from error
    if len(content) > most:
        raise too_large(name, most)
    return content
