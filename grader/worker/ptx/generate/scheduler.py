"""Runs blocks one after the other and the warps of each in an order, in generated code. All text is ours."""

from __future__ import annotations

from grader.worker.ptx.engine.layout import (
    BARRIERS,
    ENDED,
    RUNNABLE,
    WAITING,
    Barrier,
    Kind,
    Machine,
    Status,
    Warp,
    offset,
)

FORWARD, REVERSE, INTERLEAVED = 0, 1, 2
FRESH = 0xFF  # the byte of a block's fresh shared memory: a NaN in every float format

_BARRIER_BYTES = 4 * len(Barrier._fields_)


def _m(name: str, field: str) -> str:
    return f"%{name} = getelementptr i8, ptr %m, i64 {offset(Machine, field)}"


def _w(name: str, field: str) -> str:
    return f"%{name} = getelementptr i8, ptr %w, i64 {offset(Warp, field)}"


def scheduler(warps: int, stride: int, shared_bytes: int) -> str:
    """Return the functions that run blocks; a warp's record takes `stride` bytes."""
    return _RUN(warps, stride, shared_bytes) + _ORDER(warps) + _ARRIVE(warps, stride) + _BLOCK(warps, stride)


def _RUN(warps: int, stride: int, shared_bytes: int) -> str:  # noqa: N802 - the text below is one function
    return f"""
define i32 @run(ptr %m) {{
entry:
  {_m("pn", "next_block")}
  %next = load ptr, ptr %pn
  {_m("pb", "blocks")}
  %blocks = load i64, ptr %pb
  {_m("pf", "first_fault")}
  %first = load ptr, ptr %pf
  {_m("ps", "stop")}
  %stop = load ptr, ptr %ps
  {_m("psh", "shared")}
  %shared = load ptr, ptr %psh
  {_m("pw", "warps")}
  %warps = load ptr, ptr %pw
  {_m("pgx", "grid_x")}
  %gx32 = load i32, ptr %pgx
  %gx = zext i32 %gx32 to i64
  {_m("pgy", "grid_y")}
  %gy32 = load i32, ptr %pgy
  %gy = zext i32 %gy32 to i64
  {_m("pbx", "block_x")}
  {_m("pby", "block_y")}
  {_m("pbz", "block_z")}
  {_m("plinear", "block")}
  {_m("pbar", "barriers")}
  br label %loop
loop:
  %b = atomicrmw add ptr %next, i64 1 monotonic
  %over = icmp sge i64 %b, %blocks
  br i1 %over, label %finished, label %check
check:
  %limit = load atomic i64, ptr %first monotonic, align 8
  %late = icmp sgt i64 %b, %limit
  %s = load volatile i32, ptr %stop
  %stopped = icmp ne i32 %s, 0
  %no = or i1 %late, %stopped
  br i1 %no, label %finished, label %begin
begin:
  store i64 %b, ptr %plinear
  %bx = urem i64 %b, %gx
  %rest = udiv i64 %b, %gx
  %by = urem i64 %rest, %gy
  %bz = udiv i64 %rest, %gy
  %bx32 = trunc i64 %bx to i32
  store i32 %bx32, ptr %pbx
  %by32 = trunc i64 %by to i32
  store i32 %by32, ptr %pby
  %bz32 = trunc i64 %bz to i32
  store i32 %bz32, ptr %pbz
  call void @llvm.memset.p0.i64(ptr %shared, i8 {FRESH}, i64 {shared_bytes}, i1 false)
  call void @llvm.memset.p0.i64(ptr %pbar, i8 0, i64 {_BARRIER_BYTES * BARRIERS}, i1 false)
  br label %reset
reset:
  %i = phi i64 [ 0, %begin ], [ %i1, %reset ]
  %at = mul i64 %i, {stride}
  %w = getelementptr i8, ptr %warps, i64 %at
  {_w("pstarted", "started")}
  %started = load i32, ptr %pstarted
  {_w("palive", "alive")}
  store i32 %started, ptr %palive
  {_w("presume", "resume")}
  store i32 0, ptr %presume
  {_w("pstate", "state")}
  store i32 {RUNNABLE}, ptr %pstate
  {_w("pcopies", "copies")}
  %copies = load ptr, ptr %pcopies
  store i32 0, ptr %copies
  %i1 = add i64 %i, 1
  %all = icmp eq i64 %i1, {warps}
  br i1 %all, label %go, label %reset
go:
  %status = call i32 @run_block(ptr %m, ptr %warps)
  %good = icmp eq i32 %status, {int(Status.DONE)}
  br i1 %good, label %loop, label %bad
bad:
  %fault = icmp eq i32 %status, {int(Status.FAULT)}
  br i1 %fault, label %note, label %end
note:
  %old = atomicrmw min ptr %first, i64 %b monotonic
  br label %end
end:
  ret i32 %status
finished:
  ret i32 {int(Status.DONE)}
}}
"""


def _ORDER(warps: int) -> str:  # noqa: N802
    """The warps' order of a sweep: a permutation that a seed and the sweeps before determine (Fisher and Yates)."""
    return f"""
define internal void @shuffle(ptr %m, ptr %sweep) {{
entry:
  {_m("ps", "seed")}
  br label %loop
loop:
  %i = phi i64 [ {warps - 1}, %entry ], [ %i1, %body ]
  %more = icmp sgt i64 %i, 0
  br i1 %more, label %body, label %end
body:
  %s = load i32, ptr %ps
  %s1 = mul i32 %s, 1664525
  %s2 = add i32 %s1, 1013904223
  store i32 %s2, ptr %ps
  %h = lshr i32 %s2, 8
  %h64 = zext i32 %h to i64
  %n = add i64 %i, 1
  %j = urem i64 %h64, %n
  %pi = getelementptr i32, ptr %sweep, i64 %i
  %pj = getelementptr i32, ptr %sweep, i64 %j
  %x = load i32, ptr %pi
  %y = load i32, ptr %pj
  store i32 %y, ptr %pi
  store i32 %x, ptr %pj
  %i1 = sub i64 %i, 1
  br label %loop
end:
  ret void
}}
"""


def _ARRIVE(warps: int, stride: int) -> str:  # noqa: N802
    """Threads arrive at a barrier; with the last of them, all warps that wait there may go on."""
    return f"""
define internal void @arrive(ptr %m, ptr %warps, i32 %id, i32 %threads, i32 %expected) {{
entry:
  {_m("pbar", "barriers")}
  %id64 = zext i32 %id to i64
  %at = mul i64 %id64, {_BARRIER_BYTES}
  %bar = getelementptr i8, ptr %pbar, i64 %at
  %before = load i32, ptr %bar
  %now = add i32 %before, %threads
  store i32 %now, ptr %bar
  %complete = icmp sge i32 %now, %expected
  br i1 %complete, label %release, label %end
release:
  store i32 0, ptr %bar
  %pall = getelementptr i8, ptr %bar, i64 {offset_of_barrier("all_result")}
  store i32 %now, ptr %pall
  %pholds = getelementptr i8, ptr %bar, i64 {offset_of_barrier("holds")}
  %holds = load i32, ptr %pholds
  store i32 0, ptr %pholds
  %pturn = getelementptr i8, ptr %bar, i64 {offset_of_barrier("generation")}
  %turn = load i32, ptr %pturn
  %turn1 = add i32 %turn, 1
  store i32 %turn1, ptr %pturn
  %pcount = getelementptr i8, ptr %bar, i64 {offset_of_barrier("count_result")}
  store i32 %holds, ptr %pcount
  br label %loop
loop:
  %i = phi i64 [ 0, %release ], [ %i1, %next ]
  %wat = mul i64 %i, {stride}
  %w = getelementptr i8, ptr %warps, i64 %wat
  {_w("pstate", "state")}
  %state = load i32, ptr %pstate
  {_w("pid", "barrier")}
  %own = load i32, ptr %pid
  %waits = icmp eq i32 %state, {WAITING}
  %same = icmp eq i32 %own, %id
  %any = icmp slt i32 %own, 0
  %here = or i1 %same, %any
  %free = and i1 %waits, %here
  br i1 %free, label %wake, label %next
wake:
  store i32 {RUNNABLE}, ptr %pstate
  br label %next
next:
  %i1 = add i64 %i, 1
  %all = icmp eq i64 %i1, {warps}
  br i1 %all, label %end, label %loop
end:
  ret void
}}
"""


def offset_of_barrier(field: str) -> int:
    """Return how many bytes into a barrier's record a field lies."""
    place: int = getattr(Barrier, field).offset
    return place


def _BLOCK(warps: int, stride: int) -> str:  # noqa: N802
    return f"""
define internal i32 @run_block(ptr %m, ptr %warps) {{
entry:
  {_m("porder", "order")}
  %order = load i32, ptr %porder
  {_m("psweep", "sweep")}
  %sweep = load ptr, ptr %psweep
  %mixed = icmp eq i32 %order, {INTERLEAVED}
  %backwards = icmp eq i32 %order, {REVERSE}
  br label %sweeps
sweeps:
  br i1 %mixed, label %mix, label %start
mix:
  call void @shuffle(ptr %m, ptr %sweep)
  br label %start
start:
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %i1, %next ]
  %ran = phi i32 [ 0, %start ], [ %ran1, %next ]
  %ended = phi i32 [ 0, %start ], [ %ended1, %next ]
  %over = icmp eq i64 %i, {warps}
  br i1 %over, label %swept, label %pick
pick:
  %mirror = sub i64 {warps - 1}, %i
  %straight = select i1 %backwards, i64 %mirror, i64 %i
  %pi = getelementptr i32, ptr %sweep, i64 %i
  %listed32 = load i32, ptr %pi
  %listed = zext i32 %listed32 to i64
  %which = select i1 %mixed, i64 %listed, i64 %straight
  %at = mul i64 %which, {stride}
  %w = getelementptr i8, ptr %warps, i64 %at
  {_w("pstate", "state")}
  %state = load i32, ptr %pstate
  %runnable = icmp eq i32 %state, {RUNNABLE}
  br i1 %runnable, label %work, label %skip
skip:
  %was = icmp eq i32 %state, {ENDED}
  %was32 = zext i1 %was to i32
  %ended_s = add i32 %ended, %was32
  br label %next
work:
  %status = call i32 @step(ptr %m, ptr %w)
  switch i32 %status, label %bad [ i32 {int(Status.DONE)}, label %done
                                   i32 {int(Status.WAITS)}, label %waits
                                   i32 {int(Status.BLOCKED)}, label %blocked
                                   i32 {int(Status.YIELDED)}, label %yielded ]
blocked:
  store i32 {WAITING}, ptr %pstate
  {_w("pany", "barrier")}
  store i32 -1, ptr %pany
  br label %next
yielded:
  br label %next
done:
  store i32 {ENDED}, ptr %pstate
  %ended_d = add i32 %ended, 1
  br label %next
waits:
  store i32 {WAITING}, ptr %pstate
  {_w("palive", "alive")}
  %alive = load i32, ptr %palive
  %threads = call i32 @llvm.ctpop.i32(i32 %alive)
  {_w("pid", "barrier")}
  %id = load i32, ptr %pid
  {_w("pex", "expected")}
  %expected = load i32, ptr %pex
  call void @arrive(ptr %m, ptr %warps, i32 %id, i32 %threads, i32 %expected)
  br label %next
next:
  %ran1 = phi i32 [ %ran, %skip ], [ 1, %done ], [ 1, %waits ], [ 1, %blocked ], [ 1, %yielded ]
  %ended1 = phi i32 [ %ended_s, %skip ], [ %ended_d, %done ], [ %ended, %waits ], [ %ended, %blocked ], [ %ended, %yielded ]
  %i1 = add i64 %i, 1
  br label %loop
swept:
  %all = icmp eq i32 %ended, {warps}
  br i1 %all, label %good, label %more
more:
  %stuck = icmp eq i32 %ran, 0
  br i1 %stuck, label %deadlock, label %sweeps
deadlock:
  {_m("pkind", "kind")}
  store i32 {int(Kind.BARRIER)}, ptr %pkind
  ret i32 {int(Status.FAULT)}
bad:
  ret i32 %status
good:
  ret i32 {int(Status.DONE)}
}}
"""
