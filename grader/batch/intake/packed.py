"""The files in zip and tar files that students submitted. They are read in memory, and not unpacked further."""

from __future__ import annotations

import gzip
import io
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from tarfile import TarError, TarFile, TarInfo
from zipfile import ZipFile

from grader.batch.intake import source_entry
from grader.batch.intake.archives import DAMAGED, checked_ratio, why_outside, zip_entries
from grader.batch.intake.attribution import Attribution
from grader.errors import SubmissionError

OPENED = re.compile(r"\.(?:(?P<zip>zip)|(?:tar|tar\.gz|tgz))$", re.IGNORECASE)
MOST_OPENED, LARGEST = 16, 64 << 20  # packed files of one student; bytes of each, packed or not
GZIP = b"\x1f\x8b"  # the first bytes of a gzip file


def unpacked(files: Sequence[Attribution]) -> list[Attribution]:
    """Replace the first MOST_OPENED packed files of a student by the files in them."""
    found = [file for file in files if file.entry and OPENED.search(file.entry.path)][:MOST_OPENED]
    plain = [file for file in files if not any(file is packed for packed in found)]
    return [*plain, *(inner for file in found if file.entry for inner in _opened(file, file.entry))]


def _opened(file: Attribution, packed: source_entry.SourceEntry) -> Iterator[Attribution]:
    """Yield the student and the files in a packed file; or the packed file itself if it is empty or unreadable."""
    try:
        entries = entries_of(packed)
    except SubmissionError as error:
        yield replace(file, entry=replace(packed, refusal=error.fault.sentence))
        return
    yield replace(file, entry=None if entries else packed)
    for entry in entries:
        yield replace(file, file=entry.parts[-1], entry=replace(entry, path=f"{packed.path}/{entry.path}"))


def entries_of(packed: source_entry.SourceEntry) -> tuple[source_entry.SourceEntry, ...]:
    """Return the files in a packed file. Raises SubmissionError if it cannot be read."""
    content, kind = packed.read(LARGEST), OPENED.search(packed.path)
    if not content:
        raise source_entry.refused(packed.path, "is empty")
    try:
        if kind and kind["zip"]:
            return tuple(entry for entry in zip_entries(ZipFile(io.BytesIO(content))) if not entry.is_folder)
        archive = TarFile(fileobj=io.BytesIO(_inflated(content, packed.path)))
        members = islice(archive, source_entry.MOST_FILES + 1)  # more than one student may submit
        return tuple(_entry(archive, member) for member in members if _counts(member))
    except (*DAMAGED, TarError) as error:
        raise source_entry.refused(packed.path, "cannot be unpacked") from error


def _inflated(content: bytes, name: str) -> bytes:
    if not content.startswith(GZIP):
        return content
    plain = gzip.GzipFile(fileobj=io.BytesIO(content)).read(LARGEST + 1)
    return source_entry.checked_size(checked_ratio(plain, len(content), name), name, LARGEST)


def _counts(member: TarInfo) -> bool:
    return bool(source_entry.inside(member.name)) and not member.isdir() and not source_entry.JUNK.search(member.name)


def _entry(archive: TarFile, member: TarInfo) -> source_entry.SourceEntry:
    why = why_outside(member.name) or source_entry.why_refused(_kind(member))
    said = source_entry.sentence(member.name, why) if why else ""
    return source_entry.SourceEntry(
        source_entry.inside(member.name), _modified(member), partial(_read, archive, member), said
    )


def _kind(member: TarInfo) -> int:
    if member.isreg():
        return stat.S_IFREG
    return stat.S_IFLNK if member.issym() or member.islnk() else stat.S_IFIFO


def _modified(member: TarInfo) -> str:
    try:
        return datetime.fromtimestamp(member.mtime, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return ""


def _read(archive: TarFile, member: TarInfo, most: int) -> bytes:
    try:
        file = archive.extractfile(member) if member.isreg() else None
        content = file.read(most + 1) if file else b""
    except (*DAMAGED, TarError) as error:
        raise source_entry.refused(member.name, "is damaged") from error
    return source_entry.checked_size(content, member.name, most)
