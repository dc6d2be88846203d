"""within: an access to a local array whose size is known has to lie inside it (`analysis/local_bounds.py`)."""

from __future__ import annotations

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.addresses import access_at, generic_addresses
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import vector
from grader.ptxsim.generate.layout import LOCAL, FaultKind, window
from grader.ptxsim.syntax.records import Address, Instruction, Integer, Symbol


def within(code: Code, instruction: Instruction) -> None:
    """Leave a fault for the first lane that accesses bytes outside of the array."""
    place, first, size, _, stride = instruction.operands
    if not isinstance(place, Address) or not isinstance(first, Symbol) or not isinstance(size, Integer):
        raise code.unsupported()
    emitter, access = code.emitter, access_at(place, instruction)
    addresses = generic_addresses(code, access)
    away = _away(code, addresses, first, stride.value if isinstance(stride, Integer) else 0)
    last = size.value - access.total
    outside = "splat (i1 true)" if last < 0 else emitter.pure(f"icmp ugt {vector('i64')} {away}, splat (i64 {last})")
    lanes = emitter.op(f"bitcast <{LANES} x i1> {outside} to i32")
    lanes = emitter.op(f"and i32 {lanes}, {code.executing_lanes()}")
    good, bad = emitter.new_label("inside"), emitter.new_label("outside")
    emitter.do(f"br i1 {emitter.op(f'icmp eq i32 {lanes}, 0')}, label %{good}, label %{bad}, !prof !0")
    known = emitter.keep()
    emitter.inner_label(bad)
    lane = emitter.call("i32", "llvm.cttz.i32", [("i32", lanes), ("i1", "false")])
    address = emitter.op(f"extractelement {vector('i64')} {addresses}, i32 {lane}")
    emitter.do(
        f"call void @leave_access_fault(ptr %m, ptr %w, i32 {int(FaultKind.MEMORY)}, i32 {code.place()}, i32 {lane}, "
        f"i64 {address}, i32 {access.total}, i32 {int('st' in instruction.modifiers)})"
    )
    emitter.do("br label %fault")
    emitter.inner_label(good)
    emitter.restore(known)


def _away(code: Code, addresses: str, first: Symbol, stride: int) -> str:
    """Return how many bytes after the array's first one addresses are: that of any call, if each call has an array."""
    emitter, wide = code.emitter, vector("i64")
    start = window(LOCAL) + code.symbols[first.name]
    if not stride:
        return emitter.pure(f"sub {wide} {addresses}, splat (i64 {start + first.offset})")
    in_variable = emitter.pure(f"sub {wide} {addresses}, splat (i64 {start})")
    of_call = emitter.pure(f"urem {wide} {in_variable}, splat (i64 {stride})")
    return emitter.pure(f"sub {wide} {of_call}, splat (i64 {first.offset})")
