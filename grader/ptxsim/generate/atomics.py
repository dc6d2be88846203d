"""atom, red: lane after lane, in order (PTX ISA, "Parallel Synchronization and Communication Instructions")."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.addresses import COUNTS, WIDEST, Access, generic_addresses
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import Emitter, element_of, vector
from grader.ptxsim.generate.exits import succeed
from grader.ptxsim.generate.halves import narrow, widen
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import Writer
from grader.ptxsim.generate.runtime import common_check
from grader.ptxsim.generate.values import LaneType, lanes, spread
from grader.ptxsim.syntax.records import REALS, Address, Instruction, Operand, Register, Vector, is_signed, types_of

SPACES = {"global": "global", **dict.fromkeys(("shared", "shared::cta", "shared::cluster"), "shared")}
_SHORT = {"f16", "bf16", "f16x2", "bf16x2"}
_WHOLE = frozenset({"exch", "cas"})  # what atomics of 128 bits can do
_HOW = ("add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec")


@dataclass(frozen=True, slots=True)
class Precondition:
    """Code that decides from %old whether memory may be changed, and the fault if it may not."""

    lines: str = ""
    accepted: str = "true"
    fault: FaultKind = FaultKind.NONE
    reason: str = "0"


ALWAYS = Precondition()


def atomic(code: Code, instruction: Instruction) -> None:
    """Read, compute and write for each executing lane; the blocks of such a kernel run on one processor."""
    emitter = code.emitter
    is_atom = instruction.opcode == "atom"
    type_ = types_of(instruction)[-1]
    how = next((modifier for modifier in instruction.modifiers if modifier in _HOW), "")
    operands = instruction.operands[1:] if is_atom else instruction.operands
    if "L2::cache_hint" in instruction.modifiers:
        operands = operands[:-1]  # the policy, which changes no value
    address = operands[0]
    if not isinstance(address, Address) or not _exists(how, type_):
        raise code.unsupported()
    space = next((SPACES[modifier] for modifier in instruction.modifiers if modifier in SPACES), "generic")
    count = next((COUNTS[modifier] for modifier in instruction.modifiers if modifier in COUNTS), 1)
    access = Access(space, address, type_, count)
    given = [_items(operand) for operand in operands[1:]]
    if access.total > WIDEST or any(len(items) != count for items in given):
        raise code.unsupported()
    rows = [[spread(emitter, read(code, item, type_)) for item in items] for items in given]
    element, old = element_of(type_), []
    for part in range(count):
        name, values = f"atomic_{how}_{type_}_{part}_of_{count}", [row[part] for row in rows]
        old.append(each_lane(code, access, name, values, lambda other: _new(other, how, type_, element), part))
    for target, value in zip(_items(instruction.operands[0]) if is_atom else (), old, strict=False):
        if isinstance(target, Register):
            code.write(target, lanes(element, value))


def _exists(how: str, type_: str) -> bool:
    return how in _WHOLE if type_ == "b128" else how == "add" or type_ not in _SHORT


def _items(operand: Operand) -> tuple[Operand, ...]:
    return operand.items if isinstance(operand, Vector) else (operand,)


def each_lane(
    code: Code,
    access: Access,
    name: str,
    values: Sequence[str],
    new: Callable[[Emitter], str],
    part: int = 0,
    condition: Precondition = ALWAYS,
    executing: str = "",
) -> str:
    """Replace one value at each lane's address, one lane after the other, and return the values that were there.

    `part` says which of the values that the instruction accesses it is. `new` writes the code that computes the new
    value from %old and the lane's operands %x and %y. The lanes are those of the mask `executing`, if there is one.
    """
    emitter, element = code.emitter, element_of(access.type)
    memory = [code.temporary(f"atom{number}", 16 * LANES) for number in range(len(values))]
    for value, pointer in zip(values, memory, strict=True):
        emitter.store(vector(element), value, pointer, 0, 64)
    places = code.temporary("addresses", 8 * LANES)
    emitter.store(vector("i64"), generic_addresses(code, access), places, 0, 8)
    out = code.temporary("values", 16 * LANES)
    if name not in code.globals.functions:
        code.globals.functions[name] = _function(code, access, name, new, part, condition)
    arguments = ", ".join(f"ptr {pointer}" for pointer in (memory * 2)[:2])
    succeeded = emitter.op(
        f"call i1 @{name}(ptr %m, ptr %w, ptr {places}, i32 {executing or code.executing_lanes()}, {arguments}, "
        f"ptr {out}, i32 {code.place()})"
    )
    succeed(code, succeeded)
    return emitter.load(vector(element), out, 0, 8)


def _function(
    code: Code, access: Access, name: str, new: Callable[[Emitter], str], part: int, condition: Precondition
) -> str:
    """Return the function that carries one operation out for the lanes of a mask."""
    element = element_of(access.type)
    emitter = Emitter()
    left = new(emitter)
    body = "\n".join(emitter.lines)
    code.emitter.declarations |= emitter.declarations
    last = access.total - min(access.size, 4)
    place, size = part * access.size, access.total
    return ir_text(
        "atomic",
        name=name,
        range=common_check(size, size, "alone", write=True),
        size=size,
        last_word=last,
        place=place,
        element=element,
        check=condition.lines,
        accepted=condition.accepted,
        refusal=int(condition.fault),
        reason=condition.reason,
        body=body,
        new=left,
    )


def _new(emitter: Emitter, how: str, type_: str, element: str) -> str:
    """Write the code that computes the new value from %old and the operands %x and %y."""
    if how == "exch":
        return "%x"
    if how == "cas":
        same = emitter.op(f"icmp eq {element} %old, %x")
        return emitter.op(f"select i1 {same}, {element} %y, {element} %old")
    if how == "inc":
        over = emitter.op(f"icmp uge {element} %old, %x")
        return emitter.op(f"select i1 {over}, {element} 0, {element} {emitter.op(f'add {element} %old, 1')}")
    if how == "dec":
        zero = emitter.op(f"icmp eq {element} %old, 0")
        above = emitter.op(f"icmp ugt {element} %old, %x")
        wraps = emitter.op(f"or i1 {zero}, {above}")
        return emitter.op(f"select i1 {wraps}, {element} %x, {element} {emitter.op(f'sub {element} %old, 1')}")
    if type_ in _SHORT:
        return _short_sum(emitter, type_, element)
    if how in {"min", "max"}:
        real = {"min": "minimumnum", "max": "maximumnum"}[how]
        name = real if type_ in REALS else f"{'s' if is_signed(type_) else 'u'}{how}"
        suffix = {"float": "f32", "double": "f64"}.get(element, element)
        return emitter.call(element, f"llvm.{name}.{suffix}", [(element, "%old"), (element, "%x")])
    return emitter.op(f"{'fadd' if type_ in REALS and how == 'add' else how} {element} %old, %x")


def _short_sum(emitter: Emitter, type_: str, element: str) -> str:
    """Write the sum of %old and %x, numbers of 16 bits or pairs of them, each rounded once."""
    if not type_.endswith("x2"):
        return _sum(emitter, "%old", "%x", type_)
    parts = []
    for shift in (0, 16):
        halves = [
            emitter.op(f"trunc {element} {emitter.op(f'lshr {element} {n}, {shift}')} to i16") for n in ("%old", "%x")
        ]
        total = _sum(emitter, halves[0], halves[1], type_.removesuffix("x2"))
        parts.append(emitter.op(f"zext i16 {total} to {element}"))
    return emitter.op(f"or {element} {parts[0]}, {emitter.op(f'shl {element} {parts[1]}, 16')}")


def _sum(emitter: Emitter, left: str, right: str, type_: str) -> str:
    bits = Writer(emitter, LaneType("i16", is_vector=False))
    total = emitter.op(f"fadd float {widen(bits, left, type_)}, {widen(bits, right, type_)}")
    return narrow(bits.of("float"), total, type_)
