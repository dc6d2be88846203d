"""Run one launch: distribute its blocks over the CPUs."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import Dim3
from grader.ptxsim.engine.faults import DeviceFault, describe
from grader.ptxsim.engine.memory_layout import copy
from grader.ptxsim.engine.native import Run
from grader.ptxsim.engine.processor import Processor, most_resident, run_together
from grader.ptxsim.engine.program import VARIABLE_GAP, Kernel
from grader.ptxsim.engine.session import FRESH, Session, work_of
from grader.ptxsim.engine.time_limit import Clocks, limited
from grader.ptxsim.generate.layout import FaultKind, Status, window

ORDERS = {"forward": 0, "reverse": 1}
FRESH_TRACED = 0x41  # finite as a float: a result that differs from that with FRESH depends on unset memory
NO_FAULT = (1 << 62) - 1


class Packed(Protocol):
    """An argument that is converted to bytes by itself, such as a struct."""

    @property
    def nbytes(self) -> int:
        """The size in bytes; 0 if it is that of the parameter."""

    def packed(self, nbytes: int, addresses: Mapping[str, int]) -> bytes:
        """Return the argument as `nbytes` bytes; `addresses` are those of the buffers by name."""


Argument = int | float | str | Packed  # a number, or the name of a buffer


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a launch. After DIVERGED, the launch must be repeated with general code; buffers may be modified."""

    status: Status
    fault: DeviceFault | None
    printed: bytes


@dataclass(frozen=True, slots=True)
class Schedule:
    """The order of warps, the number of CPUs, and the limits of CPU time in seconds and of printed bytes.

    `fresh` is the byte that fills a block's shared and local memory before it starts; None for the default.
    """

    order: str = "forward"
    seconds: float = 20.0
    processors: int = 2
    printed_bytes: int = 65536
    fresh: int | None = None


def launch(
    session: Session,
    grid: Dim3,
    buffers: Mapping[str, NDArray[np.generic]],
    arguments: Sequence[Argument],
    schedule: Schedule,
    blocks: NDArray[np.int64] | None = None,
) -> Outcome:
    """Run the blocks with these linear numbers, in increasing order, or all blocks of a grid.

    If blocks may depend on each other, all of them run. Buffers are contiguous arrays, read and written in place.
    """
    kernel = session.kernel
    listed = None if blocks is None or kernel.traits.needs_all_blocks else np.ascontiguousarray(blocks, np.int64)
    count = grid[0] * grid[1] * grid[2] if listed is None else listed.size
    together = kernel.traits.syncs_grid or kernel.traits.waits_for_flags
    if kernel.traits.syncs_grid and count > most_resident(kernel):
        return Outcome(Status.FAULT, _too_many(kernel, count), b"")
    fresh = schedule.fresh if schedule.fresh is not None else FRESH_TRACED if session.trace else FRESH
    addresses = {name: window(number + 1) for number, name in enumerate(buffers)}
    parameters, stop = _parameters(kernel, arguments, addresses), ctypes.c_int32(0)
    copy(parameters, kernel.placed.symbols, session.variables)

    def create(counters: NDArray[np.int64]) -> Processor:
        order, printed = ORDERS[schedule.order], schedule.printed_bytes
        return Processor(session, grid, buffers, parameters, counters, stop, order, printed, fresh)

    if session.heap:
        session.heap.begin()
    processors = _resident(create, count, kernel) if together else _sharing(create, count, listed, kernel, schedule)
    late_blocks: list[int] = []
    clocks, look = Clocks(session.code), lambda: late_blocks.extend(own.state.block for own in processors)
    with limited(stop, schedule.seconds, clocks, look), _timed(session, work_of(count, buffers)):
        if together:
            run_together(session.code.shared, processors, count, stop, schedule.order)
        else:
            _run_all(session.code.shared.run, processors, stop, clocks)
    outcome = _outcome(session, processors, buffers, schedule.printed_bytes)
    return outcome if together else _slow_if_moving(outcome, processors, late_blocks, count)


def _resident(create: Callable[[NDArray[np.int64]], Processor], count: int, kernel: Kernel) -> list[Processor]:
    """Return a processor for each initially resident block of a kernel whose blocks wait for each other."""
    processors = [create(np.array([0, NO_FAULT], np.int64)) for _ in range(min(count, most_resident(kernel)))]
    for number, processor in enumerate(processors):
        processor.take_one(number)
    return processors


def _sharing(
    create: Callable[[NDArray[np.int64]], Processor],
    count: int,
    listed: NDArray[np.int64] | None,
    kernel: Kernel,
    schedule: Schedule,
) -> list[Processor]:
    """Return processors that share the blocks: each takes the next block after it has finished one."""
    counters = np.array([0, NO_FAULT], np.int64)
    processors = [
        create(counters) for _ in range(1 if kernel.traits.in_sequence else max(1, min(schedule.processors, count)))
    ]
    for processor in processors:
        processor.take(listed, count)
    return processors


def _outcome(
    session: Session, processors: Sequence[Processor], buffers: Mapping[str, NDArray[np.generic]], printed_bytes: int
) -> Outcome:
    """Return the first fault of all processors, if there is one, and what was printed."""
    output = b"".join(processor.printed(printed_bytes) for processor in processors)[:printed_bytes]
    worst = min(processors, key=_rank)
    if worst.status in {Status.DONE, Status.DIVERGED}:
        return Outcome(worst.status, None, output)
    fault = describe(session.kernel, worst.state, worst.warps, buffers)
    if fault.kind is FaultKind.ASSERTION:
        fault = replace(fault, text=session.text_at(fault.address).decode("utf-8", "replace"))
    return Outcome(worst.status, fault, output)


def _slow_if_moving(outcome: Outcome, processors: Sequence[Processor], late_blocks: list[int], count: int) -> Outcome:
    """Change a timeout into SLOW if every stopped processor has moved on to another block since `late_blocks`."""
    fault = outcome.fault
    if fault is None or fault.kind is not FaultKind.TIME or not late_blocks:
        return outcome
    stopped = [
        (processor, block)
        for processor, block in zip(processors, late_blocks, strict=True)
        if processor.status is Status.STOPPED
    ]
    if any(processor.state.block == block for processor, block in stopped):
        return outcome
    ended = ctypes.c_int64.from_address(processors[0].state.next_block).value - len(processors)
    return replace(outcome, fault=replace(fault, kind=FaultKind.SLOW, size=ended, extent=count))


def _rank(processor: Processor) -> tuple[int, int]:
    ranks = {Status.YIELDED: 3, Status.DIVERGED: 0, Status.FAULT: 1, Status.STOPPED: 2, Status.WAITS: 2, Status.DONE: 4}
    return ranks[processor.status], int(processor.state.block)


def _parameters(kernel: Kernel, arguments: Sequence[Argument], addresses: Mapping[str, int]) -> NDArray[np.uint8]:
    if len(arguments) != len(kernel.parameters):
        raise ValueError(f"{len(arguments)} arguments for {len(kernel.parameters)} parameters")
    memory = bytearray(max((at + size for at, size in kernel.parameters), default=0) + VARIABLE_GAP)
    for (at, size), argument in zip(kernel.parameters, arguments, strict=True):
        if isinstance(argument, str):
            data = addresses[argument].to_bytes(8, "little")
        elif isinstance(argument, float):
            data = np.array(argument, f"f{size}").tobytes()
        elif isinstance(argument, int):
            data = (argument & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        else:
            data = argument.packed(size, addresses)
        memory[at : at + size] = data
    return np.frombuffer(memory, np.uint8)


def _too_many(kernel: Kernel, count: int) -> DeviceFault:
    return DeviceFault(
        FaultKind.NOT_RESIDENT,
        kernel.traits.sync_line,
        "",
        (0, 0, 0),
        (0, 0, 0),
        size=count,
        extent=most_resident(kernel),
    )


@contextmanager
def _timed(session: Session, work: float) -> Iterator[None]:
    """Record the CPU time of a launch with this amount of work. Raise an error that compiling a part has left."""
    began = time.process_time()
    yield
    seconds = time.process_time() - began
    session.seconds, session.rate = session.seconds + seconds, seconds / work
    if error := session.code.error:
        raise error


def _run_all(run: Run, processors: Sequence[Processor], stop: ctypes.c_int32, clocks: Clocks) -> None:
    def work(processor: Processor) -> None:
        processor.status = Status(run(ctypes.addressof(processor.state)))
        if processor.status is Status.DIVERGED:
            stop.value = 1

    def work_in_thread(processor: Processor) -> None:
        clocks.start()
        work(processor)

    threads = [threading.Thread(target=work_in_thread, args=(processor,)) for processor in processors[1:]]
    for thread in threads:
        thread.start()
    work(processors[0])
    for thread in threads:
        thread.join()
