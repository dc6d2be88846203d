"""cvt from and to 16-bit floating-point numbers and tf32 (PTX ISA, "cvt")."""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.conversions import TO_INTEGER, extended, real_to_integer
from grader.ptxsim.generate.directed import odd_float, rounding_of
from grader.ptxsim.generate.emitter import Emitter, element_of
from grader.ptxsim.generate.floats import finished, flushed
from grader.ptxsim.generate.halves import as_reals, clamped, narrow
from grader.ptxsim.generate.integers import intrinsic, result
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import Make, compute
from grader.ptxsim.generate.values import LaneType, Value
from grader.ptxsim.syntax.records import Instruction
from grader.ptxsim.syntax.types import REALS, WIDTHS, is_signed, types_of

_LARGEST = {"f16": "0x40EFFC0000000000", "bf16": "0x47EFE00000000000", "tf32": "0x47EFFC0000000000"}


def convert(code: Code, instruction: Instruction) -> None:
    """Translate cvt to and from numbers of 16 bits, and to tf32."""
    kinds = types_of(instruction)
    to, source = kinds[0], kinds[-1]
    rounding = rounding_of(instruction)
    values = [read(code, operand, source) for operand in instruction.operands[1:]]
    if to.removesuffix("x2") != "f16":  # a subnormal float rounds up or down to halves on an H100, with .ftz too
        values = [flushed(code, instruction, value) for value in values]
    if to == "tf32":
        result(code, instruction, compute(code, "float", values, _to_tf32(instruction), to="i32"))
    elif to.endswith("x2"):
        result(code, instruction, compute(code, "float", values, _packed(instruction, to, rounding), to="i32"))
    elif source in {"f16", "bf16"}:
        _from_half(code, instruction, values[0], source, to)
    else:
        value = values[0] if source == "f32" else _as_odd_float(code, values[0], source)
        result(code, instruction, compute(code, "float", (value,), _narrowed(instruction, to, rounding), to="i16"))


def _to_tf32(instruction: Instruction) -> Make:
    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        wide = kind.of("i32")
        name = _limited(emitter, kind, clamped(emitter, kind, names[0], instruction), instruction, "tf32")
        pattern = emitter.pure(f"bitcast {kind} {name} to {wide}")
        more = wide.number(0x1000 if "rna" in instruction.modifiers else 0)
        if "rn" in instruction.modifiers:
            last = emitter.pure(
                f"and {wide} {emitter.pure(f'lshr {wide} {pattern}, {wide.number(13)}')}, {wide.number(1)}"
            )
            more = emitter.pure(f"add {wide} {last}, {wide.number(0xFFF)}")
        bits = emitter.pure(f"and {wide} {emitter.pure(f'add {wide} {pattern}, {more}')}, {wide.number(-0x2000)}")
        nan = emitter.pure(f"fcmp uno {kind} {name}, {name}")
        return emitter.pure(f"select {kind.of('i1')} {nan}, {wide} {wide.number(0x7FFFFFFF)}, {wide} {bits}")

    return make


def _packed(instruction: Instruction, to: str, rounding: str) -> Make:
    """Two floats to a pair: the first one goes into the upper half."""
    narrowed = _narrowed(instruction, to.removesuffix("x2"), rounding)

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        wide, short = kind.of("i32"), kind.of("i16")
        upper, lower = (emitter.pure(f"zext {short} {narrowed(emitter, kind, (n,))} to {wide}") for n in names)
        return emitter.pure(f"or {wide} {emitter.pure(f'shl {wide} {upper}, {wide.number(16)}')}, {lower}")

    return make


def _narrowed(instruction: Instruction, to: str, rounding: str) -> Make:
    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        value = clamped(emitter, kind, names[0], instruction)
        return narrow(emitter, kind, _limited(emitter, kind, value, instruction, to), to, rounding)

    return make


def _limited(emitter: Emitter, kind: LaneType, name: str, instruction: Instruction, to: str) -> str:
    """Apply .satfinite: what is larger than all numbers of the type becomes the largest; NaN stays NaN."""
    if "satfinite" not in instruction.modifiers:
        return name
    most = kind.number(_LARGEST[to])
    above = emitter.pure(f"fcmp ogt {kind} {intrinsic('fabs')(emitter, kind, (name,))}, {most}")
    signed = intrinsic("copysign")(emitter, kind, (most, name))
    return emitter.pure(f"select {kind.of('i1')} {above}, {kind} {signed}, {kind} {name}")


def _from_half(code: Code, instruction: Instruction, value: Value, source: str, to: str) -> None:
    value = as_reals(code, value, source)
    if to in {"f16", "bf16"}:
        whole = next((name for name in instruction.modifiers if name in TO_INTEGER), None)
        value = compute(code, "float", (value,), intrinsic(TO_INTEGER[whole])) if whole else value
        make = _narrowed(instruction, to, rounding_of(instruction))
        value = compute(code, "float", (value,), make, to="i16")
    elif to in REALS:
        value = compute(code, "float", (value,), _to_double, to="double") if to == "f64" else value
        value = finished(code, instruction, element_of(to), value)
    else:
        value = extended(code, instruction, real_to_integer(code, instruction, value, to), to)
    result(code, instruction, value)


def _to_double(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
    return emitter.pure(f"fpext {kind} {names[0]} to {kind.of('double')}")


def _as_odd_float(code: Code, value: Value, source: str) -> Value:
    """Return a double or an integer as a float that is rounded to odd, so that nothing is rounded twice."""
    letter = "s" if is_signed(source) else "u"

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        wide, name = kind.of("double"), names[0]
        if source != "f64":
            name = _of_53_bits(emitter, kind, name, letter) if WIDTHS[source] == 64 else name
            name = emitter.pure(f"{letter}itofp {kind} {name} to {wide}")
        return odd_float(emitter, wide, name)

    return compute(code, element_of(source), (value,), make, to="float")


def _of_53_bits(emitter: Emitter, kind: LaneType, name: str, letter: str) -> str:
    """Return an integer of 64 bits, rounded to odd where a double has not enough bits for it."""
    size = intrinsic("abs", "false")(emitter, kind, (name,)) if letter == "s" else name
    large = emitter.pure(f"icmp ugt {kind} {size}, {kind.number(1 << 53)}")
    rest = emitter.pure(f"and {kind} {name}, {kind.number(0x7FF)}")
    inexact = emitter.pure(f"icmp ne {kind} {rest}, {kind.number(0)}")
    odd = emitter.pure(f"select {kind.of('i1')} {inexact}, {kind} {kind.number(0x800)}, {kind} {kind.number(0)}")
    upper = emitter.pure(f"and {kind} {name}, {kind.number(-0x800)}")
    rounded = emitter.pure(f"or {kind} {upper}, {odd}")
    return emitter.pure(f"select {kind.of('i1')} {large}, {kind} {rounded}, {kind} {name}")
