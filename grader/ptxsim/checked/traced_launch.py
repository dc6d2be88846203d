"""A launch and its trace, the input of all searches, and single accesses of it as the records of findings have them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.geometry import Dim3
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import Accesses
from grader.ptxsim.engine.program import Kernel
from grader.ptxsim.engine.simulate import Simulator
from grader.ptxsim.engine.trace import Events, Extent
from grader.ptxsim.generate.traces import PLACE_BITS, Event, How
from grader.ptxsim.records.races import TracedAccess


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

    def at_line(self, line: int) -> NDArray[np.bool_]:
        """Return which events are those of a line."""
        return np.asarray(np.array([place.line == line for place in self.kernel.places])[self.events["where"]])

    @property
    def results(self) -> list[int]:
        """The segments of the buffers for results of the launch."""
        return [segment for segment in range(1, len(self.buffers) + 1) if segment not in self.extent.read_only]


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
        thread=coordinates(thread, launch.kernel.block),
        block=coordinates(int(event["block"]), launch.grid),
        initialises=initialises,
        awaits=reads and line in launch.kernel.search.awaits_at,
    )


def access_of_lane(launch: TracedLaunch, number: int, lane: int) -> TracedAccess:
    """Return the record of an event for one of its lanes."""
    return access_of(launch, number, int(launch.events["warp"][number]) * LANES + lane)


def first_access(launch: TracedLaunch, table: Accesses) -> TracedAccess:
    """Return the record of a table's first access."""
    return access_of(launch, int(table.event[0]), int(table.thread[0]))


def places_of(events: Events, lane: int) -> NDArray[np.int64]:
    """Return the number of a lane's instruction in each event: converged lanes may be at different instructions."""
    own = np.where(events["kind"] == Event.WARP, events["words"][:, lane] >> PLACE_BITS, 0)
    return np.where(own > 0, own - 1, events["where"])


def coordinates(number: int, extent: Dim3) -> Dim3:
    """Return the coordinates of a thread in a block, or of a block in a grid."""
    x, y, _ = extent
    return number % x, number // x % y, number // (x * y)
