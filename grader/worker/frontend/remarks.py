"""What nvcc says of a file that it compiles: what a kernel uses. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

ENTRY = re.compile(r"^ptxas info\s*: Compiling entry function '([^']+)'", re.MULTILINE)
STACK = re.compile(r"\b(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
REGISTERS = re.compile(r"Used (\d+) registers")
SHARED = re.compile(r"\b(\d+) bytes smem")  # not in a name that is full of digits
INFORMATION = re.compile(r"^(?:ptxas info\s*:.*|(?:ptxas +\.)? +\d+ bytes stack frame, .*)\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Usage:
    """Registers and bytes of stack of a thread, bytes that it spills, and bytes of static shared memory of a block."""

    registers: int
    stack: int
    spill_stores: int
    spill_loads: int
    static_shared: int


NOTHING = Usage(0, 0, 0, 0, 0)


def usages(log: str) -> dict[str, Usage]:
    """What each kernel uses, by its symbol."""
    _, *parts = ENTRY.split(log)
    return {symbol: _usage(symbol, text) for symbol, text in zip(parts[::2], parts[1::2], strict=True)}


def without_information(log: str) -> str:
    """The log with warnings only."""
    return INFORMATION.sub("", log)


def _usage(symbol: str, text: str) -> Usage:
    """Functions that the kernel calls have a stack of their own, printed beside the kernel's."""
    _, _, own = text.partition(f"Function properties for {symbol}\n")
    stack = STACK.search(own)
    registers, shared = REGISTERS.search(text), SHARED.search(text)
    frame, stores, loads = (int(word) for word in stack.groups()) if stack else (0, 0, 0)
    return Usage(int(registers[1]) if registers else 0, frame, stores, loads, int(shared[1]) if shared else 0)
