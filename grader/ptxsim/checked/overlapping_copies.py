"""Asynchronous copies of different values to one place, the second of which begins before the wait for the first.

PTX ISA, "cp.async": nothing orders two copies, not even those of one thread, unless they are synchronised with
cp.async.wait_all, cp.async.wait_group or an mbarrier; "cp.async.commit_group": two copies of one group to the same
location are undefined. The compared values are those at the start of the copies. A source that changes before the wait
is another race, between the copy's read and that write.
"""

from __future__ import annotations

import numpy as np

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.checked.accesses import accesses_of
from grader.ptxsim.checked.clocks import Knowledge
from grader.ptxsim.checked.copies import waits
from grader.ptxsim.checked.races import RacingPair
from grader.ptxsim.engine.trace import Events
from grader.ptxsim.generate.traces import Event


def first_overlap(events: Events, known: Knowledge | None = None) -> RacingPair | None:
    """Return the first two copies of different values to one place that overlap in time; None without any.

    If mbarriers may order threads, `known` determines which copies are complete.
    """
    ends = waits(events)
    if ends is None:
        return None
    copies = accesses_of(events, np.asarray(events["kind"] == Event.COPY))
    rows = copies.rows(np.lexsort((copies.event, copies.place, copies.block)))
    first, second = rows.rows(slice(None, -1)), rows.rows(slice(1, None))
    same_place = (first.place == second.place) & (first.block == second.block)
    by_waits = ends[first.event, first.thread % LANES] > second.event
    under_way = ~known.is_before(first, second) if known else by_waits
    found = np.flatnonzero(same_place & under_way & (first.value != second.value))
    if not len(found):
        return None
    pair = found[[int(np.argmin(second.event[found]))]]
    return RacingPair(first.rows(pair), second.rows(pair))
