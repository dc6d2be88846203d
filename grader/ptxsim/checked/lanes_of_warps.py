"""Happens-before between the lanes of a warp, and the part of it that they have published: see `vector_clocks.py`.

A clock has one event for a whole warp. But lanes do not run in lockstep, and a lane that publishes may not have
synchronised with the other lanes: then it publishes its own accesses only. Therefore each lane has a row: for each lane
of its warp, the event up to which the accesses of that lane happen before. Each publication has a number, which clocks
contain; it covers the maximum of all rows published until then. A lane that acquires a number therefore acquires
all earlier ones: this may hide a race, but never reports a false one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import Integers, Mask

Rows = NDArray[np.int32]


class LanesOfWarps:
    """The rows of the lanes of all warps while the events of a launch are processed in order."""

    def __init__(self, warps: int) -> None:
        self._rows = np.zeros((warps, LANES, LANES), np.int32)
        self._covered: list[list[Rows]] = [[np.zeros(LANES, np.int32)] for _ in range(warps)]

    def wait(self, warp: int, lanes: Mask, members: Mask, event: int) -> None:
        """Let these lanes acquire the rows and the accesses of the members of a mask, in a warp operation."""
        self._rows[warp, lanes] = self._joined(warp, members, event)

    def publish(self, warp: int, lanes: Mask, event: int) -> int:
        """Publish the rows of these lanes in an event, and return the number of the publication."""
        covered = self._covered[warp]
        covered.append(np.maximum(covered[-1], self._joined(warp, lanes, event)))
        return len(covered) - 1

    def acquire(self, warp: int, lanes: Mask, number: int) -> None:
        """Let lanes of a warp acquire a publication by lanes of the same warp."""
        if number:
            self._rows[warp, lanes] = np.maximum(self._rows[warp, lanes], self._covered[warp][number])

    def publications(self) -> Publications:
        """Return all publications."""
        counts = [len(own) for own in self._covered]
        starts = np.cumsum([0, *counts[:-1]])
        return Publications(np.concatenate([np.array(own) for own in self._covered]), starts)

    def _joined(self, warp: int, members: Mask, event: int) -> Rows:
        joined = np.asarray(self._rows[warp, members].max(axis=0, initial=0))
        joined[members] = event + 1
        return joined


@dataclass(frozen=True, slots=True)
class Publications:
    """The publications of all warps: for each, the event up to which it covers each lane (N x 32).

    Those of a warp begin at its index in `starts`.
    """

    covered: Rows
    starts: Integers

    def covers(self, warp: Integers, number: Integers, lane: Integers, event: Integers) -> Mask:
        """Return, row by row, whether a publication covers a lane's access in an event."""
        return np.asarray(self.covered[self.starts[warp] + number, lane] > event)
