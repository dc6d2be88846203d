"""cp.async: copies from global to shared memory in the background, and waiting for groups of them.

PTX ISA, "Data Movement and Conversion Instructions: Asynchronous copy". What is read is read when the copy is started;
it is written when a lane waits for it, as late as the device may, so that a wait too few shows.
"""

from __future__ import annotations

from grader.worker.ptx.analysis.shape import LANES
from grader.worker.ptx.generate.addresses import Access, generic_addresses
from grader.worker.ptx.generate.code import Code
from grader.worker.ptx.generate.emitter import vector
from grader.worker.ptx.generate.integers import is_number
from grader.worker.ptx.generate.values import spread
from grader.worker.ptx.syntax.records import Address, Instruction

GROUPS, ENTRIES = 64, 192  # where a warp's record of copies has each lane's group and its entries
MASK, SIZE, TAGS, TO, DATA = 0, 4, 64, 192, 448  # fields of an entry
STRIDE = 1024
MOST = 128  # copies in the background of one warp; the device has room for about as many bytes
BYTES = ENTRIES + MOST * STRIDE
ALL = 1 << 30


def asynchronous(code: Code, instruction: Instruction) -> None:
    """cp.async and what waits for it."""
    modifiers = instruction.modifiers
    if modifiers[:1] != ("async",) or "bulk" in modifiers or "mbarrier" in modifiers:
        raise code.unsupported()
    code.functions["copies"] = _FUNCTIONS
    if "commit_group" in modifiers:
        _commit(code)
    elif "wait_group" in modifiers:
        pending = code.read(instruction.operands[0], "u32")
        if not is_number(pending):
            raise code.unsupported()
        _wait(code, pending.bases[0].added)
    elif "wait_all" in modifiers:
        _wait(code, -1)
    else:
        _start(code, instruction)


def _record(code: Code) -> str:
    return code.warp("copies", "ptr")


def _commit(code: Code) -> None:
    emitter, pointer = code.emitter, _record(code)
    old = emitter.load(vector("i32"), pointer, GROUPS, 4)
    acting = emitter.op(f"bitcast i32 {code.active} to <{LANES} x i1>")
    more = emitter.op(f"zext <{LANES} x i1> {acting} to {vector('i32')}")
    emitter.store(vector("i32"), emitter.op(f"add {vector('i32')} {old}, {more}"), pointer, GROUPS, 4)


def _wait(code: Code, pending: int) -> None:
    code.emitter.do(f"call void @copies_wait(ptr {_record(code)}, i32 {code.active}, i32 {pending})")


def _start(code: Code, instruction: Instruction) -> None:
    emitter = code.emitter
    to, source, *rest = instruction.operands
    size = code.read(rest[0], "u32") if rest else None
    if not isinstance(to, Address) or not isinstance(source, Address) or size is None or not is_number(size):
        raise code.unsupported()
    names = []
    for name, space, address in (("copy_to", "shared", to), ("copy_from", "global", source)):
        pointer = code.temporary(name, 8 * LANES)
        emitter.store(vector("i64"), generic_addresses(code, Access(space, address, "b32", 1)), pointer, 0, 64)
        names.append(pointer)
    lengths = code.temporary("copy_lengths", 4 * LANES)
    kept = code.read(rest[1], "u32") if len(rest) > 1 else size
    emitter.store(vector("i32"), spread(emitter, kept), lengths, 0, 64)
    went = emitter.op(
        f"call i1 @copy_start(ptr %m, ptr %w, ptr {_record(code)}, ptr {names[0]}, ptr {names[1]}, ptr {lengths}, "
        f"i32 {code.lanes_that_act()}, i64 {size.bases[0].added}, i32 {code.place()})"
    )
    code.succeed(went)


_FUNCTIONS = f"""
define internal void @copies_wait(ptr %q, i32 %lanes, i32 %pending) noinline {{
entry:
  %count = load i32, ptr %q
  %pg = getelementptr i8, ptr %q, i64 {GROUPS}
  br label %entries
entries:
  %i = phi i32 [ 0, %entry ], [ %i1, %entry_done ]
  %kept = phi i32 [ 0, %entry ], [ %kept1, %entry_done ]
  %over = icmp eq i32 %i, %count
  br i1 %over, label %end, label %work
work:
  %i64 = zext i32 %i to i64
  %at = mul i64 %i64, {STRIDE}
  %at1 = add i64 %at, {ENTRIES}
  %e = getelementptr i8, ptr %q, i64 %at1
  %mask = load i32, ptr %e
  %ps = getelementptr i8, ptr %e, i64 {SIZE}
  %size32 = load i32, ptr %ps
  %size = zext i32 %size32 to i64
  %own = and i32 %mask, %lanes
  br label %loop
loop:
  %left = phi i32 [ %own, %work ], [ %left1, %next ]
  %mask1 = phi i32 [ %mask, %work ], [ %mask3, %next ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %entry_done, label %lane_work
lane_work:
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 false)
  %below = sub i32 %left, 1
  %left1 = and i32 %left, %below
  %lane64 = zext i32 %lane to i64
  %pgl = getelementptr i32, ptr %pg, i64 %lane64
  %group = load i32, ptr %pgl
  %ptags = getelementptr i8, ptr %e, i64 {TAGS}
  %ptag = getelementptr i32, ptr %ptags, i64 %lane64
  %tag = load i32, ptr %ptag
  %limit = sub i32 %group, %pending
  %ready = icmp slt i32 %tag, %limit
  br i1 %ready, label %copy, label %next
copy:
  %ptos = getelementptr i8, ptr %e, i64 {TO}
  %pto = getelementptr ptr, ptr %ptos, i64 %lane64
  %to = load ptr, ptr %pto
  %pdatas = getelementptr i8, ptr %e, i64 {DATA}
  %o = mul i64 %lane64, 16
  %pdata = getelementptr i8, ptr %pdatas, i64 %o
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %pdata, i64 %size, i1 false)
  %bit = shl i32 1, %lane
  %mask2 = xor i32 %mask1, %bit
  br label %next
next:
  %mask3 = phi i32 [ %mask1, %lane_work ], [ %mask2, %copy ]
  br label %loop
entry_done:
  store i32 %mask1, ptr %e
  %alive = icmp ne i32 %mask1, 0
  %i1 = add i32 %i, 1
  %kept1 = select i1 %alive, i32 %i1, i32 %kept
  br label %entries
end:
  store i32 %kept, ptr %q
  ret void
}}

define internal i1 @copy_start(ptr %m, ptr %w, ptr %q, ptr %tos, ptr %froms, ptr %lengths, i32 %lanes, i64 %size, i32 %where) noinline {{
entry:
  %c0 = load i32, ptr %q
  %full = icmp sge i32 %c0, {MOST}
  br i1 %full, label %drain, label %begin
drain:
  call void @copies_wait(ptr %q, i32 -1, i32 -{ALL})
  br label %begin
begin:
  %count = load i32, ptr %q
  %more = add i32 %count, 1
  store i32 %more, ptr %q
  %i64 = zext i32 %count to i64
  %at = mul i64 %i64, {STRIDE}
  %at1 = add i64 %at, {ENTRIES}
  %e = getelementptr i8, ptr %q, i64 %at1
  store i32 %lanes, ptr %e
  %ps = getelementptr i8, ptr %e, i64 {SIZE}
  %size32 = trunc i64 %size to i32
  store i32 %size32, ptr %ps
  %pg = getelementptr i8, ptr %q, i64 {GROUPS}
  %ptags = getelementptr i8, ptr %e, i64 {TAGS}
  call void @llvm.memcpy.p0.p0.i64(ptr %ptags, ptr %pg, i64 {4 * LANES}, i1 false)
  br label %loop
loop:
  %left = phi i32 [ %lanes, %begin ], [ %left1, %lane_done ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %good, label %work
work:
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 false)
  %below = sub i32 %left, 1
  %left1 = and i32 %left, %below
  %lane64 = zext i32 %lane to i64
  %pt = getelementptr i64, ptr %tos, i64 %lane64
  %to = load i64, ptr %pt
  %pf = getelementptr i64, ptr %froms, i64 %lane64
  %from = load i64, ptr %pf
  %pl = getelementptr i32, ptr %lengths, i64 %lane64
  %length32 = load i32, ptr %pl
  %length0 = zext i32 %length32 to i64
  %length = call i64 @llvm.umin.i64(i64 %length0, i64 %size)
  %pdatas = getelementptr i8, ptr %e, i64 {DATA}
  %o = mul i64 %lane64, 16
  %pdata = getelementptr i8, ptr %pdatas, i64 %o
  call void @llvm.memset.p0.i64(ptr %pdata, i8 0, i64 16, i1 false)
  %last = sub i64 %size, 4
  %pend = call ptr @resolve(ptr %m, ptr %w, i64 %to, i64 %size, i64 %last, i32 %where, i32 %lane, i32 1)
  %null1 = icmp eq ptr %pend, null
  br i1 %null1, label %bad, label %first
first:
  %pto = call ptr @resolve(ptr %m, ptr %w, i64 %to, i64 %size, i64 0, i32 %where, i32 %lane, i32 1)
  %null2 = icmp eq ptr %pto, null
  br i1 %null2, label %bad, label %note
note:
  %ptos = getelementptr i8, ptr %e, i64 {TO}
  %slot = getelementptr ptr, ptr %ptos, i64 %lane64
  store ptr %pto, ptr %slot
  br label %pieces
pieces:
  %piece = phi i64 [ 0, %note ], [ %piece1, %copied ]
  %whole = icmp uge i64 %piece, %length
  br i1 %whole, label %lane_done, label %read
read:
  %p = call ptr @resolve(ptr %m, ptr %w, i64 %from, i64 %size, i64 %piece, i32 %where, i32 %lane, i32 0)
  %null3 = icmp eq ptr %p, null
  br i1 %null3, label %bad, label %copied
copied:
  %rest = sub i64 %length, %piece
  %unit = call i64 @llvm.umin.i64(i64 %rest, i64 4)
  %pd = getelementptr i8, ptr %pdata, i64 %piece
  call void @llvm.memcpy.p0.p0.i64(ptr %pd, ptr %p, i64 %unit, i1 false)
  %piece1 = add i64 %piece, 4
  br label %pieces
lane_done:
  br label %loop
good:
  ret i1 true
bad:
  ret i1 false
}}
"""
