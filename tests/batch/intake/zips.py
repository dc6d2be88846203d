"""Zip files as learning platforms and attackers write them."""

import io
import stat
import struct
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from grader.batch.intake.collect import collect
from grader.batch.intake.source_entry import Submission

KERNEL = b'extern "C" __global__ void matmul(const float *A, const float *B, float *C, int N) {}\n'
MARCH = (2025, 3, 1, 9, 30, 0)
APRIL = (2025, 4, 1, 9, 30, 0)


def entry(name: str, when: tuple[int, int, int, int, int, int] = MARCH, mode: int = stat.S_IFREG | 0o644) -> ZipInfo:
    made = ZipInfo(name, when)
    made.create_system, made.external_attr, made.compress_type = 3, mode << 16, ZIP_DEFLATED
    return made


def written(path: Path, *entries: tuple[ZipInfo | str, bytes]) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(entry(name) if isinstance(name, str) else name, content)
    return path


def with_flag(path: Path, name: str, bit: int) -> Path:
    """Set a general purpose bit of one entry in the central directory (APPNOTE.TXT 4.3.12: 8 bytes in)."""
    content = bytearray(path.read_bytes())
    at = content.index(b"PK\x01\x02")
    while content[at + 46 : at + 46 + len(name)] != name.encode():
        at = content.index(b"PK\x01\x02", at + 1)
    (flags,) = struct.unpack_from("<H", content, at + 8)
    struct.pack_into("<H", content, at + 8, flags | bit)
    path.write_bytes(content)
    return path


def students(*sources: Path) -> dict[str, Submission]:
    return {submission.student: submission for submission in collect(*sources)}


def packed(content: bytes) -> bytes:
    inner = io.BytesIO()
    with ZipFile(inner, "w", ZIP_DEFLATED) as archive:
        archive.writestr("matmul.cu", content)
    return inner.getvalue()
