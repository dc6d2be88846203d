"""The memory to which a launch writes its trace."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grader.ptxsim.analysis.shape import Dim3
from grader.ptxsim.generate.traces import EDGE, EVENT, FIRST_EVENT, ROOM_FOR_ENDS, Head

NO_BLOCK = -1
CORNER = 1  # blocks from each side of the grid whose accesses to shared memory a checked launch records
SHARED_OUT = 4  # if each warp has its own room, the room of a block grows by this fraction (1 / 4)
WARP_BITS = 6  # of the number of a warp in its block
Events = NDArray[np.void]  # of the type EVENT
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


def warps_of(events: Events) -> Integers:
    """Return the warp of each event as one number for the launch: that of its block, and its own number there."""
    return np.asarray(events["block"].astype(np.int64) << WARP_BITS | events["warp"])


def of_warp(events: Events, block: int, warp: int) -> Mask:
    """Mark the events of a warp of a block."""
    return np.asarray((events["block"] == block) & (events["warp"] == warp))


def of_same_warp(events: Events, event: int) -> Mask:
    """Mark the events of the warp of an event."""
    return of_warp(events, events["block"][event], events["warp"][event])


def of_lane(events: Events, lane: int) -> Mask:
    """Mark the events in which a lane takes part."""
    return np.asarray(events["mask"] >> np.uint32(lane) & 1 == 1)


@dataclass(frozen=True, slots=True)
class DrawnBlocks:
    """Blocks whose numbers, divided by `every`, leave the remainder `chosen`."""

    every: int
    chosen: int


NONE_DRAWN = DrawnBlocks(1 << 62, (1 << 62) - 1)


@dataclass(frozen=True, slots=True)
class Extent:
    """What a trace records: at most `events` events, of which at most `of_block` belong to one block.

    Reads of the segments `read_only` are left out. Blocks are recorded that are at most `edge` blocks from the grid's
    edges, and their accesses to shared memory if they are at most `shared_edge` blocks from them. Of blocks that are
    `drawn`, all is recorded. Each of the `warps` of a block has additional room of its own. If `warps` is 0, warps use
    the room of the block in the order of their events, and the events of all end together.
    """

    events: int
    of_block: int
    read_only: tuple[int, ...]
    shared_edge: int = EDGE
    edge: int = EDGE
    warps: int = 0
    drawn: DrawnBlocks = NONE_DRAWN

    def records_shared(self, blocks: Integers, grid: Dim3) -> Mask:
        """Mark the blocks whose accesses to shared memory are recorded."""
        columns, rows, _ = grid
        x, y = blocks % columns, blocks // columns % rows
        beside = (np.minimum(x, columns - 1 - x) < self.shared_edge) & (np.minimum(y, rows - 1 - y) < self.shared_edge)
        return np.asarray(beside | (blocks % self.drawn.every == self.drawn.chosen))

    @property
    def share(self) -> int:
        """The number of events for which each warp has its own room."""
        return self.of_block // (SHARED_OUT * self.warps) if self.warps else 0

    @property
    def reserve(self) -> int:
        """The number of events for which the warps of a block have their own room, all together."""
        return self.share * self.warps


class Trace:
    """Memory for the events of one launch."""

    def __init__(self, limit: int) -> None:
        self._memory = np.empty(
            FIRST_EVENT + (limit + ROOM_FOR_ENDS) * EVENT.itemsize, np.uint8
        )  # pages that are never written take no memory
        self._head = Head.from_address(self.address)
        self._room = limit
        self.keep(Extent(limit, limit, ()))

    def keep(self, extent: Extent) -> None:
        """Set which events of the next launches are recorded."""
        blocks = extent.events // extent.of_block
        self._head.limit = min(extent.events + blocks * extent.reserve, self._room)
        self._head.block_limit = extent.of_block + extent.reserve
        self.extent = extent
        self._head.read_only = sum(1 << segment for segment in extent.read_only)
        self._head.edge = extent.edge
        self._head.shared_edge = extent.shared_edge
        self._head.every, self._head.chosen = extent.drawn.every, extent.drawn.chosen
        self._head.warp_share, self._head.reserve = extent.share, extent.reserve
        self.clear()

    @property
    def address(self) -> int:
        """The address of the trace in memory."""
        return int(self._memory.ctypes.data)

    @property
    def is_complete(self) -> bool:
        """Whether the trace had room for all events."""
        return not self._head.lost

    def clear(self) -> None:
        """Discard all events."""
        self._head.count = self._head.lost = self._head.block_start = self._head.skips = 0
        self._head.block = NO_BLOCK

    def events(self) -> Events:
        """Return the events in the order in which they occurred."""
        used = FIRST_EVENT + self._head.count * EVENT.itemsize
        return self._memory[FIRST_EVENT:used].view(EVENT)
