"""What the lanes of a warp know of each other, and what of that they have told: see `clocks.py`.

A clock says of a whole warp up to which event it is known. But a lane that tells others what its warp has done may not
have waited for the other lanes, which do not run in lockstep: then it tells of its own accesses only. So each lane has
a row, which says up to which event it knows each lane of its warp. What lanes tell has a number, which clocks hand on,
and which says what all rows told until then have covered. A lane that hears of a later number knows the earlier ones:
a race may be overlooked, and none is invented.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import Integers, Mask

Rows = NDArray[np.int32]


class LanesOfWarps:
    """The rows of the lanes of all warps, while the events of a launch are looked at one after the other."""

    def __init__(self, warps: int) -> None:
        self._rows = np.zeros((warps, LANES, LANES), np.int32)
        self._covered: list[list[Rows]] = [[np.zeros(LANES, np.int32)] for _ in range(warps)]
        self._events: list[list[int]] = [[-1] for _ in range(warps)]

    def wait(self, warp: int, lanes: Mask, members: Mask, event: int) -> None:
        """Let some lanes know what the members of a mask know and have done, in a warp operation."""
        self._rows[warp, lanes] = self._joined(warp, members, event)

    def tell(self, warp: int, lanes: Mask, event: int) -> int:
        """Return the number of what some lanes tell in an event."""
        covered = self._covered[warp]
        covered.append(np.maximum(covered[-1], self._joined(warp, lanes, event)))
        self._events[warp].append(event)
        return len(covered) - 1

    def hear(self, warp: int, lanes: Mask, number: int) -> None:
        """Let some lanes of a warp hear what lanes of the same warp have told."""
        if number:
            self._rows[warp, lanes] = np.maximum(self._rows[warp, lanes], self._covered[warp][number])

    def told(self) -> Told:
        """Return what the lanes have told."""
        counts = [len(own) for own in self._covered]
        starts = np.cumsum([0, *counts[:-1]])
        return Told(np.concatenate([np.array(own) for own in self._covered]), np.concatenate(self._events), starts)

    def _joined(self, warp: int, members: Mask, event: int) -> Rows:
        joined = np.asarray(self._rows[warp, members].max(axis=0, initial=0))
        joined[members] = event + 1
        return joined


@dataclass(frozen=True, slots=True)
class Told:
    """What lanes have told: for each number of a warp, from `starts` on, what it covers, and its own event."""

    covered: Rows
    events: Integers
    starts: Integers

    def covers(self, warp: Integers, number: Integers, lane: Integers, event: Integers) -> Mask:
        """Return, row by row, whether a number tells of a lane's access in an event."""
        return np.asarray(self.covered[self.starts[warp] + number, lane] > event)

    def event(self, warp: Integers, number: Integers) -> Integers:
        """Return the event of each number of a warp."""
        return np.asarray(self.events[self.starts[warp] + number])
