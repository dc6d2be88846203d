"""The entries of a zip file, each of which may be hostile. They are read in memory, and never extracted to disk.

Limits apply to the bytes that are read, because headers may be wrong.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from grader.batch.intake.source_entry import JUNK, SourceEntry, checked_size, inside, refused, sentence, why_refused
from grader.errors import UsageError, did_you_mean

MOST_RATIO = 100  # source text has a ratio of 4 to 10; deflate allows 1032
RATIO_COUNTS_FROM = 1 << 16
ENCRYPTED, UTF8 = 0x1, 0x800  # APPNOTE.TXT 4.4.4, general purpose bits 0 and 11
DAMAGED = (BadZipFile, zlib.error, EOFError, RuntimeError, OSError, ValueError, struct.error)


@contextmanager
def opened(path: Path) -> Iterator[tuple[SourceEntry, ...]]:
    """Give the entries of a zip file, readable inside the block. Raises UsageError if it is not a zip file."""
    try:
        archive = ZipFile(path)
    except FileNotFoundError as error:
        hint = did_you_mean(path.name, (each.name for each in path.parent.glob("*")), "Check the spelling of its path.")
        raise UsageError(f"There is nothing at {path}.", hint) from error
    except DAMAGED as error:
        if path.suffix.lower() == ".cu":
            raise UsageError(f"{path} is one submission, and no class.", "Use `grade run` for it.") from error
        raise UsageError(f"{path} cannot be read as a zip file.", "Download it again as a zip file.") from error
    with archive:
        yield zip_entries(archive)


def zip_entries(archive: ZipFile) -> tuple[SourceEntry, ...]:
    """Return the entries of a zip file. They are readable while it is open."""
    named = ((_name(info), info) for info in archive.infolist())
    return tuple(_entry(archive, info, name) for name, info in named if inside(name) and not JUNK.search(name))


def _entry(archive: ZipFile, info: ZipInfo, name: str) -> SourceEntry:
    path = inside(name) + ("/" if name.endswith("/") else "")
    why = _why_refused(info, name)
    return SourceEntry(path, _modified(info), partial(_read, archive, info, name), sentence(name, why) if why else "")


def _name(info: ZipInfo) -> str:
    """Return the entry's name. macOS writes names in UTF-8 without setting the flag for it."""
    name = info.orig_filename.replace("\\", "/")
    if info.flag_bits & UTF8:
        return name
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name


def why_outside(name: str) -> str:
    """Return the reason to refuse a path that leads out of the archive; empty if it does not."""
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "has an absolute path"
    return "leads out of its folder" if ".." in name.split("/") else ""


def _why_refused(info: ZipInfo, name: str) -> str:
    if why := why_outside(name):
        return why
    if info.flag_bits & ENCRYPTED:
        return "is encrypted"
    if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:  # zipfile does not limit how far others unpack
        return "is compressed in a way that learning platforms do not use"
    return why_refused(info.external_attr >> 16)


def _modified(info: ZipInfo) -> str:
    try:
        return datetime(*info.date_time).isoformat()  # zip files contain no time zone
    except ValueError:
        return ""


def _read(archive: ZipFile, info: ZipInfo, name: str, most: int) -> bytes:
    if why := _why_refused(info, name):
        raise refused(name, why)
    try:
        with archive.open(info) as file:
            content = file.read(most + 1)
    except DAMAGED as error:
        raise refused(name, "is damaged") from error
    return checked_size(checked_ratio(content, info.compress_size, name), name, most)


def checked_ratio(content: bytes, packed_size: int, name: str) -> bytes:
    """Return the content. Raises SubmissionError if its compression ratio is too high for source text."""
    if len(content) > max(RATIO_COUNTS_FROM, MOST_RATIO * packed_size):
        raise refused(name, f"unpacks to more than {MOST_RATIO} times its size")
    return content
