"""What nvcc says of a file that it compiles: what a kernel uses, and constant indices that are out of range. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

BOUNDS_WARNING = ("-Xcudafe", "--diag_warning=175")  # nvcc turns this warning off
BOUNDS_MESSAGE = r"^{}\((\d{{1,9}})\): warning #175-D: subscript out of range$"
INSTANTIATED = "detected during"
MOST_LINES = 3
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


def bounds_warning(flags: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words that let nvcc warn, unless the flags make errors of warnings."""
    return () if any("Werror" in flag for flag in flags) else BOUNDS_WARNING


def out_of_range(log: str, name: str) -> tuple[int, ...]:
    """Return the first lines of the file `name` in which a constant index lies outside of its array.

    The front end knows the bounds of every array, those in a struct too, of which PTX and the machine code have only
    the bytes; and it sees what the optimiser removes because it is undefined. Templates are left out: in one, the index
    may be in a branch that is not taken.
    """
    warning = re.compile(BOUNDS_MESSAGE.format(re.escape(name)), re.MULTILINE)
    messages = (log[found.start() :].split("\n\n", 1)[0] for found in warning.finditer(log))
    lines = (int(found[1]) for text in messages if INSTANTIATED not in text and (found := warning.match(text)))
    return tuple(dict.fromkeys(lines))[:MOST_LINES]
