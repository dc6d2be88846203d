"""The file that the simulator executes: PTX, with what ptxas says about the kernel in the first line."""

from __future__ import annotations

import re

SUFFIX = ".ptx"  # after the submission's name, by which the PTX refers to its lines
USAGE = re.compile(r"// (\d+) registers(?:, (\d+) bytes spilled)?\n")


def ptx_file(ptx: str, registers_: int, spilled_: int = 0) -> str:
    """Return the text of the file for a kernel with this number of registers per thread and spilled bytes."""
    return f"// {registers_} registers, {spilled_} bytes spilled\n{ptx}"


def registers(text: str) -> int:
    """Return how many registers a thread has; 0 where that is not known."""
    used = USAGE.match(text)
    return int(used[1]) if used else 0


def spilled(text: str) -> int:
    """Return the bytes that a thread spills and loads again, as instructions name them; 0 where that is not known."""
    used = USAGE.match(text)
    return int(used[2] or 0) if used else 0
