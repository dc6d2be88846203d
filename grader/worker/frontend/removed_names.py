"""Whether a file uses what later versions of CUDA have removed; the header that declares it lists the names."""

from __future__ import annotations

import re

from grader.worker.frontend.standins import FOLDER

LISTED = re.findall(r"^// \d+\.\d+: (.+)$", (FOLDER / "removed.h").read_text(encoding="utf-8"), re.MULTILINE)
NAMES = re.compile(rf"\b(?:{'|'.join(' '.join(LISTED).split())})\b".encode())


def header(content: bytes) -> tuple[str, ...]:
    """Return the flag that includes the header, if the file has one of the names."""
    return ("-include=removed.h",) if NAMES.search(content) else ()
