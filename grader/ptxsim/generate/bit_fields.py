"""Counting, moving and picking bits, words of several numbers, and numbers of several words.

PTX ISA, "Integer Arithmetic Instructions", "lop3", "shf", "prmt", "dp4a" and "add.cc".
"""

from __future__ import annotations

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import BITS, element_of
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import Writer, apply, compute, intrinsic, result, results
from grader.ptxsim.generate.values import as_element
from grader.ptxsim.syntax.records import WIDTHS, Instruction, Integer, is_signed, types_of


def count(code: Code, instruction: Instruction) -> None:
    """popc, clz, brev: the counts have 32 bits, whatever the type of the source."""
    name, more = {"popc": ("ctpop", ()), "clz": ("ctlz", ("false",)), "brev": ("bitreverse", ())}[instruction.opcode]
    apply(code, instruction, types_of(instruction)[-1], intrinsic(name, *more))


def find_highest(code: Code, instruction: Instruction) -> None:
    """bfind: the position of the highest bit that is not the sign; all ones if there is none."""
    type_ = types_of(instruction)[-1]
    width, amount = WIDTHS[type_], "shiftamt" in instruction.modifiers

    def formula(w: Writer, name: str) -> str:
        name = w.op("xor", name, w.op("ashr", name, width - 1)) if is_signed(type_) else name
        zeros = w.call("ctlz", name, more=("false",))
        none = w.op("icmp eq", zeros, width)
        return w.choose(none, -1, zeros if amount else w.op("sub", width - 1, zeros))

    position = compute(code, element_of(type_), (read(code, instruction.operands[1], type_),), formula)
    result(code, instruction, as_element(code.emitter, position, "i32"))


def _ones(w: Writer, length: str) -> str:
    """Return a mask of as many low bits as a length from 0 to 255 says; all bits from the width on."""
    short = w.op("icmp ult", length, BITS[w.kind.element])
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

    def formula(w: Writer, value: str, place: str, length: str) -> str:
        start, size = _in_range(w, place), _in_range(w, length)
        inside = w.op("icmp ult", start, width)
        safe = w.choose(inside, start, width - 1)
        if not is_signed(type_):
            moved = w.choose(inside, w.op("lshr", value, safe), 0)
            return w.op("and", moved, _ones(w, size))
        field = w.op("and", w.op("ashr", value, safe), _ones(w, size))  # bits beyond the highest one are the sign
        last = w.call("umin", w.op("sub", w.op("add", start, size), 1), width - 1)
        sign = w.op("and", w.op("lshr", value, last), 1)
        upper = w.op("xor", _ones(w, size), -1)
        signed = w.choose(w.op("icmp ne", sign, 0), w.op("or", field, upper), field)
        return w.choose(w.op("icmp eq", size, 0), 0, signed)

    result(code, instruction, compute(code, element, (value, place, length), formula))


def insert(code: Code, instruction: Instruction) -> None:
    """bfi: insert the low bits of one value into another."""
    type_ = types_of(instruction)[-1]
    element, width = element_of(type_), WIDTHS[type_]
    first, second = (read(code, operand, type_) for operand in instruction.operands[1:3])
    place, length = (as_element(code.emitter, read(code, o, "u32"), element) for o in instruction.operands[3:5])

    def formula(w: Writer, value: str, other: str, place: str, length: str) -> str:
        start, size = _in_range(w, place), _in_range(w, length)
        inside = w.op("icmp ult", start, width)
        safe = w.choose(inside, start, 0)
        field = w.op("shl", _ones(w, size), safe)
        moved = w.op("and", w.op("shl", value, safe), field)
        rest = w.op("and", other, w.op("xor", field, -1))
        return w.choose(inside, w.op("or", moved, rest), other)

    result(code, instruction, compute(code, element, (first, second, place, length), formula))


def logic_of_three(code: Code, instruction: Instruction) -> None:
    """lop3: any function of three bits, given by its table."""
    table = instruction.operands[4] if len(instruction.operands) > 4 else None
    if not isinstance(table, Integer):
        raise code.unsupported()
    values = [read(code, operand, "b32") for operand in instruction.operands[1:4]]

    def formula(w: Writer, *names: str) -> str:
        union = w.kind.number(0)
        opposite = [w.op("xor", name, -1) for name in names]
        for row in range(8):
            if table.value >> row & 1:
                a, b, c = (names[i] if row >> (2 - i) & 1 else opposite[i] for i in range(3))
                union = w.op("or", union, w.op("and", w.op("and", a, b), c))
        return union

    result(code, instruction, compute(code, "i32", values, formula))


def funnel(code: Code, instruction: Instruction) -> None:
    """shf: shift 64 bits, and keep 32 of them."""
    left, clamp = "l" in instruction.modifiers, "clamp" in instruction.modifiers

    def formula(w: Writer, low: str, high: str, amount: str) -> str:
        amount = w.call("umin", amount, 32) if clamp else w.op("and", amount, 31)
        moved = w.call("fshl" if left else "fshr", high, low, amount)
        return w.choose(w.op("icmp eq", amount, 32), low if left else high, moved) if clamp else moved

    apply(code, instruction, "b32", formula)


def of_24_bits(code: Code, instruction: Instruction) -> None:
    """mul24, mad24: products of the low 24 bits."""
    type_ = types_of(instruction)[-1]
    text = "ashr" if is_signed(type_) else "lshr"

    def formula(w: Writer, a: str, b: str, *added: str) -> str:
        wide = w.of("i64")
        parts = [wide.op(text, wide.op("shl", w.cast("zext", name, "i64"), 40), 40) for name in (a, b)]
        product = wide.cast("trunc", wide.op("mul", *parts), "i32")
        return w.op("add", product, *added) if added else product

    apply(code, instruction, type_, formula)


def find_nth(code: Code, instruction: Instruction) -> None:
    """fns: the position of the n-th set bit from a base on, upwards or downwards; all ones if there is none."""

    def formula(w: Writer, value: str, base: str, left: str) -> str:
        start = w.op("and", base, 31)
        up = w.op("icmp sge", left, 0)
        wanted = w.choose(w.op("icmp eq", left, 0), 1, w.choose(up, left, w.op("sub", 0, left)))
        position, seen = w.kind.number(-1), w.kind.number(0)
        for step in range(32):
            place = w.choose(up, w.op("add", start, step), w.op("sub", start, step))
            inside = w.op("icmp ult", place, 32)
            bit = w.op("and", w.op("lshr", value, w.op("and", place, 31)), 1)
            bit = w.choose(inside, bit, 0)
            seen = w.op("add", seen, bit)
            here = w.op("icmp eq", w.op("mul", seen, bit), wanted)
            fresh = w.choose(w.op("icmp eq", position, -1), place, position)
            position = w.choose(here, fresh, position)
        only_base = w.op("and", w.op("lshr", value, start), 1)
        zero = w.choose(w.op("icmp ne", only_base, 0), start, -1)
        return w.choose(w.op("icmp eq", left, 0), zero, position)

    apply(code, instruction, "b32", formula)


def permute(code: Code, instruction: Instruction) -> None:
    """prmt: four bytes picked out of eight, or their signs."""

    def formula(w: Writer, lower: str, upper: str, selector: str) -> str:
        word = ""
        for byte in range(4):
            nibble = w.op("lshr", selector, 4 * byte) if byte else selector
            within = w.op("shl", w.op("and", nibble, 3), 3)
            is_upper = w.op("icmp ne", w.op("and", nibble, 4), 0)
            picked = w.op("and", w.op("lshr", w.choose(is_upper, upper, lower), within), 255)
            sign = w.op("mul", w.op("lshr", picked, 7), 255)
            picked = w.choose(w.op("icmp ne", w.op("and", nibble, 8), 0), sign, picked)
            moved = w.op("shl", picked, 8 * byte) if byte else picked
            word = w.op("or", word, moved) if word else moved
        return word

    apply(code, instruction, "b32", formula)


def dot_product(code: Code, instruction: Instruction) -> None:
    """dp4a: products of bytes added up."""
    kinds = types_of(instruction)

    def byte(w: Writer, name: str, place: int, kind: str) -> str:
        moved = w.op("shl", name, 24 - 8 * place) if place < 3 else name
        return w.op("ashr" if is_signed(kind) else "lshr", moved, 24)

    def formula(w: Writer, first: str, second: str, total: str) -> str:
        for place in range(4):
            product = w.op("mul", byte(w, first, place, kinds[-2]), byte(w, second, place, kinds[-1]))
            total = w.op("add", total, product)
        return total

    apply(code, instruction, "b32", formula)


def add_with_carry(code: Code, instruction: Instruction) -> None:
    """carried: the sum of two numbers, the second one or its complement, and a carry; and the carry of the sum."""
    how, type_ = instruction.modifiers
    element = element_of(type_)
    first, second = (read(code, operand, type_) for operand in instruction.operands[1:3])
    carry = as_element(code.emitter, read(code, instruction.operands[3], "b64"), element)
    if how == "sub":
        second = compute(code, element, (second,), lambda w, name: w.op("xor", name, -1))

    def sum_carry(w: Writer, a: str, b: str, c: str) -> str:
        both = w.op("add", a, b)
        over = w.op("icmp ult", both, a), w.op("icmp ult", w.op("add", both, c), both)
        return w.of("i1").cast("zext", w.of("i1").op("or", *over), "i64")

    total = compute(code, element, (first, second, carry), lambda w, a, b, c: w.op("add", w.op("add", a, b), c))
    results(code, instruction, total, compute(code, element, (first, second, carry), sum_carry, to="i64"))
