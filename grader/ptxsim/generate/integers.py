"""Integer arithmetic and logic (PTX ISA, "Integer Arithmetic Instructions", "Logic and Shift Instructions")."""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.analysis.lanes import widens
from grader.ptxsim.analysis.shapes import operand_shape
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import BITS, element_of, vector
from grader.ptxsim.generate.exits import require
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import (
    Formula,
    Writer,
    apply,
    compute,
    intrinsic,
    is_number,
    operand_values,
    result,
    simple,
)
from grader.ptxsim.generate.values import Base, Value, as_element, first_lane, integer, lanes, mask, plus, scalar
from grader.ptxsim.syntax.records import WIDTHS, Instruction, Operand, is_signed, types_of


def add_or_subtract(code: Code, instruction: Instruction) -> None:
    """add, sub."""
    type_ = types_of(instruction)[-1]
    element = element_of(type_)
    first, second = operand_values(code, instruction, type_)
    sign = 1 if instruction.opcode == "add" else -1
    if sign == 1 and is_number(first) and not is_number(second):
        first, second = second, first
    if first.groups and is_number(second):
        result(code, instruction, plus(code.emitter, first, sign * second.bases[0].added))
        return
    result(code, instruction, compute(code, element, (first, second), simple(instruction.opcode)))


def multiply(code: Code, instruction: Instruction) -> None:
    """Translate mul and mad in the forms lo, hi and wide."""
    type_ = types_of(instruction)[-1]
    width, signed = WIDTHS[type_], is_signed(type_)
    element = element_of(type_)
    first, second = (read(code, operand, type_) for operand in instruction.operands[1:3])
    added = instruction.operands[3] if instruction.opcode == "mad" else None
    if "hi" in instruction.modifiers:
        product = compute(code, element, (first, second), _high(width, signed=signed))
        if added is not None:
            product = compute(code, element, (product, read(code, added, type_)), simple("add"))
        result(code, instruction, product)
        return
    wide = "wide" in instruction.modifiers
    if wide:
        element, type_ = f"i{2 * width}", f"b{2 * width}"
        operands = instruction.operands[1:3]
        pairs = zip(operands, (first, second), strict=True)
        first, second = (widened(code, operand, value, element, signed=signed) for operand, value in pairs)
    if added is None:
        result(code, instruction, compute(code, element, (first, second), simple("mul")))
        return
    third = read(code, added, type_)
    values = first, second, third
    result(code, instruction, compute(code, element, values, lambda w, a, b, c: w.op("add", w.op("mul", a, b), c)))


def widened(code: Code, operand: Operand, value: Value, element: str, *, signed: bool) -> Value:
    """Return a value with more bits. Where lanes might leave the narrow range, the code checks that they do not."""
    width = BITS[value.element]
    if is_number(value):
        number = value.bases[0].added & ((1 << width) - 1)
        return integer(element, number - (1 << width) if signed and number >> (width - 1) else number)
    text = "sext" if signed else "zext"
    if value.vector:
        return lanes(element, code.emitter.pure(f"{text} {vector(value.element)} {value.vector} to {vector(element)}"))
    shape = operand_shape(operand, code.kernel.facts.shapes, code.kernel.facts.geometry, width)
    check = widens(shape, signed=signed, width=width)
    bases = []
    for group in range(value.groups):
        single = first_lane(code.emitter, value, group)
        bases.append(Base(code.emitter.pure(f"{text} {value.element} {single} to {element}")))
        if check:
            _require_range(code, bases[-1].root, value, element, signed=signed)
    return Value(element, tuple(bases), value.offsets)


def _require_range(code: Code, name: str, value: Value, element: str, *, signed: bool) -> None:
    """The lanes' values are the first lane's plus the offsets only while none of them wraps around."""
    width = BITS[value.element]
    low, high = min(value.offsets), max(value.offsets)
    least, most = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    start = code.emitter.pure(f"sub {element} {name}, {least - low}")
    require(code, code.emitter.pure(f"icmp ule {element} {start}, {most - high - (least - low)}"))


def _high(width: int, *, signed: bool) -> Formula:
    extend, element = "sext" if signed else "zext", f"i{2 * width}"

    def formula(w: Writer, *names: str) -> str:
        wide = w.of(element)
        product = wide.op("mul", *(w.cast(extend, name, element) for name in names))
        return wide.cast("trunc", wide.op("lshr", product, width), w.kind.element)

    return formula


def divide(code: Code, instruction: Instruction) -> None:
    """div, rem. For a divisor of zero, of which PTX says nothing, both are all ones, as on an H200."""
    type_ = types_of(instruction)[-1]
    signed, width = is_signed(type_), WIDTHS[type_]
    values = operand_values(code, instruction, type_)
    known = is_number(values[1]) and values[1].bases[0].added & ((1 << width) - 1) not in {0, (1 << width) - 1}
    if known:
        quotient = simple("sdiv" if signed else "udiv")
    else:
        quotient = _through_reals(signed=signed) if width <= 32 else _in_integers(signed=signed)
    formula = quotient if instruction.opcode == "div" else _remainder(quotient)
    result(code, instruction, compute(code, element_of(type_), values, formula))


def _through_reals(*, signed: bool) -> Formula:
    """Divide in double precision. This is exact: a fractional quotient of 32-bit numbers never rounds to an integer."""
    letter = "s" if signed else "u"

    def formula(w: Writer, a: str, b: str) -> str:
        wide = w.of("double")
        ratio = wide.op("fdiv", *(w.cast(f"{letter}itofp", name, "double") for name in (a, b)))
        return _exceptions(w, a, b, wide.cast(f"fpto{letter}i", ratio, w.kind.element), signed=signed)

    return formula


def _in_integers(*, signed: bool) -> Formula:
    def formula(w: Writer, a: str, b: str) -> str:
        special = w.op("icmp ule", w.op("add", b, 1), 1)
        quotient = w.op("sdiv" if signed else "udiv", a, w.choose(special, 1, b))
        if not signed:
            is_top = w.of("i1").cast("zext", w.op("icmp eq", a, -1), w.kind.element)
            quotient = w.choose(w.op("icmp eq", b, -1), is_top, quotient)
        return _exceptions(w, a, b, quotient, signed=signed)

    return formula


def _exceptions(w: Writer, a: str, b: str, quotient: str, *, signed: bool) -> str:
    if signed:  # the smallest number divided by -1 is itself again
        quotient = w.choose(w.op("icmp eq", b, -1), w.op("sub", 0, a), quotient)
    return w.choose(w.op("icmp eq", b, 0), -1, quotient)


def _remainder(quotient: Formula) -> Formula:
    def formula(w: Writer, a: str, b: str) -> str:
        rest = w.op("sub", a, w.op("mul", quotient(w, a, b), b))
        return w.choose(w.op("icmp eq", b, 0), -1, rest)

    return formula


def logic(code: Code, instruction: Instruction) -> None:
    """and, or, xor, not on bits and on predicates."""
    type_ = types_of(instruction)[-1]
    values = operand_values(code, instruction, type_)
    if type_ == "pred":
        result(code, instruction, predicates(code, instruction.opcode, values))
        return
    element = element_of(type_)
    if instruction.opcode == "not":
        values.append(integer(element, -1))
    text = {"not": "xor"}.get(instruction.opcode, instruction.opcode)
    result(code, instruction, compute(code, element, values, simple(text)))


def predicates(code: Code, opcode: str, values: Sequence[Value]) -> Value:
    """Return predicates combined."""
    text = {"not": "xor"}.get(opcode, opcode)
    if any(value.vector for value in values):
        names = [mask(code.emitter, value) for value in values] + (["-1"] if opcode == "not" else [])
        return lanes("i1", code.emitter.pure(f"{text} i32 {', '.join(names)}"))
    names = [first_lane(code.emitter, value) for value in values] + (["true"] if opcode == "not" else [])
    return scalar("i1", code.emitter.pure(f"{text} i1 {', '.join(names)}"))


def smaller_or_larger(code: Code, instruction: Instruction) -> None:
    """min, max."""
    type_ = types_of(instruction)[-1]
    apply(code, instruction, type_, intrinsic(f"{'s' if is_signed(type_) else 'u'}{instruction.opcode}"))


def negate(code: Code, instruction: Instruction) -> None:
    """neg, abs."""
    formula: Formula = (
        intrinsic("abs", "false") if instruction.opcode == "abs" else lambda w, name: w.op("sub", 0, name)
    )
    apply(code, instruction, types_of(instruction)[-1], formula)


def shift(code: Code, instruction: Instruction) -> None:
    """shl, shr: an amount larger than the width counts as the width."""
    type_ = types_of(instruction)[-1]
    element, width = element_of(type_), WIDTHS[type_]
    value = read(code, instruction.operands[1], type_)
    amount = read(code, instruction.operands[2], "u32")
    left = instruction.opcode == "shl"
    text = "shl" if left else "ashr" if is_signed(type_) else "lshr"
    if is_number(amount):
        number = amount.bases[0].added & 0xFFFFFFFF
        if number < width or text == "ashr":
            limited = integer(element, min(number, width - 1))
            result(code, instruction, compute(code, element, (value, limited), simple(text)))
        else:
            result(code, instruction, integer(element, 0))
        return
    amount = compute(code, "i32", (amount,), lambda w, name: w.call("umin", name, width))
    values = (value, as_element(code.emitter, amount, element))
    result(code, instruction, compute(code, element, values, _shifted(text)))


def _shifted(text: str) -> Formula:
    """Return the formula of a shift by an amount of any size; LLVM leaves amounts from the width on undefined."""

    def formula(w: Writer, value: str, amount: str) -> str:
        width = BITS[w.kind.element]
        moved = w.op(text, value, w.call("umin", amount, width - 1))
        return moved if text == "ashr" else w.choose(w.op("icmp ult", amount, width), moved, 0)

    return formula
