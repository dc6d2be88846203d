"""The list of a warp's asynchronous copies that are not written yet, and the functions that fill and empty it.

The list is a queue with a header: how many entries it has, the first that is needed, and the group of each lane. An
entry has the copy of each lane that made it.
"""

from __future__ import annotations

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.traces import Event

FIRST, GROUPS, ENTRIES = 4, 64, 192  # where the header has the first entry in use and the groups; the entries follow
# Fields of an entry, after the mask of its lanes; ALL says that all 32 lanes have places and data.
SIZE, ALL, TAGS, TO, DATA = 4, 8, 64, 192, 448
DATA_OF_LANE = 16  # bytes
STRIDE = 1024
MOST = 128  # copies in the background of one warp; the device has room for about as many bytes
BYTES = ENTRIES + MOST * STRIDE
ALL_GROUPS = 1 << 30
SIZES = (4, 8, 16)  # bytes that a lane copies


def functions(*, traced: bool = False) -> str:
    """Return the functions that start copies and wait for them; `traced` code appends each to a trace."""
    places = {
        "entries": ENTRIES,
        "first": FIRST,
        "groups": GROUPS,
        "stride": STRIDE,
        "size": SIZE,
        "all": ALL,
        "tags": TAGS,
        "to": TO,
        "data": DATA,
    }
    wait = ir_text("copies_wait", **places)
    start = ir_text("copy_start", **places, most=MOST, all_groups=ALL_GROUPS)
    trace = ""
    if traced:
        numbers = {"copy": int(Event.COPY), "values": int(Event.VALUES)}
        trace = ir_text("trace_copy", **numbers, stride=STRIDE, first_data=ENTRIES + DATA)
    return "".join((ir_text("one_segment"), *map(_moves, SIZES), wait, start, trace))


def _moves(size: int) -> str:
    """Return the functions that read the copies of all lanes, and that write them."""
    return _for_all_lanes("copy_in", size, reads=True) + _for_all_lanes("copy_out", size, reads=False)


def _for_all_lanes(name: str, size: int, *, reads: bool) -> str:
    """Return the function that moves each lane's bytes between the place that `places` names and the lane's `data`."""
    lines = []
    for lane in range(LANES):
        source, target = (f"%place{lane}", f"%kept{lane}") if reads else (f"%kept{lane}", f"%place{lane}")
        lines += [
            f"  %pplace{lane} = getelementptr ptr, ptr %places, i64 {lane}",
            f"  %place{lane} = load ptr, ptr %pplace{lane}",
            f"  %kept{lane} = getelementptr i8, ptr %data, i64 {lane * DATA_OF_LANE}",
            f"  %bytes{lane} = load i{8 * size}, ptr {source}, align 1",
            f"  store i{8 * size} %bytes{lane}, ptr {target}, align 1",
        ]
    head = f"define internal void @{name}_{size}(ptr %places, ptr %data) noinline {{"
    return "\n".join((head, *lines, "  ret void", "}", ""))
