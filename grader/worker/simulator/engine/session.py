"""A kernel in memory, and what keeps its values from launch to launch: variables and the heap."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grader.worker.simulator.engine.code import Code, open_code
from grader.worker.simulator.engine.heap import Heap
from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.generate.layout import CONSTANTS, GLOBALS, SEGMENT_BITS, window

LONGEST_TEXT = 4096  # bytes of a format, or of a string that is printed


@dataclass(slots=True)
class Session:
    """A kernel in memory, with its variables and its heap, which keep their contents from launch to launch."""

    kernel: Kernel
    code: Code
    heap: Heap | None = None
    variables: dict[int, NDArray[np.uint8]] = field(default_factory=dict)

    def text_at(self, address: int) -> bytes:
        """Return the string at a simulated address of the module's variables, empty if there is none."""
        memory = self.variables.get(address >> SEGMENT_BITS)
        if memory is None:
            return b""
        start = address - window(address >> SEGMENT_BITS)
        return bytes(memory[start : start + LONGEST_TEXT].tobytes().split(b"\0", 1)[0])


def open_session(kernel: Kernel, box: Path | None = None) -> Session:
    """Load a kernel, with the code that a box has for it, and give its variables their first values."""
    session = Session(kernel, open_code(kernel.ir, box), Heap() if kernel.allocates else None)
    for segment in (CONSTANTS, GLOBALS):
        own = [(v, at - window(segment)) for v, at in kernel.variables if at >> 40 == segment]
        memory = np.zeros(max((at + v.size for v, at in own), default=0) + 64, np.uint8)
        for variable, at in own:
            initial = bytearray(variable.initial)
            for place, name, addend in variable.addresses:
                width = 8
                initial[place : place + width] = (kernel.symbols[name] + addend).to_bytes(8, "little")
            memory[at : at + len(initial)] = np.frombuffer(bytes(initial), np.uint8)
        session.variables[segment] = memory
    return session
