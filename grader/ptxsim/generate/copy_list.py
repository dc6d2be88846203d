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
TOGETHER = 8  # lanes that are moved together
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
    """Return the function that moves each lane's bytes between the place that `places` names and the lane's `data`.

    Lanes that are not in the mask `lanes` may be moved, too: they have the place of one that is.
    """
    lines = [f"define internal void @{name}_{size}(ptr %places, ptr %data, i32 %lanes) noinline {{", "  br label %at0"]
    for first in range(0, LANES, TOGETHER):
        lines += [
            f"at{first}:",
            f"  %own{first} = and i32 %lanes, {((1 << TOGETHER) - 1) << first}",
            f"  %none{first} = icmp eq i32 %own{first}, 0",
            f"  br i1 %none{first}, label %at{first + TOGETHER}, label %move{first}",
            f"move{first}:",
            *(line for lane in range(first, first + TOGETHER) for line in _move(lane, size, reads=reads)),
            f"  br label %at{first + TOGETHER}",
        ]
    return "\n".join((*lines, f"at{LANES}:", "  ret void", "}", ""))


def _move(lane: int, size: int, *, reads: bool) -> tuple[str, ...]:
    source, target = (f"%place{lane}", f"%kept{lane}") if reads else (f"%kept{lane}", f"%place{lane}")
    return (
        f"  %pplace{lane} = getelementptr ptr, ptr %places, i64 {lane}",
        f"  %place{lane} = load ptr, ptr %pplace{lane}",
        f"  %kept{lane} = getelementptr i8, ptr %data, i64 {lane * DATA_OF_LANE}",
        f"  %bytes{lane} = load i{8 * size}, ptr {source}, align 1",
        f"  store i{8 * size} %bytes{lane}, ptr {target}, align 1",
    )
