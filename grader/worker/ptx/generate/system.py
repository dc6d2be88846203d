"""What a kernel asks the system for: to print, to stop, to have failed."""

from __future__ import annotations

from grader.worker.ptx.analysis.shape import LANES
from grader.worker.ptx.engine.layout import FIRST_LOCAL, LOCAL, SEGMENT_BITS, Kind, Machine, offset
from grader.worker.ptx.generate.code import Code
from grader.worker.ptx.generate.emitter import vector
from grader.worker.ptx.generate.integers import result
from grader.worker.ptx.generate.values import integer, spread
from grader.worker.ptx.syntax.records import Instruction

MOST_ARGUMENTS = 256  # bytes that one printf prints
HEAD = 16  # bytes in front of a record: the format's address, and how many bytes of arguments follow


def trap(code: Code, instruction: Instruction) -> None:
    """Stop: trap, or a call too deep."""
    _stop(code, Kind.STACK if instruction.opcode == "overflow" else Kind.TRAP)


def _stop(code: Code, kind: Kind) -> None:
    code.fail(kind, code.lanes_that_act())
    code.emitter.label(code.emitter.new_label("never"))


def fail(code: Code, instruction: Instruction) -> None:
    """assert: the address of the expression's text is part of the fault."""
    emitter = code.emitter
    lanes = code.lanes_that_act()
    text = spread(emitter, code.read(instruction.operands[0], "b64"))
    lane = emitter.call("i32", "llvm.cttz.i32", [("i32", lanes), ("i1", "false")])
    address = emitter.op(f"extractelement {vector('i64')} {text}, i32 {lane}")
    emitter.do(
        f"call void @leave_access_fault(ptr %m, ptr %w, i32 {int(Kind.ASSERTION)}, i32 {code.place()}, i32 {lane}, "
        f"i64 {address}, i32 0, i32 0)"
    )
    emitter.do("br label %fault")
    emitter.label(emitter.new_label("never"))


def print_(code: Code, instruction: Instruction) -> None:
    """printf: format and arguments are kept as they are, and put together when the launch has ended."""
    emitter = code.emitter
    code.functions["print"] = _PRINT
    pointers = []
    for number, operand in enumerate(instruction.operands[1:3]):
        pointer = code.temporary(f"print{number}", 8 * LANES)
        emitter.store(vector("i64"), spread(emitter, code.read(operand, "b64")), pointer, 0, 64)
        pointers.append(pointer)
    went = emitter.op(
        f"call i1 @print(ptr %m, ptr %w, ptr {pointers[0]}, ptr {pointers[1]}, i32 {code.lanes_that_act()}, "
        f"i32 {code.place()})"
    )
    code.succeed(went)
    result(code, instruction, integer("i32", 0))


_PRINT = f"""
define internal i1 @print(ptr %m, ptr %w, ptr %formats, ptr %arguments, i32 %lanes, i32 %where) noinline {{
entry:
  %pbuffer = getelementptr i8, ptr %m, i64 {offset(Machine, "printed")}
  %buffer = load ptr, ptr %pbuffer
  %pused = getelementptr i8, ptr %m, i64 {offset(Machine, "printed_bytes")}
  %plimit = getelementptr i8, ptr %m, i64 {offset(Machine, "printed_limit")}
  %limit = load i64, ptr %plimit
  %local = load i64, ptr @local_bytes
  br label %loop
loop:
  %left = phi i32 [ %lanes, %entry ], [ %left1, %written ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %good, label %work
work:
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 false)
  %below = sub i32 %left, 1
  %left1 = and i32 %left, %below
  %lane64 = zext i32 %lane to i64
  %pf = getelementptr i64, ptr %formats, i64 %lane64
  %format = load i64, ptr %pf
  %pa = getelementptr i64, ptr %arguments, i64 %lane64
  %a = load i64, ptr %pa
  %slot = lshr i64 %a, {SEGMENT_BITS}
  %is_local = icmp eq i64 %slot, {LOCAL}
  %inside = and i64 %a, {(1 << SEGMENT_BITS) - 1}
  %place = sub i64 %inside, {FIRST_LOCAL}
  %room0 = sub i64 %local, %place
  %room1 = call i64 @llvm.umin.i64(i64 %room0, i64 {MOST_ARGUMENTS})
  %count = select i1 %is_local, i64 %room1, i64 0
  %used = load i64, ptr %pused
  %after0 = add i64 %used, {HEAD}
  %after = add i64 %after0, %count
  %full = icmp sgt i64 %after, %limit
  br i1 %full, label %stop, label %head
stop:
  %bit = shl i32 1, %lane
  call void @leave_fault(ptr %m, ptr %w, i32 {int(Kind.PRINTED)}, i32 %where, i32 %bit)
  ret i1 false
head:
  store i64 %after, ptr %pused
  %record = getelementptr i8, ptr %buffer, i64 %used
  store i64 %format, ptr %record
  %pcount = getelementptr i8, ptr %record, i64 8
  store i64 %count, ptr %pcount
  br label %copying
copying:
  %at = phi i64 [ 0, %head ], [ %at1, %copied ]
  %whole = icmp uge i64 %at, %count
  br i1 %whole, label %written, label %piece
piece:
  %pa1 = add i64 %a, %at
  %p = call ptr @resolve(ptr %m, ptr %w, i64 %pa1, i64 4, i64 0, i32 %where, i32 %lane, i32 0)
  %null = icmp eq ptr %p, null
  br i1 %null, label %bad, label %copied
copied:
  %x = load i32, ptr %p, align 1
  %to = add i64 %at, {HEAD}
  %pt = getelementptr i8, ptr %record, i64 %to
  store i32 %x, ptr %pt, align 1
  %at1 = add i64 %at, 4
  br label %copying
written:
  br label %loop
good:
  ret i1 true
bad:
  ret i1 false
}}
"""
