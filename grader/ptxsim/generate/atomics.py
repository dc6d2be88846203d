"""atom, red: lane after lane, in order (PTX ISA, "Parallel Synchronization and Communication Instructions")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.addresses import WIDEST, Access, accessed, generic_addresses
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import Emitter, element_of, vector
from grader.ptxsim.generate.exits import succeed
from grader.ptxsim.generate.halves import narrow, pairwise, widen
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import Formula, Writer, intrinsic, simple
from grader.ptxsim.generate.traces import EXCHANGES, append_exchange
from grader.ptxsim.generate.values import LaneType, lanes, spread
from grader.ptxsim.syntax.records import REALS, Instruction, Register, is_signed, items_of, types_of

_SHORT = {"f16", "bf16", "f16x2", "bf16x2"}
_ON_BITS: dict[str, Formula] = {
    "exch": lambda _w, _old, x: x,
    "cas": lambda w, old, x, y: w.choose(w.op("icmp eq", old, x), y, old),
    "inc": lambda w, old, x: w.choose(w.op("icmp uge", old, x), 0, w.op("add", old, 1)),
    "dec": lambda w, old, x: w.choose(
        w.of("i1").op("or", w.op("icmp eq", old, 0), w.op("icmp ugt", old, x)), x, w.op("sub", old, 1)
    ),
}
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
    access = accessed(code, instruction)
    given = [items_of(operand) for operand in operands[1:]]
    if not _exists(how, type_) or access.total > WIDEST or any(len(items) != access.count for items in given):
        raise code.unsupported()
    rows = [[spread(emitter, read(code, item, type_)) for item in items] for items in given]
    element, old = element_of(type_), []
    for part in range(access.count):
        name, values = f"atomic_{how}_{type_}_{part}_of_{access.count}", [row[part] for row in rows]
        old.append(each_lane(code, access, name, values, _new(how, type_), part))
    if code.kernel.traced and how in EXCHANGES:
        append_exchange(code, instruction, access, _replacing(emitter, element, old, rows))
    for target, value in zip(items_of(instruction.operands[0]) if is_atom else (), old, strict=False):
        if isinstance(target, Register):
            code.write(target, lanes(element, value))


def _replacing(emitter: Emitter, element: str, old: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the mask of the lanes that have replaced a value by another one."""
    found = f"<{LANES} x i1> zeroinitializer"
    for before, *compared, after in zip(old, *rows, strict=True):
        replaces = emitter.pure(f"icmp ne {vector(element)} {before}, {after}")
        for value in compared:
            is_it = emitter.pure(f"icmp eq {vector(element)} {before}, {value}")
            replaces = emitter.pure(f"and {vector('i1')} {replaces}, {is_it}")
        found = f"{vector('i1')} {emitter.pure(f'or {found}, {replaces}')}"
    return emitter.pure(f"bitcast {found} to i32")


def _exists(how: str, type_: str) -> bool:
    return how in EXCHANGES if type_ == "b128" else how == "add" or type_ not in _SHORT


def each_lane(
    code: Code,
    access: Access,
    name: str,
    values: Sequence[str],
    new: Formula,
    part: int = 0,
    condition: Precondition = ALWAYS,
    executing: str = "",
) -> str:
    """Replace one value at each lane's address, one lane after the other, and return the values that were there.

    `part` says which of the values that the instruction accesses it is. `new` is the formula of the new value, from
    the old one and the lane's operands. The lanes are those of the mask `executing`, if there is one.
    """
    emitter, element = code.emitter, element_of(access.type)
    memory = [code.temporary(f"atom{number}", 16 * LANES) for number in range(len(values))]
    for value, pointer in zip(values, memory, strict=True):
        emitter.store(vector(element), value, pointer, 0, 64)
    places = code.in_memory("addresses", "i64", generic_addresses(code, access))
    out = code.temporary("values", 16 * LANES)
    if name not in code.globals.functions:
        code.globals.functions[name] = _function(code, access, name, new, len(values), part, condition)
    arguments = ", ".join(f"ptr {pointer}" for pointer in (memory * 2)[:2])
    given = f"ptr {places}, i32 {executing or code.executing_lanes()}, {arguments}, ptr {out}, i32 {code.place()}"
    succeed(code, f"@{name}(ptr %m, ptr %w, {given})")
    return emitter.load(vector(element), out, 0, 8)


def _function(
    code: Code, access: Access, name: str, new: Formula, operands: int, part: int, condition: Precondition
) -> str:
    """Return the function that carries one operation out for the lanes of a mask."""
    element = element_of(access.type)
    emitter = Emitter()
    w = Writer(emitter, LaneType(element, is_vector=False))
    left = new(w, "%old", *("%x", "%y")[:operands])
    body = "\n".join(emitter.lines)
    code.emitter.declarations |= emitter.declarations
    last = access.total - min(access.size, 4)
    place, size = part * access.size, access.total
    return ir_text(
        "atomic",
        name=name,
        size=size,
        below_size=size - 1,
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


def _new(how: str, type_: str) -> Formula:
    """Return the formula of the new value, from the old one and the operands."""
    if how in _ON_BITS:
        return _ON_BITS[how]
    if type_ in _SHORT:
        return pairwise(_short_sum(type_)) if type_.endswith("x2") else _short_sum(type_)
    if how in {"min", "max"}:
        real = {"min": "minimumnum", "max": "maximumnum"}[how]
        return intrinsic(real if type_ in REALS else f"{'s' if is_signed(type_) else 'u'}{how}")
    return simple("fadd" if type_ in REALS and how == "add" else how)


def _short_sum(type_: str) -> Formula:
    """Return the formula of a sum of 16 bits, which is rounded once."""

    def formula(w: Writer, old: str, x: str) -> str:
        single = w.of("float")
        return narrow(single, single.op("fadd", widen(w, old, type_), widen(w, x, type_)), type_)

    return formula
