"""What one processor needs to run blocks: the machine's record, its warps, and the memory of a block."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from grader.worker.simulator.analysis.geometry import Dim3, Geometry
from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.engine.printing import printed
from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.engine.session import Session
from grader.worker.simulator.generate import copies
from grader.worker.simulator.generate.layout import (
    GLOBALS,
    HEAP,
    SCRATCH,
    SEGMENTS,
    SHARED,
    Machine,
    Segment,
    Status,
    Warp,
    window,
)


class Worker:
    """One processor's machine, warps and memory."""

    def __init__(
        self,
        session: Session,
        grid: Dim3,
        buffers: Mapping[str, NDArray[np.generic]],
        parameters: NDArray[np.uint8],
        counters: NDArray[np.int64],
        stop: ctypes.c_int32,
        order: int,
        seed: int,
        printed_bytes: int,
    ) -> None:
        kernel = session.kernel
        self._session = session
        self._prints = np.zeros(4 * printed_bytes + 4096 if kernel.prints else 16, np.uint8)
        self.status = Status.DONE
        self.machine = machine = Machine()
        geometry = Geometry(kernel.block)
        self.coordinates = np.ascontiguousarray(geometry.coordinates())
        self.shared = _aligned_bytes(kernel.shared_bytes + 64)
        self.scratch = _aligned_bytes(SCRATCH + 4096)
        self.sweep = np.arange(geometry.warps, dtype=np.int32)
        self.warps = _aligned_bytes(kernel.stride * geometry.warps + 64)
        self._held = (buffers, parameters, counters, stop)
        self._set_segments(session, buffers)
        machine.shared = self.shared.ctypes.data
        machine.parameters = parameters.ctypes.data
        machine.next_block = counters.ctypes.data
        machine.first_fault = counters.ctypes.data + 8
        machine.stop = ctypes.addressof(stop)
        machine.warps = self.warps.ctypes.data
        machine.sweep = self.sweep.ctypes.data
        machine.scratch = self.scratch.ctypes.data
        if parts := session.code.parts:
            machine.parts = ctypes.addressof(parts.table)
            machine.make_part = ctypes.cast(parts.maker, ctypes.c_void_p).value
        machine.printed, machine.printed_limit = self._prints.ctypes.data, self._prints.size
        machine.grid_x, machine.grid_y, machine.grid_z = grid
        machine.order, machine.seed = order, seed & 0xFFFFFFFF
        self._set_warps(kernel, geometry)

    def take(self, listed: NDArray[np.int64] | None, count: int, *, stays: bool = False) -> None:
        """Set which blocks run: those `listed`, or else the first `count`. One that stays takes turns with others."""
        self.machine.stays = int(stays)
        self._listed = listed
        self.machine.block_numbers = None if listed is None else listed.ctypes.data
        self.machine.blocks = count

    def _set_segments(self, session: Session, buffers: Mapping[str, NDArray[np.generic]]) -> None:
        machine = self.machine
        for number, array in enumerate(buffers.values()):
            _segment(machine, number + 1, array.ctypes.data, 0, array.nbytes, writable=True)
        for segment, memory in session.variables.items():
            _segment(machine, segment, memory.ctypes.data, 256, memory.nbytes - 64, writable=segment == GLOBALS)
        if session.heap is not None:
            _segment(machine, HEAP, session.heap.memory.ctypes.data, 0, session.heap.memory.nbytes, writable=True)
            machine.heap = session.heap.pointer
        for number, own in enumerate(session.kernel.arrays):
            first = window(SHARED) + own.address
            host = self.shared.ctypes.data + own.place
            machine.segments[SEGMENTS + number] = Segment(first, first + own.size, host - first, 1)

    def printed(self, limit: int) -> bytes:
        """Return what the kernel has printed on this processor."""
        return printed(self._prints[: self.machine.printed_bytes].tobytes(), limit, self._session.text_at)

    def _set_warps(self, kernel: Kernel, geometry: Geometry) -> None:
        copies_bytes = copies.BYTES if kernel.copies else 64
        self.copies = np.zeros(copies_bytes * geometry.warps, np.uint8)
        for number in range(geometry.warps):
            at = self.warps.ctypes.data + number * kernel.stride
            warp = Warp.from_address(at)
            left = geometry.threads - number * LANES
            warp.started = -1 if left >= LANES else (1 << left) - 1
            warp.number = number
            warp.copies = self.copies.ctypes.data + number * copies_bytes
            warp.local = at + kernel.saved_bytes
            warp.coordinates = self.coordinates.ctypes.data + number * 3 * 4 * LANES


def _aligned_bytes(count: int) -> NDArray[np.uint8]:
    memory = np.zeros(count + 64, np.uint8)
    skip = -memory.ctypes.data % 64
    return memory[skip : skip + count]


def _segment(machine: Machine, number: int, host: int, start: int, end: int, *, writable: bool) -> None:
    """Let the bytes from `start` to `end` behind a segment's beginning be those behind `host`."""
    first = window(number)
    machine.segments[number] = Segment(first + start, first + end, host - first, int(writable))
