"""The memory in which a launch leaves its trace."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.worker.simulator.generate.traces import EVENT, FIRST_EVENT, Event, Head

MOST_EVENTS = 40_000  # of a traced launch: about 0.2 s of analysis
Events = NDArray[np.void]  # of the type EVENT


class Trace:
    """Room for the events of one launch. Reads of the segments `read_only` are left out."""

    def __init__(self, limit: int, read_only: tuple[int, ...]) -> None:
        self._memory = np.empty(FIRST_EVENT + limit * EVENT.itemsize, np.uint8)  # pages that nobody writes take none
        self._head = Head.from_address(self.address)
        self._room = limit
        self.restrict(limit, read_only)

    def restrict(self, limit: int, read_only: tuple[int, ...]) -> None:
        """Keep at most so many events of the next launches, and leave out reads of these segments."""
        self._head.limit = min(limit, self._room)
        self._head.read_only = sum(1 << segment for segment in read_only)
        self.clear()

    @property
    def address(self) -> int:
        """Where the trace lies in memory."""
        return int(self._memory.ctypes.data)

    @property
    def is_complete(self) -> bool:
        """Whether all events had room."""
        return not self._head.lost

    def clear(self) -> None:
        """Forget all events."""
        self._head.count = self._head.lost = 0

    def events(self) -> Events:
        """Return the events in the order in which they happened."""
        used = FIRST_EVENT + self._head.count * EVENT.itemsize
        events = self._memory[FIRST_EVENT:used].view(EVENT)
        is_cut = bool(len(events)) and events["kind"][-1] == Event.WRITE  # its values had no room
        return events[:-1] if is_cut else events
