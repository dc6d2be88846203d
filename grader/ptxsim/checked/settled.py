"""What is known of a block of which not all is recorded, where only barriers of the whole block order its threads.

The events of a warp may end before those of others do, with an event that says so. What the others do after a barrier
that it is not recorded to reach cannot be compared with what it has done: a wait for a copy may be missing, or a write.
"""

from __future__ import annotations

import numpy as np

from grader.ptxsim.checked.accesses import Integers, acting
from grader.ptxsim.checked.turns import turns_of
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.traces import Event

_ALL = 1 << 40  # barriers


def in_step(events: Events) -> Events:
    """Return the events before the first barrier of each block that not all of its warps are recorded to reach."""
    if not (events["kind"] == Event.LOST).any():
        return events
    return events[_epochs(events) <= _recorded(events)]


def is_settled(events: Events, event: int) -> bool:
    """Return whether all that the block does up to the barrier behind an event is recorded."""
    return bool(_epochs(events)[event] < _recorded(events)[event])


def _epochs(events: Events) -> Integers:
    """Return at how many barriers the acting lanes have arrived before each event: the most of any of them."""
    acts = acting(events)
    return np.asarray(np.where(acts, turns_of(events, acts).epochs, 0).max(axis=1, initial=0))


def _recorded(events: Events) -> Integers:
    """Return, for each event, at how many barriers all warps of its block are recorded to arrive."""
    blocks, block = np.unique(events["block"], return_inverse=True)
    lost, most = events["kind"] == Event.LOST, np.full(len(blocks), _ALL)
    reached = turns_of(events, acting(events)).epochs.max(axis=1, initial=0)
    np.minimum.at(most, block[lost], reached[lost])
    return most[block]
