"""Numbers of 16 bits: float16 and bfloat16, alone or in pairs (PTX ISA, "Half Precision Floating-Point Instructions").

They are kept as bit patterns and computed with in float32. Its 24 digits are at least twice the digits of either type
plus two, so that rounding a sum, a product, a quotient or a root twice gives the same as rounding it once.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.directed import odd_float, odd_sum, shortened
from grader.ptxsim.generate.emitter import Emitter
from grader.ptxsim.generate.floats import PLAIN, extreme, in_double, tanh
from grader.ptxsim.generate.integers import intrinsic, result, sources
from grader.ptxsim.generate.operations import Make, compute
from grader.ptxsim.generate.values import LaneType, Value, lanes, spread
from grader.ptxsim.syntax.records import Instruction
from grader.ptxsim.syntax.types import types_of

_SIGNS: dict[str, Make] = {
    "neg": lambda emitter, kind, names: emitter.pure(f"xor {kind} {names[0]}, {kind.number(-0x8000)}"),
    "abs": lambda emitter, kind, names: emitter.pure(f"and {kind} {names[0]}, {kind.number(0x7FFF)}"),
}
_QUIET = 0x7FFF  # the NaN that the device gives, in either type


def widen(emitter: Emitter, kind: LaneType, name: str, type_: str) -> str:
    """Return 16 bits as a float; `kind` is that of the bits."""
    single = kind.of("float")
    if type_.startswith("f16"):
        half = emitter.pure(f"bitcast {kind} {name} to {kind.of('half')}")
        return emitter.pure(f"fpext {kind.of('half')} {half} to {single}")
    wide = kind.of("i32")
    longer = emitter.pure(f"zext {kind} {name} to {wide}")
    return emitter.pure(f"bitcast {wide} {emitter.pure(f'shl {wide} {longer}, {wide.number(16)}')} to {single}")


def narrow(emitter: Emitter, kind: LaneType, name: str, type_: str, rounding: str = "rn") -> str:
    """Return a float rounded to 16 bits, by default to nearest, ties to even; `kind` is that of the float."""
    short = kind.of("i16")
    if type_.startswith("f16"):
        half = emitter.pure(f"fptrunc {kind} {name} to {kind.of('half')}")
        if rounding != "rn":
            half = shortened(emitter, kind, name, half, rounding)
        bits = emitter.pure(f"bitcast {kind.of('half')} {half} to {short}")
    else:
        wide = kind.of("i32")
        pattern = emitter.pure(f"bitcast {kind} {name} to {wide}")
        moved = emitter.pure(f"add {wide} {pattern}, {_added(emitter, wide, pattern, rounding)}")
        bits = emitter.pure(f"trunc {wide} {emitter.pure(f'lshr {wide} {moved}, {wide.number(16)}')} to {short}")
    nan = emitter.pure(f"fcmp uno {kind} {name}, {name}")
    return emitter.pure(f"select {kind.of('i1')} {nan}, {short} {short.number(_QUIET)}, {short} {bits}")


def _added(emitter: Emitter, wide: LaneType, pattern: str, rounding: str) -> str:
    """Return what is added to the bits of a float before the lower half of them is cut off."""
    if rounding == "rz":
        return wide.number(0)
    if rounding == "rn":
        last = emitter.pure(f"and {wide} {emitter.pure(f'lshr {wide} {pattern}, {wide.number(16)}')}, {wide.number(1)}")
        return emitter.pure(f"add {wide} {last}, {wide.number(0x7FFF)}")
    sign = emitter.pure(f"ashr {wide} {pattern}, {wide.number(31)}")
    upwards = sign if rounding == "rm" else emitter.pure(f"xor {wide} {sign}, {wide.number(-1)}")
    return emitter.pure(f"and {wide} {upwards}, {wide.number(0xFFFF)}")


def as_reals(code: Code, value: Value, type_: str) -> Value:
    """Return numbers of 16 bits as floats."""
    if value.vector or any(value.offsets) or value.groups > 1:
        return lanes("float", widen(code.emitter, LaneType("i16", is_vector=True), spread(code.emitter, value), type_))
    from grader.ptxsim.generate.values import first_lane, scalar

    return scalar(
        "float", widen(code.emitter, LaneType("i16", is_vector=False), first_lane(code.emitter, value), type_)
    )


def arithmetic(code: Code, instruction: Instruction) -> None:
    """add, sub, mul, fma, neg, abs, min, max, ex2, tanh and what else has a form for 16 bits."""
    type_ = types_of(instruction)[-1]
    values = sources(code, instruction, type_)
    operation = _operation(code, instruction, type_.removesuffix("x2"))
    if type_.endswith("x2"):
        result(code, instruction, compute(code, "i32", values, pairwise(operation)))
    else:
        result(code, instruction, compute(code, "i16", values, operation))


def without_subnormals(emitter: Emitter, kind: LaneType, name: str, type_: str) -> str:
    """Return the bits of a number, with zero for a subnormal one."""
    exponent = emitter.pure(f"and {kind} {name}, {kind.number(0x7C00 if type_.startswith('f16') else 0x7F80)}")
    small = emitter.pure(f"icmp eq {kind} {exponent}, {kind.number(0)}")
    zero = emitter.pure(f"and {kind} {name}, {kind.number(-0x8000)}")
    return emitter.pure(f"select {kind.of('i1')} {small}, {kind} {zero}, {kind} {name}")


def pairwise(operation: Make) -> Make:
    """Return the maker of an operation on the bits of pairs, from that on the bits of one number."""

    def both(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        parts = []
        for shift in (0, 16):
            moved = [emitter.pure(f"lshr {kind} {n}, {kind.number(shift)}") if shift else n for n in names]
            short = [emitter.pure(f"trunc {kind} {n} to {kind.of('i16')}") for n in moved]
            combined = operation(emitter, kind.of("i16"), short)
            parts.append(emitter.pure(f"zext {kind.of('i16')} {combined} to {kind}"))
        upper = emitter.pure(f"shl {kind} {parts[1]}, {kind.number(16)}")
        return emitter.pure(f"or {kind} {parts[0]}, {upper}")

    return both


def comparison(how: str, type_: str, yes: int, *, flush: bool) -> Make:
    """Return the maker of a comparison of the bits of two numbers, which gives `yes` or 0 in as many bits."""

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        names = [without_subnormals(emitter, kind, name, type_) for name in names] if flush else names
        left, right = (widen(emitter, kind, name, type_) for name in names)
        holds = emitter.pure(f"fcmp {how} {kind.of('float')} {left}, {right}")
        return emitter.pure(f"select {kind.of('i1')} {holds}, {kind} {kind.number(yes)}, {kind} {kind.number(0)}")

    return make


def _operation(code: Code, instruction: Instruction, type_: str) -> Make:
    """Return the maker of an operation on the bits of one number."""
    flush = "ftz" in instruction.modifiers
    maker = _SIGNS.get(instruction.opcode) or _through_floats(code, instruction, type_)

    def operation(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        names = [without_subnormals(emitter, kind, name, type_) for name in names] if flush else names
        value = maker(emitter, kind, names)
        return without_subnormals(emitter, kind, value, type_) if flush else value

    return operation


def _through_floats(code: Code, instruction: Instruction, type_: str) -> Make:
    opcode = instruction.opcode
    if opcode == "fma":
        make: Make | None = _fused if type_ == "f16" else _fused_in_double
    else:
        make = extreme(instruction) or {**PLAIN, "tanh": tanh}.get(opcode)
    if make is None:
        raise code.unsupported()
    maker = in_double(make) if opcode in {"ex2", "tanh"} else make

    def operation(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        single = kind.of("float")
        value = maker(emitter, single, [widen(emitter, kind, name, type_) for name in names])
        return narrow(emitter, single, clamped(emitter, single, value, instruction), type_)

    return operation


def clamped(emitter: Emitter, kind: LaneType, value: str, instruction: Instruction) -> str:
    """Apply .sat, which clamps to 0 and 1 and makes NaN zero, and .relu, which keeps NaN."""
    if "sat" in instruction.modifiers:
        value = intrinsic("maximumnum")(emitter, kind, (value, kind.number("0.0")))
        value = intrinsic("minimumnum")(emitter, kind, (value, kind.number("1.0")))
    if "relu" in instruction.modifiers:
        below = emitter.pure(f"fcmp ole {kind} {value}, {kind.number('0.0')}")
        value = emitter.pure(f"select {kind.of('i1')} {below}, {kind} {kind.number('0.0')}, {kind} {value}")
    return value


def _fused(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
    """The product is exact, and the sum is rounded to odd before it is rounded to 16 bits."""
    product = emitter.pure(f"fmul {kind} {names[0]}, {names[1]}")
    return odd_sum(emitter, kind, product, names[2])


def _fused_in_double(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
    """A product of bfloat16 has as few digits, but its exponent may leave the range of 32 bits."""
    wide = kind.of("double")
    parts = [emitter.pure(f"fpext {kind} {name} to {wide}") for name in names]
    return odd_float(emitter, wide, _fused(emitter, wide, parts))
