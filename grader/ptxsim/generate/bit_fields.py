"""Counting, moving and picking bits (PTX ISA, "Integer Arithmetic Instructions", "lop3", "shf")."""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import BITS, Emitter, element_of
from grader.ptxsim.generate.floats import flushed
from grader.ptxsim.generate.integers import intrinsic, result
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import compute
from grader.ptxsim.generate.values import LaneType, as_element
from grader.ptxsim.generate.writer import Writer
from grader.ptxsim.syntax.records import Instruction, Integer
from grader.ptxsim.syntax.types import WIDTHS, is_signed, types_of


def count(code: Code, instruction: Instruction) -> None:
    """popc, clz, brev: the counts have 32 bits, whatever the type of the source."""
    type_ = types_of(instruction)[-1]
    element = element_of(type_)
    value = read(code, instruction.operands[1], type_)
    name, more = {"popc": ("ctpop", ()), "clz": ("ctlz", ("false",)), "brev": ("bitreverse", ())}[instruction.opcode]
    result(code, instruction, compute(code, element, (value,), intrinsic(name, *more)))


def find_highest(code: Code, instruction: Instruction) -> None:
    """bfind: the position of the highest bit that is not the sign; all ones if there is none."""
    type_ = types_of(instruction)[-1]
    element, width = element_of(type_), WIDTHS[type_]
    amount = "shiftamt" in instruction.modifiers

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        w = Writer(emitter, kind)
        name = names[0]
        if is_signed(type_):
            name = w.op("xor", name, w.op("ashr", name, width - 1))
        zeros = emitter.call(str(kind), f"llvm.ctlz.{kind.suffix}", [(str(kind), name), ("i1", "false")])
        none = w.op("icmp eq", zeros, width)
        return w.choose(none, -1, zeros if amount else w.op("sub", kind.number(width - 1), zeros))

    position = compute(code, element, (read(code, instruction.operands[1], type_),), make)
    result(code, instruction, as_element(code.emitter, position, "i32"))


def _ones(w: Writer, length: str) -> str:
    """Return a mask of as many low bits as a length from 0 to 255 says; all bits from the width on."""
    width = BITS[w.kind.element]
    short = w.op("icmp ult", length, width)
    safe = w.choose(short, length, 0)
    return w.choose(short, w.op("sub", w.op("shl", 1, safe), 1), -1)


def _in_range(w: Writer, name: str) -> str:
    """Return a position or a length: PTX says what 0 to 255 mean, and an H100 makes this of larger ones."""
    return w.call("umin", name, 255) if BITS[w.kind.element] == 64 else w.op("and", name, 255)


def extract(code: Code, instruction: Instruction) -> None:
    """bfe: a number of bits from a position on, with sign extension for signed types."""
    type_ = types_of(instruction)[-1]
    element, width = element_of(type_), WIDTHS[type_]
    value = read(code, instruction.operands[1], type_)
    place, length = (as_element(code.emitter, read(code, o, "u32"), element) for o in instruction.operands[2:4])

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        w = Writer(emitter, kind)
        start, size = (_in_range(w, name) for name in names[1:])
        inside = w.op("icmp ult", start, width)
        safe = w.choose(inside, start, width - 1)
        if not is_signed(type_):
            moved = w.choose(inside, w.op("lshr", names[0], safe), 0)
            return w.op("and", moved, _ones(w, size))
        field = w.op("and", w.op("ashr", names[0], safe), _ones(w, size))  # bits beyond the highest one are the sign
        last = w.call("umin", w.op("sub", w.op("add", start, size), 1), width - 1)
        sign = w.op("and", w.op("lshr", names[0], last), 1)
        upper = w.op("xor", _ones(w, size), -1)
        signed = w.choose(w.op("icmp ne", sign, 0), w.op("or", field, upper), field)
        return w.choose(w.op("icmp eq", size, 0), 0, signed)

    result(code, instruction, compute(code, element, (value, place, length), make))


def insert(code: Code, instruction: Instruction) -> None:
    """bfi: insert the low bits of one value into another."""
    type_ = types_of(instruction)[-1]
    element, width = element_of(type_), WIDTHS[type_]
    first, second = (read(code, operand, type_) for operand in instruction.operands[1:3])
    place, length = (as_element(code.emitter, read(code, o, "u32"), element) for o in instruction.operands[3:5])

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        w = Writer(emitter, kind)
        start, size = (_in_range(w, name) for name in names[2:])
        inside = w.op("icmp ult", start, width)
        safe = w.choose(inside, start, 0)
        field = w.op("shl", _ones(w, size), safe)
        moved = w.op("and", w.op("shl", names[0], safe), field)
        rest = w.op("and", names[1], w.op("xor", field, -1))
        return w.choose(inside, w.op("or", moved, rest), names[1])

    result(code, instruction, compute(code, element, (first, second, place, length), make))


def logic_of_three(code: Code, instruction: Instruction) -> None:
    """lop3: any function of three bits, given by its table."""
    table = instruction.operands[4] if len(instruction.operands) > 4 else None
    if not isinstance(table, Integer):
        raise code.unsupported()
    values = [read(code, operand, "b32") for operand in instruction.operands[1:4]]

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        w, union = Writer(emitter, kind), kind.number(0)
        opposite = [w.op("xor", name, -1) for name in names]
        for row in range(8):
            if table.value >> row & 1:
                a, b, c = (names[i] if row >> (2 - i) & 1 else opposite[i] for i in range(3))
                union = w.op("or", union, w.op("and", w.op("and", a, b), c))
        return union

    result(code, instruction, compute(code, "i32", values, make))


def funnel(code: Code, instruction: Instruction) -> None:
    """shf: shift 64 bits, and keep 32 of them."""
    left, clamp = "l" in instruction.modifiers, "clamp" in instruction.modifiers
    values = [read(code, operand, "b32") for operand in instruction.operands[1:4]]

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        w = Writer(emitter, kind)
        amount = w.call("umin", names[2], 32) if clamp else w.op("and", names[2], 31)
        moved = w.call("fshl" if left else "fshr", names[1], names[0], amount)
        return w.choose(w.op("icmp eq", amount, 32), names[0] if left else names[1], moved) if clamp else moved

    result(code, instruction, compute(code, "i32", values, make))


def difference(code: Code, instruction: Instruction) -> None:
    """sad: |a - b| + c."""
    type_ = types_of(instruction)[-1]
    letter = "s" if is_signed(type_) else "u"
    values = [read(code, operand, type_) for operand in instruction.operands[1:4]]

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        w = Writer(emitter, kind)
        high, low = w.call(f"{letter}max", *names[:2]), w.call(f"{letter}min", *names[:2])
        return w.op("add", w.op("sub", high, low), names[2])

    result(code, instruction, compute(code, element_of(type_), values, make))


def of_24_bits(code: Code, instruction: Instruction) -> None:
    """mul24, mad24: products of the low 24 bits."""
    type_ = types_of(instruction)[-1]
    values = [read(code, operand, type_) for operand in instruction.operands[1:]]
    high = "hi" in instruction.modifiers

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        wide = Writer(emitter, kind.of("i64"))
        text = "ashr" if is_signed(type_) else "lshr"
        parts = [
            wide.op(text, wide.op("shl", emitter.pure(f"zext {kind} {n} to {wide.kind}"), 40), 40) for n in names[:2]
        ]
        product = wide.op("mul", *parts)
        moved = wide.op("lshr", product, 16) if high else product
        short = emitter.pure(f"trunc {wide.kind} {moved} to {kind}")
        if len(names) == 2:
            return short
        if "sat" in instruction.modifiers:
            return Writer(emitter, kind).call("sadd.sat", short, names[2])
        return Writer(emitter, kind).op("add", short, names[2])

    result(code, instruction, compute(code, "i32", values, make))


def find_nth(code: Code, instruction: Instruction) -> None:
    """fns: the position of the n-th set bit from a base on, upwards or downwards; all ones if there is none."""
    value = read(code, instruction.operands[1], "b32")
    base, nth = (read(code, operand, "b32") for operand in instruction.operands[2:4])

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        w = Writer(emitter, kind)
        start, left = w.op("and", names[1], 31), names[2]
        up = w.op("icmp sge", left, 0)
        wanted = w.choose(w.op("icmp eq", left, 0), 1, w.choose(up, left, w.op("sub", 0, left)))
        position, seen = kind.number(-1), kind.number(0)
        for step in range(32):
            place = w.choose(up, w.op("add", start, step), w.op("sub", start, step))
            inside = w.op("icmp ult", place, 32)
            bit = w.op("and", w.op("lshr", names[0], w.op("and", place, 31)), 1)
            bit = w.choose(inside, bit, 0)
            seen = w.op("add", seen, bit)
            here = w.op("icmp eq", w.op("mul", seen, bit), wanted)
            fresh = w.choose(w.op("icmp eq", position, -1), place, position)
            position = w.choose(here, fresh, position)
        only_base = w.op("and", w.op("lshr", names[0], start), 1)
        zero = w.choose(w.op("icmp ne", only_base, 0), start, -1)
        return w.choose(w.op("icmp eq", left, 0), zero, position)

    result(code, instruction, compute(code, "i32", (value, base, nth), make))


def choose_by_sign(code: Code, instruction: Instruction) -> None:
    """slct: the first value if the third is not negative, else the second."""
    kinds = types_of(instruction)
    to, by = kinds[0], kinds[-1]
    first, second = (as_element(code.emitter, read(code, o, to), f"i{WIDTHS[to]}") for o in instruction.operands[1:3])
    third = flushed(code, instruction, read(code, instruction.operands[3], by))
    if by == "f32":
        text, zero = "fcmp oge", "0.0"
    else:
        text, zero = "icmp sge", "0"

    def truth(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        condition = emitter.pure(f"{text} {kind} {names[0]}, {kind.number(zero)}")
        return emitter.pure(f"sext {kind.of('i1')} {condition} to {kind.of(f'i{WIDTHS[to]}')}")

    chosen = compute(code, element_of(by), (third,), truth, to=f"i{WIDTHS[to]}")

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        w = Writer(emitter, kind)
        return w.choose(w.op("icmp ne", names[2], 0), names[0], names[1])

    result(code, instruction, compute(code, f"i{WIDTHS[to]}", (first, second, chosen), make))
