"""The list of a warp's asynchronous copies that are not written yet, and the functions that fill and empty it.

The list is a queue with a header: how many entries it has, the first that is needed, and the group of each lane. An
entry has the copy of each lane that made it.
"""

from __future__ import annotations

from grader.ptxsim.generate import movers
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.traces import Event

FIRST, GROUPS, ENTRIES = 4, 64, 192  # where the header has the first entry in use and the groups; the entries follow
SIZE, TAGS, TO, DATA = 4, 64, 192, 448  # fields of an entry, after the mask of its lanes
STRIDE = 1024
MOST = 128  # copies in the background of one warp; the device has room for about as many bytes
BYTES = ENTRIES + MOST * STRIDE
ALL_GROUPS = 1 << 30
SIZES = (4, 8, 16)  # bytes that a lane copies


def functions(*, traced: bool = False) -> str:
    """Return the functions that start copies and wait for them; `traced` code appends each to a trace."""
    entry = {"entries": ENTRIES, "first": FIRST, "groups": GROUPS, "stride": STRIDE, "size": SIZE, "tags": TAGS}
    wait = ir_text("copies_wait", **entry, to=TO, data=DATA)
    append = ir_text("copy_entry", **entry, most=MOST, all_groups=ALL_GROUPS) + ir_text("copy_each")
    trace = ""
    if traced:
        numbers = {"copy": int(Event.COPY), "values": int(Event.VALUES)}
        trace = ir_text("trace_copy", **numbers, stride=STRIDE, first_data=ENTRIES + DATA)
    return "".join((wait, append, *map(_of_size, SIZES), trace))


def _of_size(size: int) -> str:
    """Return the functions that start copies of so many bytes, read their sources, and write them."""
    start = ir_text(
        "copy_start", size=size, to=TO, data=DATA, range=movers.common_check(size, size, "slow", write=True)
    )
    read, write = movers.mover(size, 1, "gather", f"copy_in_{size}"), movers.all_lanes(f"copy_out_{size}", size)
    return start + read + write
