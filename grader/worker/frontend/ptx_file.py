"""The file that the simulator executes: PTX, with what ptxas says about the kernel in the first line.

Behind it may follow PTX of the same kernel in which elements of member arrays are compared with their bounds.
"""

from __future__ import annotations

import re

SUFFIX = ".ptx"  # after the submission's name, by which the PTX refers to its lines
USAGE = re.compile(r"// (\d+) registers(?:, (\d+) bytes spilled)?(?:, (\d+) characters)?\n")


def ptx_file(ptx: str, registers_: int, spilled_: int = 0, bounded_: str = "") -> str:
    """Return the text of the file for a kernel with this number of registers per thread and spilled bytes."""
    return f"// {registers_} registers, {spilled_} bytes spilled, {len(ptx)} characters\n{ptx}{bounded_}"


def program(text: str) -> str:
    """Return the PTX of the submission as it is, with the first line."""
    used = USAGE.match(text)
    return text[: used.end() + int(used[3])] if used and used[3] else text


def bounded(text: str) -> str:
    """Return the PTX with checks of member arrays; empty if there is none."""
    return text[len(program(text)) :]


def registers(text: str) -> int:
    """Return how many registers a thread has; 0 where that is not known."""
    used = USAGE.match(text)
    return int(used[1]) if used else 0


def spilled(text: str) -> int:
    """Return the bytes that a thread spills and loads again, as instructions name them; 0 where that is not known."""
    used = USAGE.match(text)
    return int(used[2] or 0) if used else 0
