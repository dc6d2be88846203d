"""Where an event of a trace is in the source, and what it accesses: facts that all findings consist of."""

from __future__ import annotations

from dataclasses import dataclass

from grader.worker.simulator.analysis.geometry import Dim3
from grader.worker.simulator.engine.program import Kernel
from grader.worker.simulator.engine.shared_memory import array_at
from grader.worker.simulator.engine.source_names import source_name
from grader.worker.simulator.engine.trace import Events
from grader.worker.simulator.generate.layout import SEGMENT_BITS, SHARED, window
from grader.worker.simulator.generate.traces import Event, How

MATRICES = ("A", "B", "C")  # in the order of their segments


@dataclass(frozen=True, slots=True)
class Touch:
    """An access of one thread: its line, and whether it reads (or else writes), is atomic, or is a copy's write.

    `initialises` says that it initialises an mbarrier.
    """

    line: int
    reads: bool
    atomic: bool
    copies: bool
    thread: Dim3
    block: Dim3
    initialises: bool = False


@dataclass(frozen=True, slots=True)
class Memory:
    """Where: `name` of a matrix, of a variable or of an array of shared memory, and how many bytes after its start.

    The name is empty where the compiler has kept none. `element` is the number of bytes of an access.
    """

    name: str
    is_shared: bool
    offset: int
    element: int


def touch_of(kernel: Kernel, grid: Dim3, events: Events, number: int, thread: int) -> Touch:
    """Return the facts of an event for one of its threads."""
    event = events[number]
    line, (kind, block) = kernel.places[int(event["where"])].line, (int(event["kind"]), int(event["block"]))
    initialises = bool(event["how"] & How.INIT)
    reads = kind == Event.READ or (kind == Event.ATOMIC and not event["how"] & How.TELLS)
    atomic = (kind == Event.ATOMIC and not reads) or (kind == Event.OBJECT and not initialises)
    places = coordinates(thread, kernel.block), coordinates(block, grid)
    return Touch(line, reads, atomic, kind == Event.COPY, *places, initialises)


def coordinates(number: int, extent: Dim3) -> Dim3:
    """Return the coordinates of a thread in a block, or of a block in a grid."""
    x, y, _ = extent
    return number % x, number // x % y, number // (x * y)


def memory_at(kernel: Kernel, address: int, size: int) -> Memory:
    """Return the array or variable in which a generic address lies."""
    segment = address >> SEGMENT_BITS
    if segment == SHARED:
        array = array_at(kernel.arrays, address - window(SHARED))
        start = window(SHARED) + array.address if array else address
        return Memory(source_name(array.name) if array else "", True, address - start, size)
    if 1 <= segment <= len(MATRICES):
        return Memory(MATRICES[segment - 1], False, address - window(segment), size)
    for variable, place in kernel.variables:
        if place <= address < place + variable.size:
            return Memory(source_name(variable.name), False, address - place, size)
    return Memory("", False, 0, size)
