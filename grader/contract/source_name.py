"""The name under which a submission is compiled."""

from __future__ import annotations

import re
from pathlib import Path


def file_name(name: str) -> str:
    """A name under which compilers and shells take the file, near the student's own."""
    stem = re.sub(r"[^A-Za-z0-9_.-]+", "_", Path(name).stem).strip(".-") or "submission"
    return f"{stem[:64]}.cu"
