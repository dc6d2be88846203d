"""The tools of compute-sanitizer, and what the worker that starts them agrees on with the process that they watch."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

REQUEST = "sanitized.json"  # the request, in the box


class Tool(StrEnum):
    """A tool. Each needs a process of its own."""

    MEMCHECK = "memcheck"
    SYNCCHECK = "synccheck"
    RACECHECK = "racecheck"
    INITCHECK = "initcheck"


def pointers_file(box: Path, tool: Tool) -> Path:
    """Return the file with the addresses of A, B and C on the device, and of the kernel's shared memory."""
    return box / f"{tool}.json"
