"""Two or four numbers of a word at a time, and masks (PTX ISA, "SIMD Video Instructions", "bmsk", "szext")."""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import Emitter
from grader.ptxsim.generate.integers import result
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import compute
from grader.ptxsim.generate.values import LaneType
from grader.ptxsim.generate.writer import Writer
from grader.ptxsim.syntax.records import Instruction
from grader.ptxsim.syntax.types import is_signed, types_of

_RELATIONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})


def simd(code: Code, instruction: Instruction) -> None:
    """Compute on the parts of two words; with .add, add all results to a third word instead of packing them."""
    kinds = types_of(instruction)
    to, *sources = kinds if len(kinds) > 2 else ("u32", *kinds)
    if len(instruction.operands) < 3 or len(sources) != 2:
        raise code.unsupported()
    values = [read(code, operand, "b32") for operand in instruction.operands[1:]]
    how, bits = instruction.opcode[1:-1], 32 // int(instruction.opcode[-1])
    signs = [is_signed(kind) for kind in sources]

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        w = Writer(emitter, kind)
        parts = [
            [part(w, name, place, bits, signed=signed) for name, signed in zip(names[:2], signs, strict=True)]
            for place in range(32 // bits)
        ]
        results = [_combined(w, how, instruction, a, b, signed=any(signs)) for a, b in parts]
        if "add" in instruction.modifiers:
            return _added(w, names[2], results)
        if "sat" in instruction.modifiers:
            results = [_saturated(w, value, bits, signed=is_signed(to)) for value in results]
        return _packed(w, results, bits)

    result(code, instruction, compute(code, "i32", values, make))


def pairs(code: Code, instruction: Instruction) -> None:
    """add, sub, min and max of two numbers of 16 bits that a word holds."""
    type_ = types_of(instruction)[-1]
    values = [read(code, operand, "b32") for operand in instruction.operands[1:]]

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        w, results = Writer(emitter, kind), []
        for place in range(2):
            a, b = (part(w, name, place, 16, signed=is_signed(type_)) for name in names)
            value = _combined(w, instruction.opcode, instruction, a, b, signed=is_signed(type_))
            if "relu" in instruction.modifiers:
                value = w.choose(w.op("icmp slt", value, 0), 0, value)
            results.append(value)
        return _packed(w, results, 16)

    result(code, instruction, compute(code, "i32", values, make))


def part(w: Writer, name: str, place: int, bits: int, *, signed: bool) -> str:
    """Return one of the numbers that a word holds."""
    moved = w.op("shl", name, 32 - bits * (place + 1)) if bits * (place + 1) < 32 else name
    return w.op("ashr" if signed else "lshr", moved, 32 - bits)


def _added(w: Writer, total: str, values: Sequence[str]) -> str:
    for value in values:
        total = w.op("add", total, value)
    return total


def _packed(w: Writer, values: Sequence[str], bits: int) -> str:
    word = ""
    for place, value in enumerate(values):
        low = w.op("and", value, (1 << bits) - 1)
        moved = w.op("shl", low, bits * place) if place else low
        word = w.op("or", word, moved) if word else moved
    return word


def _combined(w: Writer, how: str, instruction: Instruction, a: str, b: str, *, signed: bool) -> str:
    """Combine two parts. They fit 17 bits with a sign, so that no result overflows and all comparisons are signed."""
    if how in {"add", "sub"}:
        return w.op(how, a, b)
    if how == "avrg":  # rounds away from zero
        total = w.op("add", a, b)
        more = w.op("add", total, 1)
        return w.op("ashr", w.choose(w.op("icmp slt", total, 0), total, more) if signed else more, 1)
    if how == "set":
        relation = next((modifier for modifier in instruction.modifiers if modifier in _RELATIONS), "eq")
        return w.choose(w.op(f"icmp {relation if relation in {'eq', 'ne'} else f's{relation}'}", a, b), 1, 0)
    less = w.op("icmp slt", a, b)
    if how == "absdiff":
        return w.choose(less, w.op("sub", b, a), w.op("sub", a, b))
    return w.choose(less, a, b) if how == "min" else w.choose(less, b, a)


def _saturated(w: Writer, value: str, bits: int, *, signed: bool) -> str:
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    value = w.choose(w.op("icmp slt", value, least), least, value)
    return w.choose(w.op("icmp sgt", value, most), most, value)


def bit_mask(code: Code, instruction: Instruction) -> None:
    """bmsk: a mask of so many ones from a position on."""
    values = [read(code, operand, "b32") for operand in instruction.operands[1:3]]
    clamps = "clamp" in instruction.modifiers

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        w = Writer(emitter, kind)
        position, width = (name if clamps else w.op("and", name, 31) for name in names)
        below = w.op("sub", w.op("shl", 1, w.op("and", width, 31)), 1)
        ones = w.choose(w.op("icmp ugt", width, 31), -1, below)
        moved = w.op("shl", ones, w.op("and", position, 31))
        return w.choose(w.op("icmp ugt", position, 31), 0, moved)

    result(code, instruction, compute(code, "i32", values, make))


def extend(code: Code, instruction: Instruction) -> None:
    """szext: keep a number of the lowest bits, and extend them by zeros or the sign."""
    signed, clamps = is_signed(types_of(instruction)[-1]), "clamp" in instruction.modifiers
    values = [read(code, operand, "b32") for operand in instruction.operands[1:3]]

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        w = Writer(emitter, kind)
        width = names[1] if clamps else w.op("and", names[1], 31)
        amount = w.op("and", w.op("sub", 32, width), 31)
        kept = w.op("ashr" if signed else "lshr", w.op("shl", names[0], amount), amount)
        kept = w.choose(w.op("icmp eq", width, 0), 0, kept)
        return w.choose(w.op("icmp ugt", width, 31), names[0], kept)

    result(code, instruction, compute(code, "i32", values, make))
