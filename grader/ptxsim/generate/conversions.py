"""cvt (PTX ISA, "Data Movement and Conversion Instructions: cvt")."""

from __future__ import annotations

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import element_of
from grader.ptxsim.generate.floats import finished, flushed
from grader.ptxsim.generate.integers import widened
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import Writer, compute, intrinsic, result
from grader.ptxsim.generate.values import Value, as_element
from grader.ptxsim.syntax.records import REALS, WIDTHS, Instruction, Register, is_signed, types_of

TO_INTEGER = {"rni": "roundeven", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}


def convert(code: Code, instruction: Instruction) -> None:
    """Convert between integers, f32 and f64."""
    kinds = types_of(instruction)
    to, source = kinds[0], kinds[-1]
    value = flushed(code, instruction, read(code, instruction.operands[1], source))
    if source in REALS and to in REALS:
        result(code, instruction, _real_to_real(code, instruction, value, source, to))
    elif source in REALS:
        result(code, instruction, extended(code, instruction, real_to_integer(code, instruction, value, to), to))
    elif to in REALS:
        number = _integer_to_real(code, value, source, to)
        result(code, instruction, finished(code, instruction, element_of(to), number))
    else:
        _between_integers(code, instruction, value, source, to)


def _between_integers(code: Code, instruction: Instruction, value: Value, source: str, to: str) -> None:
    if WIDTHS[to] > WIDTHS[source]:
        value = widened(code, instruction.operands[1], value, element_of(to), signed=is_signed(source))
    else:
        value = (
            as_element(code.emitter, value, element_of(to))
            if value.vector or not any(value.offsets)
            else _narrowed(code, value, element_of(to))
        )
    result(code, instruction, extended(code, instruction, value, to))


def extended(code: Code, instruction: Instruction, value: Value, to: str) -> Value:
    """Return an integer with the width of its register, which may be larger: signed ones keep their sign."""
    target = instruction.operands[0]
    register = code.kernel.function.registers[target.name] if isinstance(target, Register) else to
    if WIDTHS[register] <= WIDTHS[to] or not is_signed(to):
        return value
    element = element_of(register)
    return compute(code, element_of(to), (value,), lambda w, name: w.cast("sext", name, element), to=element)


def _narrowed(code: Code, value: Value, element: str) -> Value:
    """Cut off the upper bits of first lanes; the offsets stay the same."""
    flat = as_element(code.emitter, Value(value.element, value.bases), element)
    return Value(element, flat.bases, value.offsets)


def _real_to_real(code: Code, instruction: Instruction, value: Value, source: str, to: str) -> Value:
    element = element_of(source)
    rounding = next((name for name in instruction.modifiers if name in TO_INTEGER), None)
    if rounding:
        value = compute(code, element, (value,), intrinsic(TO_INTEGER[rounding]))
    if WIDTHS[to] < WIDTHS[source]:
        value = compute(code, element, (value,), lambda w, name: w.cast("fptrunc", name, "float"), to="float")
    elif WIDTHS[to] > WIDTHS[source]:
        value = compute(code, element, (value,), lengthened, to="double")
    return finished(code, instruction, element_of(to), value)


def lengthened(w: Writer, name: str) -> str:
    """Return a float as a double."""
    return w.cast("fpext", name, "double")


def real_to_integer(code: Code, instruction: Instruction, value: Value, to: str) -> Value:
    """Return a number rounded to an integer and clamped to the type's range.

    A NaN becomes zero, or 1 << (width - 1) where one of the types has 64 bits (PTX ISA, "cvt").
    """
    element = value.element
    is_wide = element == "double" or WIDTHS[to] == 64
    rounding = next((name for name in instruction.modifiers if name in TO_INTEGER), "rzi")
    target = element_of(to)

    def formula(w: Writer, name: str) -> str:
        there = w.of(target)
        called = f"llvm.fpto{'s' if is_signed(to) else 'u'}i.sat.{there.kind.suffix}.{w.kind.suffix}"
        number = w.emitter.call(str(there.kind), called, [(str(w.kind), w.call(TO_INTEGER[rounding], name))])
        if not is_wide:
            return number
        return there.choose(w.op("fcmp uno", name, name), -(1 << WIDTHS[to] - 1), number)

    return compute(code, element, (value,), formula, to=target)


def _integer_to_real(code: Code, value: Value, source: str, to: str) -> Value:
    """Return an integer as a number."""
    text, target = f"{'s' if is_signed(source) else 'u'}itofp", element_of(to)
    return compute(code, element_of(source), (value,), lambda w, name: w.cast(text, name, target), to=target)
