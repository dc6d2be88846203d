"""The order between lanes of a warp due to warp operations whose masks name only some of them.

Such an operation, for example __syncwarp(0xffff), orders only the lanes that it names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.traces import Event

MOST_OPERATIONS = 64  # between two accesses; more are not followed, and count as an order
NONE = np.zeros(0, np.int64)
_ALL = (1 << LANES) - 1


@dataclass(frozen=True, slots=True)
class PartialWaits:
    """The warp operations of a launch that do not name all active lanes: their events, by block and warp."""

    events: Events
    of_warp: Mapping[tuple[int, int], NDArray[np.int64]]

    def order(self, first: tuple[int, int], second: tuple[int, int]) -> bool:
        """Whether these operations order two accesses of a warp, each an event and a lane, the earlier one first."""
        (start, lane), (end, other) = first, second
        numbers = self.of_warp.get((int(self.events["block"][start]), int(self.events["warp"][start])), NONE)
        between = numbers[np.searchsorted(numbers, start) : np.searchsorted(numbers, end)]
        if len(between) > MOST_OPERATIONS:
            return True
        reached = 1 << lane
        for event in self.events[between]:
            taking_part = int(event["mask"]) & reached
            for number in range(LANES):
                if taking_part >> number & 1:
                    reached |= int(event["words"][number]) & _ALL
        return bool(reached >> other & 1)

    def numbers(self) -> NDArray[np.int64]:
        """Return the indices of all these events in the trace."""
        return np.concatenate([NONE, *self.of_warp.values()])


def partial_waits(events: Events) -> PartialWaits:
    """Return the warp operations that omit lanes which are active before or after."""
    operations = np.flatnonzero(events["kind"] == Event.WARP)
    acts = events["mask"][operations, None] >> np.arange(LANES, dtype=np.uint32) & 1 == 1
    named = np.bitwise_and.reduce(np.where(acts, events["words"][operations] & _ALL, _ALL), axis=1)
    suspects, named = operations[named != _ALL], named[named != _ALL]
    owner = events["block"] << 6 | events["warp"]
    partial = {}
    for warp in np.unique(owner[suspects]):
        own, here = np.flatnonzero(owner == warp), owner[suspects] == warp
        left_out = np.bitwise_or.reduce(events["mask"][own]) & ~named[here]
        partial[int(warp) >> 6, int(warp) & 63] = suspects[here][left_out != 0]
    return PartialWaits(events, partial)
