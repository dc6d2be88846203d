"""A loaded kernel, with variables and a heap that keep their contents from launch to launch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.engine.code import LoadedCode
from grader.ptxsim.engine.heap import FRESH, Heap
from grader.ptxsim.engine.program import VARIABLE_GAP, Kernel
from grader.ptxsim.engine.trace import Trace
from grader.ptxsim.generate.layout import CONSTANTS, GLOBALS, SEGMENT_BITS, window

LONGEST_TEXT = 4096  # bytes of a format, or of a printed string


@dataclass(slots=True)
class Session:
    """A loaded kernel, its variables by segment, and its heap; these keep their contents from launch to launch."""

    kernel: Kernel
    code: LoadedCode
    heap: Heap | None
    variables: dict[int, NDArray[np.uint8]]
    trace: Trace | None = None
    seconds: float = 0.0  # of CPU time that launches have taken
    rate: float = 0.0  # of CPU time for a unit of work, in the last launch; see `work_of`

    def text_at(self, address: int) -> bytes:
        """Return the string at a simulated address in the module's variables; empty for another address."""
        memory = self.variables.get(address >> SEGMENT_BITS)
        if memory is None:
            return b""
        start = address - window(address >> SEGMENT_BITS)
        return bytes(memory[start : start + LONGEST_TEXT].tobytes().split(b"\0", 1)[0])


def initial_values(kernel: Kernel) -> dict[int, NDArray[np.uint8]]:
    """Return new memory for a kernel's variables by segment: their initial values, with NaN between them."""
    variables = {}
    for segment in (CONSTANTS, GLOBALS):
        own = [(v, at - window(segment)) for v, at in kernel.variables if at >> 40 == segment]
        memory = np.full(max((at + v.size for v, at in own), default=0) + VARIABLE_GAP, FRESH, np.uint8)
        for variable, at in own:
            memory[at : at + variable.size] = 0
            initial = bytearray(variable.initial)
            for place, name, addend in variable.addresses:
                width = 8
                initial[place : place + width] = (kernel.symbols[name] + addend).to_bytes(8, "little")
            memory[at : at + len(initial)] = np.frombuffer(bytes(initial), np.uint8)
        variables[segment] = memory
    return variables


def work_of(blocks: int, buffers: Mapping[str, NDArray[np.generic]]) -> float:
    """Return a number roughly proportional to the time of a launch, such as N**3 for square matrices."""
    return blocks * math.sqrt(sum(array.nbytes for array in buffers.values()) + 1)
