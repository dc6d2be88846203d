"""Numbers of 16 bits: float16 and bfloat16, alone or in pairs (PTX ISA, "Half Precision Floating-Point Instructions").

They are kept as bit patterns and computed with in float32. Its 24 digits are at least twice the digits of either type
plus two, so that rounding a sum, a product, a quotient or a root twice gives the same as rounding it once.
"""

from __future__ import annotations

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.floats import PLAIN, extreme, in_double, odd_float, odd_sum, tanh
from grader.ptxsim.generate.operations import Formula, Writer, apply, compute
from grader.ptxsim.generate.values import Value
from grader.ptxsim.syntax.records import Instruction, types_of

_SIGNS: dict[str, Formula] = {
    "neg": lambda w, name: w.op("xor", name, -0x8000),
    "abs": lambda w, name: w.op("and", name, 0x7FFF),
}
_QUIET = 0x7FFF  # the NaN that the device gives, in either type


def widen(w: Writer, name: str, type_: str) -> str:
    """Return 16 bits as a float; the writer is that of the bits."""
    if type_.startswith("f16"):
        return w.of("half").cast("fpext", w.cast("bitcast", name, "half"), "float")
    wide = w.of("i32")
    return wide.cast("bitcast", wide.op("shl", w.cast("zext", name, "i32"), 16), "float")


def narrow(w: Writer, name: str, type_: str) -> str:
    """Return a float rounded to 16 bits, to nearest, ties to even; the writer is that of the float."""
    if type_.startswith("f16"):
        bits = w.of("half").cast("bitcast", w.cast("fptrunc", name, "half"), "i16")
    else:
        wide = w.of("i32")
        pattern = w.cast("bitcast", name, "i32")
        more = wide.op("add", wide.op("and", wide.op("lshr", pattern, 16), 1), 0x7FFF)
        moved = wide.op("add", pattern, more)
        bits = wide.cast("trunc", wide.op("lshr", moved, 16), "i16")
    return w.of("i16").choose(w.op("fcmp uno", name, name), _QUIET, bits)


def as_reals(code: Code, value: Value, type_: str) -> Value:
    """Return numbers of 16 bits as floats."""
    return compute(code, "i16", (value,), lambda w, name: widen(w, name, type_), to="float")


def arithmetic(code: Code, instruction: Instruction) -> None:
    """add, sub, mul, fma, neg, abs, min, max, ex2, tanh and what else has a form for 16 bits."""
    type_ = types_of(instruction)[-1]
    operation = _operation(code, instruction, type_.removesuffix("x2"))
    apply(code, instruction, type_, pairwise(operation) if type_.endswith("x2") else operation)


def without_subnormals(w: Writer, name: str, type_: str) -> str:
    """Return the bits of a number, with zero for a subnormal one."""
    exponent = w.op("and", name, 0x7C00 if type_.startswith("f16") else 0x7F80)
    return w.choose(w.op("icmp eq", exponent, 0), w.op("and", name, -0x8000), name)


def pairwise(operation: Formula) -> Formula:
    """Return the formula of an operation on the bits of pairs, from that on the bits of one number."""

    def both(w: Writer, *names: str) -> str:
        parts = []
        for shift in (0, 16):
            moved = [w.op("lshr", name, shift) if shift else name for name in names]
            combined = operation(w.of("i16"), *[w.cast("trunc", name, "i16") for name in moved])
            parts.append(w.of("i16").cast("zext", combined, w.kind.element))
        return w.op("or", parts[0], w.op("shl", parts[1], 16))

    return both


def comparison(how: str, type_: str, yes: int, *, flush: bool) -> Formula:
    """Return the formula of a comparison of the bits of two numbers, which gives `yes` or 0 in as many bits."""

    def formula(w: Writer, *names: str) -> str:
        flushed = [without_subnormals(w, name, type_) for name in names] if flush else names
        holds = w.of("float").op(f"fcmp {how}", *(widen(w, name, type_) for name in flushed))
        return w.choose(holds, yes, 0)

    return formula


def _operation(code: Code, instruction: Instruction, type_: str) -> Formula:
    """Return the formula of an operation on the bits of one number."""
    flush = "ftz" in instruction.modifiers
    formula = _SIGNS.get(instruction.opcode) or _through_floats(code, instruction, type_)

    def operation(w: Writer, *names: str) -> str:
        if not flush:
            return formula(w, *names)
        return without_subnormals(w, formula(w, *[without_subnormals(w, name, type_) for name in names]), type_)

    return operation


def _through_floats(code: Code, instruction: Instruction, type_: str) -> Formula:
    opcode = instruction.opcode
    if opcode == "fma":
        found: Formula | None = _fused if type_ == "f16" else _fused_in_double
    else:
        found = extreme(instruction) or {**PLAIN, "tanh": tanh}.get(opcode)
    if found is None:
        raise code.unsupported()
    formula = in_double(found) if opcode in {"ex2", "tanh"} else found

    def operation(w: Writer, *names: str) -> str:
        single = w.of("float")
        value = formula(single, *[widen(w, name, type_) for name in names])
        return narrow(single, _clamped(single, value, instruction), type_)

    return operation


def _clamped(w: Writer, value: str, instruction: Instruction) -> str:
    """Apply .sat, which clamps to 0 and 1 and makes NaN zero, and .relu, which keeps NaN."""
    if "sat" in instruction.modifiers:
        value = w.call("minimumnum", w.call("maximumnum", value, 0.0), 1.0)
    if "relu" in instruction.modifiers:
        value = w.choose(w.op("fcmp ole", value, 0.0), 0.0, value)
    return value


def _fused(w: Writer, a: str, b: str, c: str) -> str:
    """The product is exact, and the sum is rounded to odd before it is rounded to 16 bits."""
    return odd_sum(w, w.op("fmul", a, b), c)


def _fused_in_double(w: Writer, *names: str) -> str:
    """A product of bfloat16 has as few digits, but its exponent may leave the range of 32 bits."""
    wide = w.of("double")
    return odd_float(wide, _fused(wide, *[w.cast("fpext", name, "double") for name in names]))
