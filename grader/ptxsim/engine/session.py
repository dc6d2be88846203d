"""A loaded kernel, with variables and a heap that keep their contents from launch to launch."""

from __future__ import annotations

import ctypes
import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.engine.loaded_code import LoadedCode
from grader.ptxsim.engine.program import VARIABLE_GAP, Kernel
from grader.ptxsim.engine.trace import Trace
from grader.ptxsim.generate.layout import CONSTANTS, GLOBALS, HEAP, SEGMENT_BITS, window

LONGEST_TEXT = 4096  # bytes of a format, or of a printed string
BYTES = 8 << 20  # the default of cudaLimitMallocHeapSize
ALIGNMENT = 16
GAP = ALIGNMENT  # bytes, which do not count as used
FRESH = 0xFF  # a NaN in every float format
Call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int32)


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
                initial[place : place + 8] = (kernel.placed.symbols[name] + addend).to_bytes(8, "little")
            memory[at : at + len(initial)] = np.frombuffer(bytes(initial), np.uint8)
        variables[segment] = memory
    return variables


def work_of(blocks: int, buffers: Mapping[str, NDArray[np.generic]]) -> float:
    """Return a number roughly proportional to the time of a launch, such as N**3 for square matrices."""
    return blocks * math.sqrt(sum(array.nbytes for array in buffers.values()) + 1)


class Heap:
    """The heap of malloc and free in kernels (CUDA C++ Programming Guide, "Dynamic Global Memory Allocation").

    Generated code calls it through a pointer, with an address or a size for each lane. The list of blocks in use is not
    in the heap's memory, to which kernels can write. Memory is allocated in increasing order.

    Freed memory is filled with NaN, and a launch allocates it again, for the same size, only if no other memory is
    left. Thus a use after free changes the result, and accesses of two threads to one address usually are accesses to
    the same allocation. After each block there is a gap, so that an index shortly past its end does not reach another
    block. `is_reused`: a block that the current launch has freed was allocated again.
    """

    def __init__(self) -> None:
        self.memory = np.full(BYTES * (ALIGNMENT + GAP) // ALIGNMENT, FRESH, np.uint8)
        self.call = Call(self._call)
        self.sizes: dict[int, int] = {}  # in bytes by address, of all blocks ever allocated
        self._top = ALIGNMENT
        self._total = ALIGNMENT
        self._used: dict[int, int] = {}
        self._free: dict[int, list[int]] = {}
        self._freed_now: dict[int, deque[int]] = {}
        self.is_reused = False

    def begin(self) -> None:
        """Begin a launch, which may allocate all memory that earlier launches have freed."""
        for size, places in self._freed_now.items():
            self._free.setdefault(size, []).extend(places)
        self._freed_now = {}
        self.is_reused = False

    @property
    def pointer(self) -> int | None:
        """The address of the function that generated code calls."""
        return ctypes.cast(self.call, ctypes.c_void_p).value

    def allocate(self, size: int) -> int:
        """Allocate `size` bytes and return their simulated address; 0 if there is no room."""
        rounded = max(ALIGNMENT, -(-size // ALIGNMENT) * ALIGNMENT)
        if free := self._free.get(rounded):
            place = free.pop()
        elif self._total + rounded <= BYTES:
            place, self._top, self._total = self._top, self._top + rounded + GAP, self._total + rounded
        elif freed := self._freed_now.get(rounded):
            place, self.is_reused = freed.popleft(), True
        else:
            return 0
        self._used[place] = rounded
        address = window(HEAP) + place
        self.sizes[address] = max(size, self.sizes.get(address, 0))
        return address

    def release(self, address: int) -> bool:
        """Free memory. Return False if `allocate` has not returned this address or it is free already."""
        if address == 0:
            return True
        place = address - window(HEAP)
        size = self._used.pop(place, 0)
        if size:
            self.memory[place : place + size] = FRESH
            self._freed_now.setdefault(size, deque()).append(place)
        return size > 0

    def _call(self, values: int, lanes: int, releases: int) -> int:
        """Replace sizes by addresses, or release addresses. Return the first lane that fails, counted from 1; or 0."""
        words = (ctypes.c_uint64 * LANES).from_address(values)
        for lane in range(LANES):
            if not lanes >> lane & 1:
                continue
            if not releases:
                words[lane] = self.allocate(words[lane])
            elif not self.release(words[lane]):
                return lane + 1
        return 0
