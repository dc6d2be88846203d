"""Rounding towards zero or to one side, and sums without a second rounding.

S. Boldo and G. Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd",
2008: a sum that is rounded to odd first is rounded correctly by any second, shorter rounding.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import BITS, Emitter
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.operations import Make
from grader.ptxsim.generate.values import LaneType
from grader.ptxsim.syntax.records import Instruction

_MODES = {"rz": 0, "rp": 2, "rm": 3}  # as llvm.set.rounding counts them
_OPERATIONS = {"add": "fadd", "sub": "fsub", "mul": "fmul", "fma": "fma", "mad": "fma", "div": "fdiv", "sqrt": "sqrt"}


def odd_sum(emitter: Emitter, kind: LaneType, first: str, second: str) -> str:
    """Return a sum, rounded to odd: where it is not exact, the last bit is one."""
    total = emitter.pure(f"fadd {kind} {first}, {second}")
    back = emitter.pure(f"fsub {kind} {total}, {first}")
    rest = emitter.pure(f"fsub {kind} {total}, {back}")
    error = emitter.pure(
        f"fadd {kind} {emitter.pure(f'fsub {kind} {first}, {rest}')}, {emitter.pure(f'fsub {kind} {second}, {back}')}"
    )
    whole = kind.of(f"i{BITS[kind.element]}")
    pattern = emitter.pure(f"bitcast {kind} {total} to {whole}")
    lost = emitter.pure(f"fcmp one {kind} {error}, {kind.number('0.0')}")
    even = emitter.pure(
        f"icmp eq {whole} {emitter.pure(f'and {whole} {pattern}, {whole.number(1)}')}, {whole.number(0)}"
    )
    wrong = emitter.pure(f"and {kind.of('i1')} {lost}, {even}")
    of_error = emitter.pure(f"bitcast {kind} {error} to {whole}")
    signs = emitter.pure(f"xor {whole} {pattern}, {of_error}")
    apart = emitter.pure(f"icmp slt {whole} {signs}, {whole.number(0)}")
    step = emitter.pure(f"select {kind.of('i1')} {apart}, {whole} {whole.number(-1)}, {whole} {whole.number(1)}")
    moved = emitter.pure(f"add {whole} {pattern}, {step}")
    bits = emitter.pure(f"select {kind.of('i1')} {wrong}, {whole} {moved}, {whole} {pattern}")
    return emitter.pure(f"bitcast {whole} {bits} to {kind}")


def odd_float(emitter: Emitter, kind: LaneType, name: str) -> str:
    """Return a double as a float, rounded to odd."""
    single, whole = kind.of("float"), kind.of("i32")
    nearest = emitter.pure(f"fptrunc {kind} {name} to {single}")
    back = emitter.pure(f"fpext {single} {nearest} to {kind}")
    pattern = emitter.pure(f"bitcast {single} {nearest} to {whole}")
    size, exact = (emitter.call(str(kind), f"llvm.fabs.{kind.suffix}", [(str(kind), item)]) for item in (back, name))
    above = emitter.pure(f"sext {kind.of('i1')} {emitter.pure(f'fcmp ogt {kind} {size}, {exact}')} to {whole}")
    inexact = emitter.pure(f"zext {kind.of('i1')} {emitter.pure(f'fcmp one {kind} {back}, {name}')} to {whole}")
    truncated = emitter.pure(f"add {whole} {pattern}, {above}")
    return emitter.pure(f"bitcast {whole} {emitter.pure(f'or {whole} {truncated}, {inexact}')} to {single}")


def rounding_of(instruction: Instruction) -> str:
    """Return how an instruction rounds: "rz", "rm" or "rp", or "rn" for to nearest."""
    return next((name for name in instruction.modifiers if name in _MODES), "rn")


def directed(code: Code, instruction: Instruction) -> Make | None:
    """Return the maker of an operation that is rounded to one side; None if there is none."""
    rounding = rounding_of(instruction)
    if instruction.opcode == "rcp":
        divide = in_mode(code, "fdiv", rounding)
        return lambda emitter, kind, names: divide(emitter, kind, (kind.number("1.0"), *names))
    operation = _OPERATIONS.get(instruction.opcode)
    return in_mode(code, operation, rounding) if operation else None


def in_mode(code: Code, operation: str, rounding: str, to: str = "") -> Make:
    """Return the maker of an operation of LLVM that the processor carries out in another rounding mode.

    Only a function of its own may change the mode: LLVM takes for granted that all others round to nearest. `to` is
    the type of the result, if it differs from that of the sources.
    """

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        target = kind.of(to) if to else kind
        name = f"{operation}_{rounding}_{target.suffix}_{kind.suffix}"
        arguments = ", ".join(f"{kind} %s{number}" for number in range(len(names)))
        intrinsic = f"@llvm.experimental.constrained.{operation}.{target.suffix}{f'.{kind.suffix}' if to else ''}"
        emitter.declare("void", "llvm.set.rounding", ["i32"])
        emitter.declare(str(target), intrinsic[1:], [str(kind)] * len(names) + ["metadata", "metadata"])
        code.globals.functions[name] = ir_text(
            "rounding", name=name, type=str(target), mode=_MODES[rounding], intrinsic=intrinsic, arguments=arguments
        )
        values = ", ".join(f"{kind} {value}" for value in names)
        return emitter.pure(f"call {target} @{name}({values})")

    return make


def shortened(emitter: Emitter, kind: LaneType, exact: str, nearest: str, rounding: str) -> str:
    """Return the half that a rounding to one side gives, from the one that rounding a float to nearest gave."""
    short, whole, truth = kind.of("half"), kind.of("i16"), kind.of("i1")
    back = emitter.pure(f"fpext {short} {nearest} to {kind}")
    pattern = emitter.pure(f"bitcast {short} {nearest} to {whole}")
    sign = emitter.pure(f"ashr {whole} {pattern}, {whole.number(15)}")
    away = emitter.pure(f"or {whole} {sign}, {whole.number(1)}")  # 1, or -1 for a negative number: towards infinity
    if rounding == "rz":
        sizes = [emitter.call(str(kind), f"llvm.fabs.{kind.suffix}", [(str(kind), name)]) for name in (back, exact)]
        step, wrong = whole.number(-1), emitter.pure(f"fcmp ogt {kind} {sizes[0]}, {sizes[1]}")
    elif rounding == "rp":
        step, wrong = away, emitter.pure(f"fcmp olt {kind} {back}, {exact}")
    else:
        step = emitter.pure(f"sub {whole} {whole.number(0)}, {away}")
        wrong = emitter.pure(f"fcmp ogt {kind} {back}, {exact}")
    moved = emitter.pure(f"add {whole} {pattern}, {step}")
    bits = emitter.pure(f"select {truth} {wrong}, {whole} {moved}, {whole} {pattern}")
    return emitter.pure(f"bitcast {whole} {bits} to {short}")
