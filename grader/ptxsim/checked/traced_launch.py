"""A launch and its trace, the input of all searches, with its accesses and its memory as records of findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from grader.ptxsim.analysis.shape import LANES, Dim3
from grader.ptxsim.checked.accesses import WORD, Accesses, acting
from grader.ptxsim.engine.memory_layout import array_at
from grader.ptxsim.engine.program import Kernel
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import Events, Extent, Integers, Mask
from grader.ptxsim.generate.layout import SEGMENT_BITS, SHARED, window
from grader.ptxsim.generate.traces import PLACE_BITS, Event, How
from grader.ptxsim.records.races import Memory, TracedAccess, VariableKind
from grader.ptxsim.syntax.declarations import source_name
from grader.ptxsim.syntax.records import REALS, WIDTHS, types_of


@dataclass(frozen=True, slots=True, eq=False)
class TracedLaunch:
    """A launch, the names of its buffers by segment, and what of it the trace records."""

    kernel: Kernel
    grid: Dim3
    buffers: tuple[str, ...]
    extent: Extent
    events: Events

    def with_events(self, events: Events) -> TracedLaunch:
        """Return the launch with these events instead."""
        return replace(self, events=events)

    @property
    def lines(self) -> Integers:
        """The line of each event."""
        return np.asarray(np.array([place.line for place in self.kernel.places], np.int64)[self.events["where"]])

    def line(self, event: int) -> int:
        """Return the line of an event."""
        return self.kernel.places[int(self.events["where"][event])].line

    @property
    def results(self) -> list[int]:
        """The segments of the buffers for results of the launch."""
        return [segment for segment in range(1, len(self.buffers) + 1) if segment not in self.extent.read_only]


_ACCESSES = (Event.READ, Event.WRITE, Event.ATOMIC, Event.OBJECT)
_WIDEST = 64  # bytes of a lane's access
_ElementType = tuple[int, bool]  # its size in bytes, and whether it is floating-point


@dataclass(frozen=True, slots=True)
class _Variable:
    """A variable: its first generic address, its size in bytes, and whether it is a scalar."""

    name: str
    start: int
    size: int
    is_scalar: bool


def last_launch(simulator: Simulator) -> TracedLaunch:
    """Return the last launch of a traced simulator."""
    trace = simulator.trace
    if trace is None:
        raise ValueError("the simulator traces nothing")
    return TracedLaunch(simulator.kernel, simulator.grid, simulator.buffers, trace.extent, trace.events())


def access_of(launch: TracedLaunch, number: int, thread: int) -> TracedAccess:
    """Return the record of an event for one of its threads."""
    event = launch.events[number]
    place = int(places_of(launch.events[[number]], thread % LANES)[0])
    line, kind = launch.kernel.places[place].line, int(event["kind"])
    initialises = bool(event["how"] & How.INIT)
    reads = kind == Event.READ or (kind == Event.ATOMIC and not event["how"] & How.PUBLISHES)
    return TracedAccess(
        line=line,
        reads=reads,
        atomic=(kind == Event.ATOMIC and not reads) or (kind == Event.OBJECT and not initialises),
        copies=kind == Event.COPY or bool(event["how"] & How.SOURCE),
        thread=coordinates(thread, launch.kernel.geometry.block),
        block=coordinates(int(event["block"]), launch.grid),
        initialises=initialises,
    )


def access_of_lane(launch: TracedLaunch, number: int, lane: int) -> TracedAccess:
    """Return the record of an event for one of its lanes."""
    return access_of(launch, number, int(launch.events["warp"][number]) * LANES + lane)


def first_access(launch: TracedLaunch, table: Accesses) -> TracedAccess:
    """Return the record of a table's first access."""
    return access_of(launch, int(table.event[0]), int(table.thread[0]))


def places_of(events: Events, lane: int) -> Integers:
    """Return the number of a lane's instruction in each event: converged lanes may be at different instructions."""
    own = np.where(events["kind"] == Event.WARP, events["words"][:, lane] >> PLACE_BITS, 0)
    return np.where(own > 0, own - 1, events["where"])


def coordinates(number: int, extent: Dim3) -> Dim3:
    """Return the coordinates of a thread in a block, or of a block in a grid."""
    x, y, _ = extent
    return number % x, number // x % y, number // (x * y)


def memory_of(launch: TracedLaunch, *tables: Accesses) -> Memory:
    """Return the memory of the tables' first accesses, which have a unit in common."""
    first, sizes = tables[0], launch.events["size"][[table.event[0] for table in tables]]
    return memory_at(launch, int(first.place[0]) * first.unit, int(sizes.min()))


def memory_at(launch: TracedLaunch, address: int, size: int) -> Memory:
    """Return the memory at a generic address; `size` is the number of bytes of the access."""
    segment = address >> SEGMENT_BITS
    if 1 <= segment <= len(launch.buffers):
        return Memory(launch.buffers[segment - 1], False, address - window(segment), size)
    variable = _variable(launch.kernel, address)
    if variable is None:
        return Memory("", segment == SHARED, 0, size)
    read_as = _read_as(launch, variable)
    element = min([width for width, _ in read_as] or [min(size, WORD)])
    kind = _kind(variable, element, read_as)
    of_access = size if kind is VariableKind.STRUCT else element
    return Memory(variable.name, segment == SHARED, address - variable.start, of_access, kind)


def _variable(kernel: Kernel, address: int) -> _Variable | None:
    if address >> SEGMENT_BITS == SHARED:
        array = array_at(kernel.placed.arrays, address - window(SHARED))
        start = window(SHARED) + array.address if array else 0
        return _Variable(source_name(array.name), start, array.size, array.is_scalar) if array else None
    for variable, start in kernel.variables:
        if start <= address < start + variable.size:
            return _Variable(source_name(variable.name), start, variable.size, variable.is_scalar)
    return None


def _kind(variable: _Variable, element: int, read_as: Mapping[_ElementType, Mask]) -> VariableKind:
    if variable.is_scalar or element >= variable.size:
        return VariableKind.WHOLE
    types = sum((mark.astype(np.int64) for mark in read_as.values()), np.zeros(variable.size, np.int64))
    kinds = [mark for mark in read_as.values() if mark.any()]
    return VariableKind.STRUCT if len(kinds) > 1 and types.max() == 1 else VariableKind.ARRAY


def _read_as(launch: TracedLaunch, variable: _Variable) -> dict[_ElementType, Mask]:
    """Return, for each type with which threads access a variable, the bytes at which they do (a mask of its size)."""
    events = launch.events
    words = events["words"] - variable.start
    inside = acting(events) & (words >= 0) & (words < variable.size) & np.isin(events["kind"], _ACCESSES)[:, None]
    rows = np.flatnonzero(inside.any(axis=1))
    read_as: dict[_ElementType, Mask] = {}
    for where in np.unique(events["where"][rows]).tolist():
        record = launch.kernel.places[where].record
        types = types_of(record) if record else ()
        if types:
            mark = read_as.setdefault(
                (max(1, WIDTHS[types[-1]] // 8), types[-1] in REALS), np.zeros(variable.size, np.bool_)
            )
            own = rows[(events["where"][rows] == where) & (events["kind"][rows] != Event.WRITE)]
            starts = np.unique(words[own][inside[own]])
            for byte in range(min(_WIDEST, int(events["size"][own].max(initial=0)))):
                mark[starts[starts + byte < variable.size] + byte] = True
    return read_as
