"""Whether a file uses what later versions of CUDA have removed; the header that declares it lists the names."""

from __future__ import annotations

import re
from functools import cache

from grader.worker.frontend.standins import FOLDER

HEADER = FOLDER / "removed.h"
LISTED = re.compile(r"^// \d+\.\d+: (.+)$", re.MULTILINE)


def header(content: bytes) -> tuple[str, ...]:
    """Return the flag that includes the header, if the file has one of the names."""
    return ("-include=removed.h",) if _names().search(content) else ()


@cache
def _names() -> re.Pattern[bytes]:
    names = " ".join(LISTED.findall(HEADER.read_text(encoding="utf-8"))).split()
    return re.compile(rf"\b(?:{'|'.join(names)})\b".encode())
