"""cvt from and to 16-bit floating-point numbers and tf32 (PTX ISA, "cvt")."""

from __future__ import annotations

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.conversions import TO_INTEGER, extended, lengthened, real_to_integer
from grader.ptxsim.generate.directed import odd_float
from grader.ptxsim.generate.emitter import element_of
from grader.ptxsim.generate.floats import finished, flushed
from grader.ptxsim.generate.halves import as_reals, narrow
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import Formula, Writer, compute, intrinsic, result
from grader.ptxsim.generate.values import Value
from grader.ptxsim.syntax.records import REALS, WIDTHS, Instruction, is_signed, types_of


def convert(code: Code, instruction: Instruction) -> None:
    """Translate cvt to and from numbers of 16 bits, and to tf32."""
    kinds = types_of(instruction)
    to, source = kinds[0], kinds[-1]
    values = [read(code, operand, source) for operand in instruction.operands[1:]]
    if to.removesuffix("x2") != "f16":  # a subnormal float rounds up or down to halves on an H100, with .ftz too
        values = [flushed(code, instruction, value) for value in values]
    if to == "tf32":
        result(code, instruction, compute(code, "float", values, _as_tf32, to="i32"))
    elif to.endswith("x2"):
        result(code, instruction, compute(code, "float", values, _packed(to), to="i32"))
    elif source in {"f16", "bf16"}:
        _from_half(code, instruction, values[0], source, to)
    else:
        value = values[0] if source == "f32" else _as_odd_float(code, values[0], source)
        result(code, instruction, compute(code, "float", (value,), _narrowed(to), to="i16"))


def _as_tf32(w: Writer, name: str) -> str:
    """Return the bits of a float rounded to 11 digits, ties away from zero."""
    wide = w.of("i32")
    bits = wide.op("and", wide.op("add", w.cast("bitcast", name, "i32"), 0x1000), -0x2000)
    return wide.choose(w.op("fcmp uno", name, name), 0x7FFFFFFF, bits)


def _packed(to: str) -> Formula:
    """Two floats to a pair: the first one goes into the upper half."""
    narrowed = _narrowed(to.removesuffix("x2"))

    def formula(w: Writer, *names: str) -> str:
        wide, short = w.of("i32"), w.of("i16")
        upper, lower = (short.cast("zext", narrowed(w, name), "i32") for name in names)
        return wide.op("or", wide.op("shl", upper, 16), lower)

    return formula


def _narrowed(to: str) -> Formula:
    return lambda w, name: narrow(w, name, to)


def _from_half(code: Code, instruction: Instruction, value: Value, source: str, to: str) -> None:
    value = as_reals(code, value, source)
    if to in {"f16", "bf16"}:
        whole = next((name for name in instruction.modifiers if name in TO_INTEGER), None)
        value = compute(code, "float", (value,), intrinsic(TO_INTEGER[whole])) if whole else value
        value = compute(code, "float", (value,), _narrowed(to), to="i16")
    elif to in REALS:
        value = compute(code, "float", (value,), lengthened, to="double") if to == "f64" else value
        value = finished(code, instruction, element_of(to), value)
    else:
        value = extended(code, instruction, real_to_integer(code, instruction, value, to), to)
    result(code, instruction, value)


def _as_odd_float(code: Code, value: Value, source: str) -> Value:
    """Return a double or an integer as a float that is rounded to odd, so that nothing is rounded twice."""
    letter = "s" if is_signed(source) else "u"

    def formula(w: Writer, name: str) -> str:
        if source != "f64":
            name = _of_53_bits(w, name, letter) if WIDTHS[source] == 64 else name
            name = w.cast(f"{letter}itofp", name, "double")
        return odd_float(w.of("double"), name)

    return compute(code, element_of(source), (value,), formula, to="float")


def _of_53_bits(w: Writer, name: str, letter: str) -> str:
    """Return an integer of 64 bits, rounded to odd where a double has not enough bits for it."""
    large = w.op("icmp ugt", w.call("abs", name, more=("false",)) if letter == "s" else name, 1 << 53)
    inexact = w.op("icmp ne", w.op("and", name, 0x7FF), 0)
    odd = w.choose(inexact, 0x800, 0)
    return w.choose(large, w.op("or", w.op("and", name, -0x800), odd), name)
