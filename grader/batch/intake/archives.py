"""Zip files from outside: listed and read in memory, never extracted, every entry taken for hostile.

What limits an entry is counted while it is read: a header says what its author likes.
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

from grader.batch.intake.source_entry import (
    JUNK,
    SourceEntry,
    check_number,
    inside,
    refused,
    sentence,
    too_large,
    why_refused,
)
from grader.errors import UsageError

MOST_RATIO = 100  # source text shrinks to a quarter or a tenth; deflate reaches 1032
RATIO_COUNTS_FROM = 1 << 16
ENCRYPTED, UTF8 = 0x1, 0x800  # APPNOTE.TXT 4.4.4, general purpose bits 0 and 11
DAMAGED = (BadZipFile, zlib.error, EOFError, RuntimeError, OSError, ValueError, struct.error)


@contextmanager
def opened(path: Path) -> Iterator[tuple[SourceEntry, ...]]:
    """Yield what a zip file holds, to be read while it is open.

    Raises UsageError where the file as a whole cannot be read.
    """
    try:
        archive = ZipFile(path)
    except FileNotFoundError as error:
        raise UsageError(f"There is no file {path}.", "Check the spelling of its path.") from error
    except DAMAGED as error:
        hint = "Download it again; it has to be a zip file."
        raise UsageError(f"{path} cannot be read as a zip file.", hint) from error
    with archive:
        check_number(len(archive.infolist()), path)
        named = ((_name(info), info) for info in archive.infolist())
        yield tuple(_found(archive, info, name) for name, info in named if inside(name) and not JUNK.search(name))


def _found(archive: ZipFile, info: ZipInfo, name: str) -> SourceEntry:
    path = inside(name) + ("/" if name.endswith("/") else "")
    why = _why_refused(info, name)
    refusal = sentence(name, why) if why else ""
    return SourceEntry(path, _modified(info), partial(_read, archive, info, name), refusal)


def _name(info: ZipInfo) -> str:
    """Return the entry's name; macOS writes UTF-8 without the flag that says so."""
    name = info.orig_filename.replace("\\", "/")
    if info.flag_bits & UTF8:
        return name
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name


def _why_refused(info: ZipInfo, name: str) -> str:
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "has an absolute path"
    if ".." in name.split("/"):
        return "leads out of its folder"
    if info.flag_bits & ENCRYPTED:
        return "is encrypted"
    if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:  # zipfile unpacks the others without a limit
        return "is compressed in a way that learning platforms do not use"
    return why_refused(info.external_attr >> 16)


def _modified(info: ZipInfo) -> str:
    try:
        return datetime(*info.date_time).isoformat()  # a zip file knows no zone
    except ValueError:
        return ""


def _read(archive: ZipFile, info: ZipInfo, name: str, most: int) -> bytes:
    if why := _why_refused(info, name):
        raise refused(sentence(name, why))
    try:
        with archive.open(info) as file:
            content = file.read(most + 1)
    except DAMAGED as error:
        raise refused(sentence(name, "is damaged")) from error
    if len(content) > max(RATIO_COUNTS_FROM, MOST_RATIO * info.compress_size):
        raise refused(sentence(name, f"unpacks to more than {MOST_RATIO} times its size"))
    if len(content) > most:
        raise too_large(name, most)
    return content
