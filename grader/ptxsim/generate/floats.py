"""Arithmetic of 32-bit and 64-bit floating-point numbers (PTX ISA, "Floating-Point Instructions")."""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.directed import directed, rounding_of
from grader.ptxsim.generate.emitter import BITS, Emitter, element_of
from grader.ptxsim.generate.integers import intrinsic, result, simple, sources
from grader.ptxsim.generate.operations import Make, compute
from grader.ptxsim.generate.values import LaneType, Value, real
from grader.ptxsim.syntax.records import Instruction
from grader.ptxsim.syntax.types import types_of

_ONE = {"float": real(0x3F800000, 32), "double": real(0x3FF0000000000000, 64)}
PLAIN = {
    "add": simple("fadd"),
    "sub": simple("fsub"),
    "mul": simple("fmul"),
    "div": simple("fdiv"),
    "neg": lambda emitter, kind, names: emitter.pure(f"fneg {kind} {names[0]}"),
    "fma": intrinsic("fma"),
    "mad": intrinsic("fma"),
    "abs": intrinsic("fabs"),
    "sqrt": intrinsic("sqrt"),
    "min": intrinsic("minimumnum"),
    "max": intrinsic("maximumnum"),
    "copysign": lambda emitter, kind, names: intrinsic("copysign")(emitter, kind, (names[1], names[0])),
    "ex2": intrinsic("exp2"),
    "lg2": intrinsic("log2"),
    "sin": intrinsic("sin"),
    "cos": intrinsic("cos"),
}

_FLUSH_DOUBLES = {"rcp", "rsqrt"}
_LEAST_NORMAL = {"float": real(0x00800000, 32), "double": real(0x0010000000000000, 64)}


def arithmetic(code: Code, instruction: Instruction) -> None:
    """Operations that the CPU or the mathematics library computes."""
    type_ = types_of(instruction)[-1]
    element = element_of(type_)
    values = [flushed(code, instruction, value) for value in sources(code, instruction, type_)]
    if rounding_of(instruction) != "rn":
        make = directed(code, instruction)
    else:
        make = extreme(instruction) or _composed(instruction) or PLAIN.get(instruction.opcode)
    if make is None or len(values) > 3:
        raise code.unsupported()
    if instruction.opcode in {"ex2", "lg2", "sin", "cos", "tanh"} and element == "float":
        make = in_double(make)
    value = compute(code, element, values, make)
    result(code, instruction, finished(code, instruction, element, value))


def extreme(instruction: Instruction) -> Make | None:
    """Return the maker of min and max with modifiers: .NaN keeps NaN, .xorsign.abs multiplies the signs."""
    opcode, modifiers = instruction.opcode, set(instruction.modifiers)
    if opcode not in {"min", "max"} or not {"NaN", "xorsign"} & modifiers:
        return None
    choose = intrinsic(f"{opcode}imum" if "NaN" in modifiers else f"{opcode}imumnum")
    return _with_both_signs(choose) if "xorsign" in modifiers else choose


def _with_both_signs(choose: Make) -> Make:
    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        chosen = choose(emitter, kind, [intrinsic("fabs")(emitter, kind, (name,)) for name in names])
        whole = kind.of(f"i{BITS[kind.element]}")
        patterns = [emitter.pure(f"bitcast {kind} {name} to {whole}") for name in names]
        sign = emitter.pure(f"bitcast {whole} {emitter.pure(f'xor {whole} {patterns[0]}, {patterns[1]}')} to {kind}")
        return intrinsic("copysign")(emitter, kind, (chosen, sign))

    return make


def _composed(instruction: Instruction) -> Make | None:
    """Return the maker of an operation in several steps, each of which is rounded; the device rounds once less."""
    if instruction.opcode == "div" and "approx" in instruction.modifiers:
        return _quotient_of_small
    if instruction.opcode == "rcp":
        return lambda emitter, kind, names: emitter.pure(f"fdiv {kind} {kind.number(_ONE[kind.element])}, {names[0]}")
    if instruction.opcode == "rsqrt":
        return _reciprocal_root
    if instruction.opcode == "tanh":
        return tanh
    return None


def _quotient_of_small(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
    """A / b, and zero for finite a where the magnitude of b exceeds 2 ** 126 (PTX ISA, "div.approx")."""
    quotient = emitter.pure(f"fdiv {kind} {names[0]}, {names[1]}")
    nothing = intrinsic("copysign")(emitter, kind, (kind.number("0.0"), names[1]))
    product = emitter.pure(f"fmul {kind} {names[0]}, {nothing}")
    size = intrinsic("fabs")(emitter, kind, (names[1],))
    large = emitter.pure(f"fcmp ogt {kind} {size}, {kind.number(real(0x7E800000, 32))}")
    return emitter.pure(f"select {kind.of('i1')} {large}, {kind} {product}, {kind} {quotient}")


def _reciprocal_root(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
    root = intrinsic("sqrt")(emitter, kind, names)
    return emitter.pure(f"fdiv {kind} {kind.number(_ONE[kind.element])}, {root}")


def tanh(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
    """1 - 2 / (exp2(2 x log2 e) + 1); near zero, where that cancels, x."""
    scaled = emitter.pure(f"fmul {kind} {names[0]}, {kind.number('0x40071547652B82FE')}")
    power = intrinsic("exp2")(emitter, kind, (scaled,))
    one = kind.number("1.0")
    below = emitter.pure(f"fadd {kind} {power}, {one}")
    part = emitter.pure(f"fdiv {kind} {kind.number('2.0')}, {below}")
    far = emitter.pure(f"fsub {kind} {one}, {part}")
    size = intrinsic("fabs")(emitter, kind, names)
    near = emitter.pure(f"fcmp olt {kind} {size}, {kind.number('0x3F20000000000000')}")  # 2 ** -13
    return emitter.pure(f"select {kind.of('i1')} {near}, {kind} {names[0]}, {kind} {far}")


def in_double(make: Make) -> Make:
    """Compute in double precision: more precise than the approximation that PTX allows."""

    def widened(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        wide = kind.of("double")
        parts = [emitter.pure(f"fpext {kind} {name} to {wide}") for name in names]
        return emitter.pure(f"fptrunc {wide} {make(emitter, wide, parts)} to {kind}")

    return widened


def finished(code: Code, instruction: Instruction, element: str, value: Value) -> Value:
    """Apply .sat, which clamps to 0 and 1, and .ftz, which makes subnormal results zero."""
    if "sat" in instruction.modifiers:
        value = compute(code, element, (value,), _saturated)
    return flushed(code, instruction, value)


def flushed(code: Code, instruction: Instruction, value: Value) -> Value:
    """Return a source or a result: with .ftz, subnormal floats are zero."""
    kinds = {"float", "double"} if instruction.opcode in _FLUSH_DOUBLES else {"float"}
    if "ftz" not in instruction.modifiers or value.element not in kinds:
        return value
    return compute(code, value.element, (value,), _without_subnormals)


def _saturated(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
    above = intrinsic("maximumnum")(emitter, kind, (names[0], kind.number("0.0")))
    return intrinsic("minimumnum")(emitter, kind, (above, kind.number(_ONE[kind.element])))


def _without_subnormals(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
    size = intrinsic("fabs")(emitter, kind, names)
    least = kind.number(_LEAST_NORMAL[kind.element])
    small = emitter.pure(f"fcmp olt {kind} {size}, {least}")
    zero = intrinsic("copysign")(emitter, kind, (kind.number("0.0"), names[0]))
    return emitter.pure(f"select {kind.of('i1')} {small}, {kind} {zero}, {kind} {names[0]}")
