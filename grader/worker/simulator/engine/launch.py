"""One launch: all blocks, over the processors."""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grader.worker.simulator.analysis.geometry import Dim3, Geometry
from grader.worker.simulator.analysis.shape import LANES
from grader.worker.simulator.engine.code import Code, open_code
from grader.worker.simulator.engine.describe import describe
from grader.worker.simulator.engine.faults import Fault
from grader.worker.simulator.engine.native import Run
from grader.worker.simulator.engine.printing import printed
from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.generate import copies
from grader.worker.simulator.generate.layout import (
    CONSTANTS,
    GLOBALS,
    SCRATCH,
    SEGMENT_BITS,
    SEGMENTS,
    SHARED,
    Kind,
    Machine,
    Segment,
    Status,
    Warp,
    window,
)

ORDERS = {"forward": 0, "reverse": 1, "interleaved": 2}
LONGEST_TEXT = 4096  # bytes of a format, or of a string that is printed
NO_FAULT = (1 << 62) - 1

Argument = int | float | str  # a number, or the name of a buffer


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a launch ended. PARTED asks for the general code; the buffers may have been written by then."""

    status: Status
    fault: Fault | None
    printed: bytes


@dataclass(slots=True)
class Session:
    """A kernel in memory, with its variables, which keep their values from launch to launch."""

    kernel: Kernel
    code: Code
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
    session = Session(kernel, open_code(kernel.ir, box))
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


def launch(
    session: Session,
    grid: Dim3,
    buffers: Mapping[str, NDArray[np.generic]],
    arguments: Sequence[Argument],
    *,
    blocks: NDArray[np.int64] | None = None,
    order: str = "forward",
    seed: int = 0,
    seconds: float = 20.0,
    processors: int = 2,
    printed_bytes: int = 65536,
) -> Outcome:
    """Run the blocks with these linear numbers, in increasing order, or all blocks of a grid.

    Blocks that may depend on each other all run. Buffers are contiguous arrays, read and written in place.
    """
    kernel = session.kernel
    addresses = {name: window(number + 1) for number, name in enumerate(buffers)}
    parameters = _parameters(kernel, arguments, addresses)
    counters = np.array([0, NO_FAULT], np.int64)
    stop = ctypes.c_int32(0)
    listed = None if blocks is None or kernel.needs_all_blocks else np.ascontiguousarray(blocks, np.int64)
    count = grid[0] * grid[1] * grid[2] if listed is None else listed.size
    workers = 1 if kernel.alone else max(1, min(processors, count))
    machines = [
        Worker(session, grid, buffers, parameters, counters, stop, ORDERS[order], seed, printed_bytes)
        for _ in range(workers)
    ]
    for worker in machines:
        worker.take(listed, count)
    work = count * math.sqrt(sum(array.nbytes for array in buffers.values()) + 1)  # N**3 for square matrices
    session.code.make_ready(work)
    session.code.timed(lambda: _run_all(session.code.run, machines, stop, seconds), work)
    said = b"".join(worker.printed(printed_bytes) for worker in machines)[:printed_bytes]
    worst = min(machines, key=_rank)
    if worst.status is Status.DONE:
        return Outcome(Status.DONE, None, said)
    if worst.status is Status.PARTED:
        return Outcome(Status.PARTED, None, said)
    fault = describe(kernel, worst.machine, worst.warps, buffers)
    if fault.kind is Kind.ASSERTION:
        fault = replace(fault, text=session.text_at(fault.address).decode("utf-8", "replace"))
    return Outcome(worst.status, fault, said)


def _rank(worker: Worker) -> tuple[int, int]:
    ranks = {Status.PARTED: 0, Status.FAULT: 1, Status.STOPPED: 2, Status.WAITS: 2, Status.DONE: 3}
    return ranks[worker.status], int(worker.machine.block)


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
        machine.printed, machine.printed_limit = self._prints.ctypes.data, self._prints.size
        machine.grid_x, machine.grid_y, machine.grid_z = grid
        machine.order, machine.seed = order, seed & 0xFFFFFFFF
        self._set_warps(kernel, geometry)

    def take(self, listed: NDArray[np.int64] | None, count: int) -> None:
        """Set which blocks run: those `listed`, or else the first `count`."""
        self._listed = listed
        self.machine.block_numbers = None if listed is None else listed.ctypes.data
        self.machine.blocks = count

    def _set_segments(self, session: Session, buffers: Mapping[str, NDArray[np.generic]]) -> None:
        machine = self.machine
        for number, array in enumerate(buffers.values()):
            _segment(machine, number + 1, array.ctypes.data, 0, array.nbytes, writable=True)
        for segment, memory in session.variables.items():
            _segment(machine, segment, memory.ctypes.data, 256, memory.nbytes - 64, writable=segment == GLOBALS)
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


def _parameters(kernel: Kernel, arguments: Sequence[Argument], addresses: Mapping[str, int]) -> NDArray[np.uint8]:
    memory = bytearray(max((at + size for at, size in kernel.parameters), default=0) + 64)
    for (at, size), argument in zip(kernel.parameters, arguments, strict=True):
        if isinstance(argument, str):
            data = addresses[argument].to_bytes(8, "little")
        elif isinstance(argument, float):
            data = np.array(argument, np.float32 if size == 4 else np.float64).tobytes()
        else:
            data = (argument & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        memory[at : at + size] = data
    return np.frombuffer(memory, np.uint8)


def _run_all(run: Run, workers: Sequence[Worker], stop: ctypes.c_int32, seconds: float) -> None:
    def work(worker: Worker) -> None:
        worker.status = Status(run(ctypes.addressof(worker.machine)))
        if worker.status is Status.PARTED:
            stop.value = 1

    timer = threading.Timer(seconds, lambda: setattr(stop, "value", 1))
    timer.daemon = True
    timer.start()
    try:
        threads = [threading.Thread(target=work, args=(worker,)) for worker in workers[1:]]
        for thread in threads:
            thread.start()
        work(workers[0])
        for thread in threads:
            thread.join()
    finally:
        timer.cancel()
