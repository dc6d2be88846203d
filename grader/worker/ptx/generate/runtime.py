"""The part of the generated module that is the same for every kernel: checked accesses lane by lane, and faults.

Everything here is text of ours. All accesses that the fast code does not make itself come through `resolve`, which is
where a later change can watch them (as can `generate/loads.py` and `generate/stores.py` for the fast ones).
"""

from __future__ import annotations

from grader.worker.ptx.analysis.shape import LANES
from grader.worker.ptx.engine.layout import (
    FIRST_LOCAL,
    LOCAL,
    SEGMENT_BITS,
    SEGMENTS,
    Kind,
    Machine,
    Segment,
    Warp,
    offset,
)


def _place(name: str, record: type[Machine] | type[Warp], field: str) -> str:
    pointer = "%m" if record is Machine else "%w"
    return f"%{name} = getelementptr i8, ptr {pointer}, i64 {offset(record, field)}"


_SEGMENT_BYTES = 8 * len(Segment._fields_)

FAULTS = f"""
define internal void @leave_access_fault(ptr %m, ptr %w, i32 %kind, i32 %where, i32 %lane, i64 %a, i32 %size, i32 %write) noinline cold {{
  {_place("pk", Machine, "kind")}
  store i32 %kind, ptr %pk
  {_place("pw", Machine, "where")}
  store i32 %where, ptr %pw
  {_place("pl", Machine, "lane")}
  store i32 %lane, ptr %pl
  {_place("pn", Warp, "number")}
  %n = load i32, ptr %pn
  {_place("pp", Machine, "warp")}
  store i32 %n, ptr %pp
  {_place("pa", Machine, "address")}
  store i64 %a, ptr %pa
  {_place("ps", Machine, "size")}
  store i32 %size, ptr %ps
  {_place("pr", Machine, "write")}
  store i32 %write, ptr %pr
  ret void
}}

define internal void @leave_fault(ptr %m, ptr %w, i32 %kind, i32 %where, i32 %lanes) noinline cold {{
  %lane = call i32 @llvm.cttz.i32(i32 %lanes, i1 false)
  call void @leave_access_fault(ptr %m, ptr %w, i32 %kind, i32 %where, i32 %lane, i64 0, i32 0, i32 0)
  ret void
}}

define internal ptr @resolve(ptr %m, ptr %w, i64 %a, i64 %size, i64 %piece, i32 %where, i32 %lane, i32 %write) {{
  %below = sub i64 %size, 1
  %low = and i64 %a, %below
  %aligned = icmp eq i64 %low, 0
  br i1 %aligned, label %find, label %misaligned
misaligned:
  %size32 = trunc i64 %size to i32
  call void @leave_access_fault(ptr %m, ptr %w, i32 {int(Kind.MISALIGNED)}, i32 %where, i32 %lane, i64 %a, i32 %size32, i32 %write)
  ret ptr null
find:
  %b = add i64 %a, %piece
  %number = lshr i64 %b, {SEGMENT_BITS}
  %is_local = icmp eq i64 %number, {LOCAL}
  br i1 %is_local, label %local, label %global
global:
  %known = call i64 @llvm.umin.i64(i64 %number, i64 {SEGMENTS - 1})
  %scaled = mul i64 %known, {_SEGMENT_BYTES}
  %segment = getelementptr i8, ptr %m, i64 %scaled
  %start = load i64, ptr %segment
  %pe = getelementptr i8, ptr %segment, i64 8
  %end = load i64, ptr %pe
  %pd = getelementptr i8, ptr %segment, i64 16
  %delta = load i64, ptr %pd
  %pw = getelementptr i8, ptr %segment, i64 24
  %writable = load i64, ptr %pw
  %unit = call i64 @llvm.umin.i64(i64 %size, i64 4)
  %behind = add i64 %b, %unit
  %above = icmp sge i64 %b, %start
  %inside = icmp sle i64 %behind, %end
  %write64 = sext i32 %write to i64
  %may = icmp sge i64 %writable, %write64
  %ok1 = and i1 %above, %inside
  %ok = and i1 %ok1, %may
  br i1 %ok, label %good, label %bad
good:
  %host = add i64 %b, %delta
  %p = inttoptr i64 %host to ptr
  ret ptr %p
local:
  %in = and i64 %b, {(1 << SEGMENT_BITS) - 1}
  %o = sub i64 %in, {FIRST_LOCAL}
  %unit2 = call i64 @llvm.umin.i64(i64 %size, i64 4)
  %o2 = add i64 %o, %unit2
  %limit = load i64, ptr @local_bytes
  %fits = icmp ule i64 %o2, %limit
  %positive = icmp sge i64 %o, 0
  %lok = and i1 %fits, %positive
  br i1 %lok, label %lgood, label %bad
lgood:
  {_place("plocal", Warp, "local")}
  %lp = load ptr, ptr %plocal
  %word = lshr i64 %o, 2
  %row = mul i64 %word, {4 * LANES}
  %lane64 = zext i32 %lane to i64
  %column = mul i64 %lane64, 4
  %rest = and i64 %o, 3
  %x1 = add i64 %row, %column
  %x2 = add i64 %x1, %rest
  %lhost = getelementptr i8, ptr %lp, i64 %x2
  ret ptr %lhost
bad:
  %size33 = trunc i64 %size to i32
  call void @leave_access_fault(ptr %m, ptr %w, i32 {int(Kind.MEMORY)}, i32 %where, i32 %lane, i64 %b, i32 %size33, i32 %write)
  ret ptr null
}}
"""

# What a group of lanes reads, as `generate/loads.py` writes it down: see there.
PRELOAD = """
define internal i1 @preload(ptr %m, ptr %w, ptr %table, i32 %count, ptr %roots, i32 %active, ptr %scratch) noinline cold {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %done = icmp eq i32 %i, %count
  br i1 %done, label %good, label %work
work:
  %i64 = zext i32 %i to i64
  %row = getelementptr { i32, i32, i32, i32, i64, i64, i64, i64, ptr }, ptr %table, i64 %i64
  %key = load i32, ptr %row
  %plm = getelementptr i8, ptr %row, i64 4
  %own = load i32, ptr %plm
  %psz = getelementptr i8, ptr %row, i64 8
  %size = load i32, ptr %psz
  %pwh = getelementptr i8, ptr %row, i64 12
  %where = load i32, ptr %pwh
  %prel = getelementptr i8, ptr %row, i64 16
  %rel = load i64, ptr %prel
  %pmask = getelementptr i8, ptr %row, i64 24
  %mask = load i64, ptr %pmask
  %pwin = getelementptr i8, ptr %row, i64 32
  %window = load i64, ptr %pwin
  %pto = getelementptr i8, ptr %row, i64 40
  %to = load i64, ptr %pto
  %poff = getelementptr i8, ptr %row, i64 48
  %offsets = load ptr, ptr %poff
  %key64 = zext i32 %key to i64
  %proot = getelementptr i64, ptr %roots, i64 %key64
  %root = load i64, ptr %proot
  %base = add i64 %root, %rel
  %lanes = and i32 %own, %active
  %size64 = zext i32 %size to i64
  %unit = call i64 @llvm.umin.i64(i64 %size64, i64 4)
  br label %lane_loop
lane_loop:
  %left = phi i32 [ %lanes, %work ], [ %left1, %lane_done ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %next, label %lane_work
lane_work:
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 false)
  %below = sub i32 %left, 1
  %left1 = and i32 %left, %below
  %lane64 = zext i32 %lane to i64
  %pof = getelementptr i32, ptr %offsets, i64 %lane64
  %of32 = load i32, ptr %pof
  %of = sext i32 %of32 to i64
  %a0 = add i64 %base, %of
  %a1 = and i64 %a0, %mask
  %a = add i64 %a1, %window
  %t0 = add i64 %to, %of
  br label %piece_loop
piece_loop:
  %piece = phi i64 [ 0, %lane_work ], [ %piece1, %copied ]
  %p = call ptr @resolve(ptr %m, ptr %w, i64 %a, i64 %size64, i64 %piece, i32 %where, i32 %lane, i32 0)
  %null = icmp eq ptr %p, null
  br i1 %null, label %bad, label %copy
copy:
  %t1 = add i64 %t0, %piece
  %t = getelementptr i8, ptr %scratch, i64 %t1
  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %p, i64 %unit, i1 false)
  br label %copied
copied:
  %piece1 = add i64 %piece, %unit
  %more = icmp ult i64 %piece1, %size64
  br i1 %more, label %piece_loop, label %lane_done
lane_done:
  br label %lane_loop
next:
  %i1 = add i32 %i, 1
  br label %outer
good:
  ret i1 true
bad:
  ret i1 false
}
"""


def mover(size: int, count: int, *, write: bool) -> str:
    """Return the function that reads or writes `count` values of `size` bytes for each lane in a mask.

    The values of one component lie together: 32 of the first, then 32 of the second.
    """
    unit, total = min(size, 4), size * count
    name = f"{'scatter' if write else 'gather'}_{size}_{count}"
    pieces = []
    for piece in range(0, total, unit):
        behind = (piece // size) * LANES * size + piece % size
        end = f"piece{piece + unit}" if piece + unit < total else "done"
        copy = (
            f"%x{piece} = load i{8 * unit}, ptr %t{piece}, align 1\n  store i{8 * unit} %x{piece}, ptr %p{piece}, align 1"
            if write
            else f"%x{piece} = load i{8 * unit}, ptr %p{piece}, align 1\n  store i{8 * unit} %x{piece}, ptr %t{piece}, align 1"
        )
        pieces.append(
            f"""piece{piece}:
  %p{piece} = call ptr @resolve(ptr %m, ptr %w, i64 %a, i64 {total}, i64 {piece}, i32 %where, i32 %lane, i32 {int(write)})
  %n{piece} = icmp eq ptr %p{piece}, null
  br i1 %n{piece}, label %bad, label %copy{piece}
copy{piece}:
  %o{piece} = add i64 %own, {behind}
  %t{piece} = getelementptr i8, ptr %values, i64 %o{piece}
  {copy}
  br label %{end}
"""
        )
    return f"""
define internal i1 @{name}(ptr %m, ptr %w, ptr %addresses, i32 %lanes, ptr %values, i32 %where) noinline {{{{
{_together(size, count, write=write)}
slow:
  br label %loop
loop:
  %left = phi i32 [ %lanes, %slow ], [ %left1, %done ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %good, label %work
work:
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 false)
  %below = sub i32 %left, 1
  %left1 = and i32 %left, %below
  %lane64 = zext i32 %lane to i64
  %pa = getelementptr i64, ptr %addresses, i64 %lane64
  %a = load i64, ptr %pa
  %own = mul i64 %lane64, {size}
  br label %piece0
{"".join(pieces)}done:
  br label %loop
good:
  ret i1 true
bad:
  ret i1 false
}}}}
""".replace("{{", "{").replace("}}", "}")


def _together(size: int, count: int, *, write: bool) -> str:
    """Write what comes first: one check for all lanes, where they all access one segment.

    Lanes that do not act read what the first one that acts reads; to write, all have to act.
    """
    total, v = size * count, f"<{LANES} x i64>"
    moves = []
    for lane in range(LANES):
        moves.append(f"  %ls{lane} = getelementptr i64, ptr %safe, i64 {lane}\n  %lx{lane} = load i64, ptr %ls{lane}")
        moves.append(f"  %lh{lane} = add i64 %lx{lane}, %delta\n  %lq{lane} = inttoptr i64 %lh{lane} to ptr")
        for part in range(count):
            key = f"{lane}_{part}"
            moves.append(f"  %lf{key} = getelementptr i8, ptr %lq{lane}, i64 {part * size}")
            moves.append(f"  %lt{key} = getelementptr i8, ptr %values, i64 {(part * LANES + lane) * size}")
            source, target = (f"%lt{key}", f"%lf{key}") if write else (f"%lf{key}", f"%lt{key}")
            moves.append(f"  %ly{key} = load i{8 * size}, ptr {source}, align 1")
            moves.append(f"  store i{8 * size} %ly{key}, ptr {target}, align 1")
    acting = "%all = icmp eq i32 %lanes, -1" if write else "%all = icmp ne i32 %lanes, 0"
    return f"""entry:
  %safe = alloca {v}, align 64
  {acting}
  br i1 %all, label %range, label %slow
range:
  %first = call i32 @llvm.cttz.i32(i32 %lanes, i1 false)
  %first64 = zext i32 %first to i64
  %pfirst = getelementptr i64, ptr %addresses, i64 %first64
  %a0 = load i64, ptr %pfirst
  %number = lshr i64 %a0, {SEGMENT_BITS}
  %known = call i64 @llvm.umin.i64(i64 %number, i64 {SEGMENTS - 1})
  %scaled = mul i64 %known, {_SEGMENT_BYTES}
  %segment = getelementptr i8, ptr %m, i64 %scaled
  %start = load i64, ptr %segment
  %pe = getelementptr i8, ptr %segment, i64 8
  %end = load i64, ptr %pe
  %pd = getelementptr i8, ptr %segment, i64 16
  %delta = load i64, ptr %pd
  %pw = getelementptr i8, ptr %segment, i64 24
  %writable = load i64, ptr %pw
  %may = icmp sge i64 %writable, {int(write)}
  %extent = sub i64 %end, %start
  %room = sub i64 %extent, {total}
  %fits = icmp sge i64 %room, 0
  %possible = and i1 %may, %fits
  br i1 %possible, label %compare, label %slow
compare:
  %v = load {v}, ptr %addresses, align 8
  %bits = bitcast i32 %lanes to <{LANES} x i1>
  %a0v = insertelement {v} poison, i64 %a0, i32 0
  %a0s = shufflevector {v} %a0v, {v} poison, <{LANES} x i32> zeroinitializer
  %chosen = select <{LANES} x i1> %bits, {v} %v, {v} %a0s
  store {v} %chosen, ptr %safe, align 64
  %startv = insertelement {v} poison, i64 %start, i32 0
  %starts = shufflevector {v} %startv, {v} poison, <{LANES} x i32> zeroinitializer
  %away = sub {v} %chosen, %starts
  %roomv = insertelement {v} poison, i64 %room, i32 0
  %rooms = shufflevector {v} %roomv, {v} poison, <{LANES} x i32> zeroinitializer
  %inside = icmp ule {v} %away, %rooms
  %lowbits = and {v} %chosen, splat (i64 {total - 1})
  %aligned = icmp eq {v} %lowbits, zeroinitializer
  %both = and <{LANES} x i1> %inside, %aligned
  %truth = bitcast <{LANES} x i1> %both to i32
  %whole = icmp eq i32 %truth, -1
  br i1 %whole, label %fast, label %slow
fast:
{chr(10).join(moves)}
  ret i1 true"""


DECLARED = """
declare i32 @llvm.cttz.i32(i32, i1)
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i32 @llvm.ctpop.i32(i32)
"""
