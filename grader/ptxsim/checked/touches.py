"""The line and the thread of an event in a trace, as the records of all findings contain them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.geometry import Dim3
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.traced_launch import TracedLaunch
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.traces import PLACE_BITS, Event, How
from grader.ptxsim.records.races import Touch


def touch_of(launch: TracedLaunch, number: int, thread: int) -> Touch:
    """Return the record of an event for one of its threads."""
    event = launch.events[number]
    place = int(places_of(launch.events[[number]], thread % LANES)[0])
    line, (kind, block) = launch.kernel.places[place].line, (int(event["kind"]), int(event["block"]))
    initialises = bool(event["how"] & How.INIT)
    reads = kind == Event.READ or (kind == Event.ATOMIC and not event["how"] & How.PUBLISHES)
    atomic = (kind == Event.ATOMIC and not reads) or (kind == Event.OBJECT and not initialises)
    places = coordinates(thread, launch.kernel.block), coordinates(block, launch.grid)
    awaits = reads and line in launch.kernel.search.awaits_at
    copies = kind == Event.COPY or bool(event["how"] & How.SOURCE)
    return Touch(line, reads, atomic, copies, *places, initialises, awaits)


def places_of(events: Events, lane: int) -> NDArray[np.int64]:
    """Return the number of a lane's instruction in each event: converged lanes may be at different instructions."""
    own = np.where(events["kind"] == Event.WARP, events["words"][:, lane] >> PLACE_BITS, 0)
    return np.where(own > 0, own - 1, events["where"])


def coordinates(number: int, extent: Dim3) -> Dim3:
    """Return the coordinates of a thread in a block, or of a block in a grid."""
    x, y, _ = extent
    return number % x, number // x % y, number // (x * y)
