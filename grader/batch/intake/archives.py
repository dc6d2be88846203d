"""The entries of zip and tar files, each of which may be hostile. They are read in memory, and never extracted to disk.

Limits apply to the bytes that are read, because headers may be wrong.
"""

import gzip
import io
import re
import stat
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from tarfile import TarError, TarFile, TarInfo
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from grader.batch.intake.attribution import SubmittedFile
from grader.batch.intake.source_entry import (
    JUNK,
    MOST_FILES,
    SourceEntry,
    checked_size,
    inside,
    refused,
    sentence,
    why_refused,
)
from grader.errors import SubmissionError, UsageError, did_you_mean

OPENED = re.compile(r"\.(?:(?P<zip>zip)|(?:tar|tar\.gz|tgz))$", re.IGNORECASE)
MOST_OPENED, LARGEST = 16, 64 << 20  # packed files of one student; bytes of each, packed or not
MOST_RATIO = 100  # source text has a ratio of 4 to 10; deflate allows 1032
RATIO_COUNTS_FROM = 1 << 16
ENCRYPTED, UTF8 = 0x1, 0x800  # APPNOTE.TXT 4.4.4, general purpose bits 0 and 11
GZIP = b"\x1f\x8b"  # the first bytes of a gzip file
DAMAGED = (BadZipFile, TarError, zlib.error, EOFError, RuntimeError, OSError, ValueError, struct.error)


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
        yield tuple(_in_zip(archive))


def unpacked(files: Sequence[SubmittedFile]) -> list[SubmittedFile]:
    """Replace the first MOST_OPENED packed files of a student by the files in them."""
    found = [file for file in files if file.entry and OPENED.search(file.entry.path)][:MOST_OPENED]
    plain = [file for file in files if not any(file is packed for packed in found)]
    return [*plain, *(inner for file in found if file.entry for inner in _opened(file, file.entry))]


def _opened(file: SubmittedFile, packed: SourceEntry) -> Iterator[SubmittedFile]:
    """Yield the owner and the files in a packed file; or the packed file itself if it is empty or unreadable."""
    try:
        entries = entries_of(packed)
    except SubmissionError as error:
        yield replace(file, entry=replace(packed, refusal=error.fault.sentence))
        return
    yield replace(file, entry=None if entries else packed)
    for entry in entries:
        yield replace(file, name=entry.parts[-1], entry=replace(entry, path=f"{packed.path}/{entry.path}"))


def entries_of(packed: SourceEntry) -> tuple[SourceEntry, ...]:
    """Return the files in a packed file. Raises SubmissionError if it cannot be read."""
    content, kind = packed.read(LARGEST), OPENED.search(packed.path)
    if not content:
        raise refused(packed.path, "is empty")
    try:
        if kind and kind["zip"]:
            return tuple(entry for entry in _in_zip(ZipFile(io.BytesIO(content))) if not entry.is_folder)
        return tuple(_in_tar(TarFile(fileobj=io.BytesIO(_inflated(content, packed.path)))))
    except DAMAGED as error:
        raise refused(packed.path, "cannot be unpacked") from error


def _inflated(content: bytes, name: str) -> bytes:
    if not content.startswith(GZIP):
        return content
    plain = gzip.GzipFile(fileobj=io.BytesIO(content)).read(LARGEST + 1)
    return checked_size(_checked_ratio(plain, len(content), name), name, LARGEST)


def _in_zip(archive: ZipFile) -> Iterator[SourceEntry]:
    """Yield the entries of a zip file. They are readable while it is open."""
    for info in archive.infolist():
        name = _name(info)
        if inside(name) and not JUNK.search(name):
            why = _why_outside(name) or _why_packed(info) or why_refused(info.external_attr >> 16)
            path = inside(name) + ("/" if name.endswith("/") else "")
            read = partial(_read, name, why, partial(archive.open, info), info.compress_size)
            yield SourceEntry(path, _zip_time(info), read, sentence(name, why))


def _in_tar(archive: TarFile) -> Iterator[SourceEntry]:
    """Yield the files in a tar file, a few more than one student may submit."""
    for member in islice(archive, MOST_FILES + 1):
        if inside(member.name) and not member.isdir() and not JUNK.search(member.name):
            why = _why_outside(member.name) or why_refused(_kind(member))
            read = partial(_read, member.name, why, partial(_open_member, archive, member), member.size)
            yield SourceEntry(inside(member.name), _tar_time(member), read, sentence(member.name, why))


def _read(name: str, why: str, open_: Callable[[], IO[bytes]], packed_size: int, most: int) -> bytes:
    if why:
        raise refused(name, why)
    try:
        with open_() as file:
            content = file.read(most + 1)
    except DAMAGED as error:
        raise refused(name, "is damaged") from error
    return checked_size(_checked_ratio(content, packed_size, name), name, most)


def _checked_ratio(content: bytes, packed_size: int, name: str) -> bytes:
    """Return the content. Raises SubmissionError if its compression ratio is too high for source text."""
    if len(content) > max(RATIO_COUNTS_FROM, MOST_RATIO * packed_size):
        raise refused(name, f"unpacks to more than {MOST_RATIO} times its size")
    return content


def _why_outside(name: str) -> str:
    """Return the reason to refuse a path that leads out of the archive; empty if it does not."""
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "has an absolute path"
    return "leads out of its folder" if ".." in name.split("/") else ""


def _name(info: ZipInfo) -> str:
    """Return the entry's name. macOS writes names in UTF-8 without setting the flag for it."""
    name = info.orig_filename.replace("\\", "/")
    if info.flag_bits & UTF8:
        return name
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name


def _why_packed(info: ZipInfo) -> str:
    if info.flag_bits & ENCRYPTED:
        return "is encrypted"
    # zipfile does not limit how far others unpack
    known = info.compress_type in {ZIP_STORED, ZIP_DEFLATED}
    return "" if known else "is compressed in a way that learning platforms do not use"


def _zip_time(info: ZipInfo) -> str:
    try:
        return datetime(*info.date_time).isoformat()  # zip files contain no time zone
    except ValueError:
        return ""


def _open_member(archive: TarFile, member: TarInfo) -> IO[bytes]:
    return archive.extractfile(member) or io.BytesIO()


def _kind(member: TarInfo) -> int:
    if member.isreg():
        return stat.S_IFREG
    return stat.S_IFLNK if member.issym() or member.islnk() else stat.S_IFIFO


def _tar_time(member: TarInfo) -> str:
    try:
        return datetime.fromtimestamp(member.mtime, UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return ""
