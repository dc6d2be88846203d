"""cvt from and to 16-bit floating-point numbers and tf32 (PTX ISA, "cvt")."""

from __future__ import annotations

from collections.abc import Sequence

from grader.worker.simulator.generate.code import Code
from grader.worker.simulator.generate.conversions import TO_INTEGER, real_to_integer
from grader.worker.simulator.generate.emitter import Emitter, element_of
from grader.worker.simulator.generate.halves import as_reals, narrow
from grader.worker.simulator.generate.integers import intrinsic, result
from grader.worker.simulator.generate.operands import read
from grader.worker.simulator.generate.operations import Make, compute
from grader.worker.simulator.generate.values import LaneType
from grader.worker.simulator.syntax.records import Instruction
from grader.worker.simulator.syntax.types import REALS, is_signed, types_of


def convert(code: Code, instruction: Instruction) -> None:
    """Translate cvt to and from numbers of 16 bits, and to tf32."""
    kinds = types_of(instruction)
    to, source = kinds[0], kinds[-1]
    rounding = next((name for name in ("rz", "rm", "rp") if name in instruction.modifiers), "rn")
    if to == "tf32":
        value = read(code, instruction.operands[1], "f32")
        result(code, instruction, compute(code, "float", (value,), _to_tf32(instruction), to="i32"))
    elif to.endswith("x2"):
        _pack(code, instruction, to, rounding)
    elif source in {"f16", "bf16"}:
        _from_half(code, instruction, source, to, rounding)
    else:
        _to_half(code, instruction, source, to, rounding)


def _to_tf32(instruction: Instruction) -> Make:
    away = "rna" in instruction.modifiers

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
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
    values = [read(code, operand, "f32") for operand in instruction.operands[1:3]]

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        wide = kind.of("i32")
        parts = []
        for name in names:
            positive = intrinsic("maximumnum")(emitter, kind, (name, kind.number("0.0")))
            chosen = positive if "relu" in instruction.modifiers else name
            short = narrow(emitter, kind, chosen, to, rounding)
            parts.append(emitter.pure(f"zext {kind.of('i16')} {short} to {wide}"))
        upper = emitter.pure(f"shl {wide} {parts[0]}, {wide.number(16)}")
        return emitter.pure(f"or {wide} {upper}, {parts[1]}")

    result(code, instruction, compute(code, "float", values, make, to="i32"))


def _from_half(code: Code, instruction: Instruction, source: str, to: str, rounding: str) -> None:
    value = as_reals(code, read(code, instruction.operands[1], source), source)
    if to in {"f16", "bf16"}:
        whole = next((name for name in instruction.modifiers if name in TO_INTEGER), None)
        value = compute(code, "float", (value,), intrinsic(TO_INTEGER[whole])) if whole else value
        value = compute(code, "float", (value,), _narrowed(to, rounding), to="i16")
    elif to == "f64":
        value = compute(code, "float", (value,), _to_double, to="double")
    elif to not in REALS:
        value = real_to_integer(code, instruction, value, to)
    result(code, instruction, value)


def _narrowed(to: str, rounding: str) -> Make:
    return lambda emitter, kind, names: narrow(emitter, kind, names[0], to, rounding)


def _to_double(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
    return emitter.pure(f"fpext {kind} {names[0]} to {kind.of('double')}")


def _to_half(code: Code, instruction: Instruction, source: str, to: str, rounding: str) -> None:
    """From a double or an integer through a float that is rounded to odd, so that nothing is rounded twice."""
    value = read(code, instruction.operands[1], source)
    if source != "f32":
        letter = "s" if is_signed(source) else "u"

        def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
            wide, name = kind.of("double"), names[0]
            if source != "f64":
                name = emitter.pure(f"{letter}itofp {kind} {name} to {wide}")
            return _odd_float(emitter, wide, name)

        value = compute(code, element_of(source), (value,), make, to="float")
    if "relu" in instruction.modifiers or "sat" in instruction.modifiers:
        raise code.unsupported()
    result(code, instruction, compute(code, "float", (value,), _narrowed(to, rounding), to="i16"))


def _odd_float(emitter: Emitter, kind: LaneType, name: str) -> str:
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
