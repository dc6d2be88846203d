"""The entries of a folder. Links in it are not followed, even if one replaces a folder while it is read."""

import errno
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from stat import S_ISDIR

from grader.batch.intake.source_entry import (
    JUNK,
    MOST_DEPTH,
    MOST_FILES,
    SourceEntry,
    checked_size,
    inside,
    refused,
    sentence,
    why_refused,
)
from grader.errors import UsageError
from grader.host import no_links


def entries_of(path: Path) -> tuple[SourceEntry, ...]:
    """Return the entries of a folder and of its subfolders. Raises UsageError if it cannot be listed."""
    try:
        return tuple(_walk(path.resolve(strict=True), ""))
    except OSError as error:
        raise UsageError(f"{path} cannot be listed: {error.strerror}.", "Check its permissions.") from error


def entry_at(path: Path, name: str) -> SourceEntry:
    """Return the file or folder at `path`, which is absolute, as an entry with this name."""
    try:
        with no_links.passed(path.parent) as above:
            return _entry(above, path, name)
    except OSError as error:
        return _unreadable(path, name, _why(error))
    except ValueError:  # a null character, in a roster
        return _unreadable(path, name, "cannot be opened (no file can have this name)")


def _walk(folder: Path, name: str) -> Iterator[SourceEntry]:
    """Yield the entries of a folder, whose path in the source is `name`. Raises OSError if it cannot be listed.

    A folder beside others is listed only until it has more files than one student may submit.
    """
    with no_links.opened(folder) as descriptor:
        with os.scandir(descriptor) as found:
            children = sorted(child.name for child in found if not JUNK.search(child.name))
        for child in children:
            entry = _entry(descriptor, folder / child, f"{name}{child}")
            yield entry
            if entry.is_folder:
                below = _below(folder / child, f"{name}{child}/")
                yield from below if len(children) == 1 else islice(below, MOST_FILES)


def _below(folder: Path, name: str) -> Iterator[SourceEntry]:
    try:
        yield from _walk(folder, name)
    except OSError as error:
        yield _unreadable(folder, name, _why(error))


def _entry(above: int, path: Path, name: str) -> SourceEntry:
    """Return the entry of the file or folder at `path`; `above` is the descriptor of its parent folder."""
    try:
        status = os.stat(path.name, dir_fd=above, follow_symlinks=False)
    except OSError as error:
        return _unreadable(path, name, _why(error))
    why = why_refused(status.st_mode)
    try:
        modified = datetime.fromtimestamp(status.st_mtime, UTC)
    except (ValueError, OverflowError, OSError):
        modified = (datetime.max if status.st_mtime > 0 else datetime.min).replace(tzinfo=UTC)
        why = why or "has a date before the year 1 or after 9999"
    read = partial(_read, path, name)
    entry = SourceEntry(inside(name), modified.isoformat(timespec="seconds"), read, sentence(name, why))
    is_listed = S_ISDIR(status.st_mode) and len(entry.parts) <= MOST_DEPTH
    return replace(entry, path=f"{entry.path}/") if is_listed else entry


def _unreadable(path: Path, name: str, why: str) -> SourceEntry:
    return SourceEntry(inside(name), "", partial(_read, path, name), sentence(name, why))


def _read(path: Path, name: str, most: int) -> bytes:
    try:
        with no_links.opened(path) as descriptor:
            if why := why_refused(os.fstat(descriptor).st_mode):
                raise refused(name, why)
            with open(descriptor, "rb", closefd=False) as file:
                return checked_size(file.read(most + 1), name, most)
    except OSError as error:
        raise refused(name, _why(error)) from error


def _why(error: OSError) -> str:
    """Return the reason why a file or folder could not be opened."""
    if error.errno == errno.ELOOP:
        return "is a link and not a file"
    if error.errno == errno.ENOTDIR:
        return "is behind a link or another file"
    return f"cannot be opened ({error.strerror})"
