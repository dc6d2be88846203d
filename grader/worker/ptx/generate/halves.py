"""Numbers of 16 bits: float16 and bfloat16, alone or in pairs (PTX ISA, "Half Precision Floating-Point Instructions").

They are kept as their bits and computed with in 32 bits, whose 24 digits are more than twice those of either type and
two, so that rounding a sum, a product, a quotient or a root twice is as good as rounding it once.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.worker.ptx.generate.code import Code, Make, element_of
from grader.worker.ptx.generate.directed import odd_sum
from grader.worker.ptx.generate.emitter import Emitter
from grader.worker.ptx.generate.floats import PLAIN, in_double
from grader.worker.ptx.generate.integers import intrinsic, result, sources
from grader.worker.ptx.generate.values import Kind, Value, lanes, real, spread
from grader.worker.ptx.syntax.records import Instruction
from grader.worker.ptx.syntax.types import REALS, is_signed, types_of

_QUIET = 0x7FFF  # the NaN that the device gives, in either type


def widen(emitter: Emitter, kind: Kind, name: str, type_: str) -> str:
    """Return 16 bits as a float; `kind` is that of the bits."""
    single = kind.of("float")
    if type_.startswith("f16"):
        half = emitter.pure(f"bitcast {kind} {name} to {kind.of('half')}")
        return emitter.pure(f"fpext {kind.of('half')} {half} to {single}")
    wide = kind.of("i32")
    longer = emitter.pure(f"zext {kind} {name} to {wide}")
    return emitter.pure(f"bitcast {wide} {emitter.pure(f'shl {wide} {longer}, {wide.number(16)}')} to {single}")


def narrow(emitter: Emitter, kind: Kind, name: str, type_: str, rounding: str = "rn") -> str:
    """Return a float rounded to 16 bits, to the nearest and of two to the even; `kind` is that of the float."""
    short = kind.of("i16")
    if type_.startswith("f16"):
        half = emitter.pure(f"fptrunc {kind} {name} to {kind.of('half')}")
        if rounding != "rn":
            from grader.worker.ptx.generate.directed import corrected

            half = corrected(emitter, kind, name, half, rounding)
        found = emitter.pure(f"bitcast {kind.of('half')} {half} to {short}")
    else:
        wide = kind.of("i32")
        pattern = emitter.pure(f"bitcast {kind} {name} to {wide}")
        last = emitter.pure(f"and {wide} {emitter.pure(f'lshr {wide} {pattern}, {wide.number(16)}')}, {wide.number(1)}")
        more = emitter.pure(f"add {wide} {last}, {wide.number(0x7FFF)}") if rounding == "rn" else wide.number(0)
        more = "zeroinitializer" if rounding != "rn" and kind.is_vector else more
        moved = emitter.pure(f"lshr {wide} {emitter.pure(f'add {wide} {pattern}, {more}')}, {wide.number(16)}")
        found = emitter.pure(f"trunc {wide} {moved} to {short}")
    nan = emitter.pure(f"fcmp uno {kind} {name}, {name}")
    return emitter.pure(f"select {kind.of('i1')} {nan}, {short} {short.number(_QUIET)}, {short} {found}")


def as_reals(code: Code, value: Value, type_: str) -> Value:
    """Return numbers of 16 bits as floats."""
    if value.vector or any(value.offsets) or value.groups > 1:
        return lanes("float", widen(code.emitter, Kind("i16", is_vector=True), spread(code.emitter, value), type_))
    from grader.worker.ptx.generate.values import first_lane, scalar

    return scalar("float", widen(code.emitter, Kind("i16", is_vector=False), first_lane(code.emitter, value), type_))


def arithmetic(code: Code, instruction: Instruction) -> None:
    """add, sub, mul, fma, neg, abs, min, max, ex2, tanh and what else has a form for 16 bits."""
    type_ = types_of(instruction)[-1]
    if {"rz", "rm", "rp", "xorsign", "oob"} & set(instruction.modifiers):
        raise code.unsupported()
    values = sources(code, instruction, type_)
    single = type_.removesuffix("x2")
    operation = _operation(code, instruction, single)
    if not type_.endswith("x2"):
        result(code, instruction, code.compute("i16", values, operation))
        return

    def both(emitter: Emitter, kind: Kind, names: Sequence[str]) -> str:
        parts = []
        for shift in (0, 16):
            moved = [emitter.pure(f"lshr {kind} {n}, {kind.number(shift)}") if shift else n for n in names]
            short = [emitter.pure(f"trunc {kind} {n} to {kind.of('i16')}") for n in moved]
            found = operation(emitter, kind.of("i16"), short)
            parts.append(emitter.pure(f"zext {kind.of('i16')} {found} to {kind}"))
        upper = emitter.pure(f"shl {kind} {parts[1]}, {kind.number(16)}")
        return emitter.pure(f"or {kind} {parts[0]}, {upper}")

    result(code, instruction, code.compute("i32", values, both))


def _operation(code: Code, instruction: Instruction, type_: str) -> Make:
    """Return the maker of an operation on the bits of one number."""
    opcode = instruction.opcode
    if opcode in {"neg", "abs"}:
        text, number = ("xor", -0x8000) if opcode == "neg" else ("and", 0x7FFF)
        return lambda emitter, kind, names: emitter.pure(f"{text} {kind} {names[0]}, {kind.number(number)}")
    make = _fused if opcode in {"fma", "mad"} else PLAIN.get(opcode)
    if opcode == "tanh":
        from grader.worker.ptx.generate.floats import tanh

        make = tanh
    if make is None:
        raise code.unsupported()
    if opcode in {"ex2", "tanh"}:
        make = in_double(make)
    maker = make

    def operation(emitter: Emitter, kind: Kind, names: Sequence[str]) -> str:
        single = kind.of("float")
        found = maker(emitter, single, [widen(emitter, kind, name, type_) for name in names])
        if "sat" in instruction.modifiers or "relu" in instruction.modifiers:
            found = intrinsic("maximumnum")(emitter, single, (found, single.number("0.0")))
        if "sat" in instruction.modifiers:
            found = intrinsic("minimumnum")(emitter, single, (found, single.number(real(0x3F800000, 32))))
        return narrow(emitter, single, found, type_)

    return operation


def _fused(emitter: Emitter, kind: Kind, names: Sequence[str]) -> str:
    """The product is exact in 32 bits, and the sum is rounded to odd before it is rounded to 16."""
    product = emitter.pure(f"fmul {kind} {names[0]}, {names[1]}")
    return odd_sum(emitter, kind, product, names[2])


def convert(code: Code, instruction: Instruction) -> None:
    """Cvt to and from numbers of 16 bits, and to tf32."""
    kinds = types_of(instruction)
    to, source = kinds[0], kinds[-1]
    rounding = next((name for name in ("rz", "rm", "rp") if name in instruction.modifiers), "rn")
    if to == "tf32":
        value = code.read(instruction.operands[1], "f32")
        result(code, instruction, code.compute("float", (value,), _to_tf32(instruction), to="i32"))
    elif to.endswith("x2"):
        _pack(code, instruction, to, rounding)
    elif source in {"f16", "bf16"}:
        _from_half(code, instruction, source, to, rounding)
    else:
        _to_half(code, instruction, source, to, rounding)


def _to_tf32(instruction: Instruction) -> Make:
    away = "rna" in instruction.modifiers

    def make(emitter: Emitter, kind: Kind, names: Sequence[str]) -> str:
        wide = kind.of("i32")
        pattern = emitter.pure(f"bitcast {kind} {names[0]} to {wide}")
        more = wide.number(0x1000)
        if not away:
            last = emitter.pure(
                f"and {wide} {emitter.pure(f'lshr {wide} {pattern}, {wide.number(13)}')}, {wide.number(1)}"
            )
            more = emitter.pure(f"add {wide} {last}, {wide.number(0xFFF)}")
        return emitter.pure(f"and {wide} {emitter.pure(f'add {wide} {pattern}, {more}')}, {wide.number(-0x2000)}")

    return make


def _pack(code: Code, instruction: Instruction, to: str, rounding: str) -> None:
    """Two floats to a pair: the first one goes into the upper half."""
    values = [code.read(operand, "f32") for operand in instruction.operands[1:3]]

    def make(emitter: Emitter, kind: Kind, names: Sequence[str]) -> str:
        wide = kind.of("i32")
        parts = []
        for name in names:
            positive = intrinsic("maximumnum")(emitter, kind, (name, kind.number("0.0")))
            chosen = positive if "relu" in instruction.modifiers else name
            short = narrow(emitter, kind, chosen, to, rounding)
            parts.append(emitter.pure(f"zext {kind.of('i16')} {short} to {wide}"))
        upper = emitter.pure(f"shl {wide} {parts[0]}, {wide.number(16)}")
        return emitter.pure(f"or {wide} {upper}, {parts[1]}")

    result(code, instruction, code.compute("float", values, make, to="i32"))


def _from_half(code: Code, instruction: Instruction, source: str, to: str, rounding: str) -> None:
    from grader.worker.ptx.generate.conversions import TO_INTEGER, real_to_integer

    value = as_reals(code, code.read(instruction.operands[1], source), source)
    if to in {"f16", "bf16"}:
        whole = next((name for name in instruction.modifiers if name in TO_INTEGER), None)
        value = code.compute("float", (value,), intrinsic(TO_INTEGER[whole])) if whole else value
        value = code.compute("float", (value,), _narrowed(to, rounding), to="i16")
    elif to == "f64":
        value = code.compute("float", (value,), _to_double, to="double")
    elif to not in REALS:
        value = real_to_integer(code, instruction, value, to)
    result(code, instruction, value)


def _narrowed(to: str, rounding: str) -> Make:
    return lambda emitter, kind, names: narrow(emitter, kind, names[0], to, rounding)


def _to_double(emitter: Emitter, kind: Kind, names: Sequence[str]) -> str:
    return emitter.pure(f"fpext {kind} {names[0]} to {kind.of('double')}")


def _to_half(code: Code, instruction: Instruction, source: str, to: str, rounding: str) -> None:
    """From a double or an integer through a float that is rounded to odd, so that nothing is rounded twice."""
    value = code.read(instruction.operands[1], source)
    if source != "f32":
        letter = "s" if is_signed(source) else "u"

        def make(emitter: Emitter, kind: Kind, names: Sequence[str]) -> str:
            wide, name = kind.of("double"), names[0]
            if source != "f64":
                name = emitter.pure(f"{letter}itofp {kind} {name} to {wide}")
            return _odd_float(emitter, wide, name)

        value = code.compute(element_of(source), (value,), make, to="float")
    if "relu" in instruction.modifiers or "sat" in instruction.modifiers:
        raise code.unsupported()
    result(code, instruction, code.compute("float", (value,), _narrowed(to, rounding), to="i16"))


def _odd_float(emitter: Emitter, kind: Kind, name: str) -> str:
    """Return a double as a float, rounded to odd."""
    single, whole = kind.of("float"), kind.of("i32")
    nearest = emitter.pure(f"fptrunc {kind} {name} to {single}")
    back = emitter.pure(f"fpext {single} {nearest} to {kind}")
    pattern = emitter.pure(f"bitcast {single} {nearest} to {whole}")
    size, exact = (intrinsic("fabs")(emitter, kind, (item,)) for item in (back, name))
    above = emitter.pure(f"sext {kind.of('i1')} {emitter.pure(f'fcmp ogt {kind} {size}, {exact}')} to {whole}")
    inexact = emitter.pure(f"zext {kind.of('i1')} {emitter.pure(f'fcmp one {kind} {back}, {name}')} to {whole}")
    truncated = emitter.pure(f"add {whole} {pattern}, {above}")
    return emitter.pure(f"bitcast {whole} {emitter.pure(f'or {whole} {truncated}, {inexact}')} to {single}")
