"""What a build leaves for those that run it: PTX, and in its first line what ptxas says of the kernel."""

from __future__ import annotations

import re

SUFFIX = ".ptx"  # behind the submission's name, by which the PTX refers to its lines
REGISTERS = re.compile(r"// (\d+) registers\n")


def artifact(ptx: str, registers_: int) -> str:
    """Return the text of the file for a kernel that has so many registers in each thread."""
    return f"// {registers_} registers\n{ptx}"


def registers(text: str) -> int:
    """Return how many registers a thread has; 0 where that is not known."""
    used = REGISTERS.match(text)
    return int(used[1]) if used else 0
