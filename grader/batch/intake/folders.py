"""The entries of a folder. Links are not followed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from stat import S_ISDIR

from grader.batch.intake.source_entry import (
    JUNK,
    MOST_FILES,
    SourceEntry,
    check_number,
    checked_size,
    inside,
    refused,
    sentence,
    why_refused,
)
from grader.errors import UsageError


@contextmanager
def opened(path: Path) -> Iterator[tuple[SourceEntry, ...]]:
    """Yield the entries of a folder and of the folders in it. Raises UsageError if it cannot be listed."""
    entries = tuple(islice(_walk(path, path), MOST_FILES + 1))
    check_number(len(entries), path)
    yield entries


def entry_at(path: Path, name: str) -> SourceEntry:
    """Return the file or folder at `path` as the entry `name`."""
    try:
        status = path.lstat()
    except OSError as error:
        return _unreadable(path, name, error.strerror)
    except ValueError:  # a null character, in a roster
        return _unreadable(path, name, "no file can have this name")
    why = why_refused(status.st_mode)
    modified = datetime.fromtimestamp(status.st_mtime, UTC).isoformat(timespec="seconds")
    ending = "/" if S_ISDIR(status.st_mode) else ""
    return SourceEntry(inside(name) + ending, modified, partial(_read, path, name), sentence(name, why) if why else "")


def _walk(root: Path, folder: Path) -> Iterator[SourceEntry]:
    try:
        children = sorted(os.scandir(folder), key=lambda child: child.name)
    except OSError as error:
        if folder == root:
            raise UsageError(f"{root} cannot be listed: {error.strerror}.", "Check its permissions.") from error
        yield _unreadable(folder, folder.relative_to(root).as_posix(), error.strerror)
        return
    for child in children:
        if JUNK.search(child.name):
            continue
        yield entry_at(Path(child.path), Path(child.path).relative_to(root).as_posix())
        if child.is_dir(follow_symlinks=False):
            yield from _walk(root, Path(child.path))


def _unreadable(path: Path, name: str, why: str | None) -> SourceEntry:
    words = sentence(name, f"cannot be opened ({why})")
    return SourceEntry(inside(name), "", partial(_read, path, name), words)


def _read(path: Path, name: str, most: int) -> bytes:
    if why := why_refused(path.lstat().st_mode):  # opening a pipe would wait for its writer
        raise refused(name, why)
    try:
        with path.open("rb") as file:
            return checked_size(file.read(most + 1), name, most)
    except OSError as error:
        raise refused(name, f"cannot be read ({error.strerror})") from error
