"""div and rem of integers (PTX ISA, "Integer Arithmetic Instructions: div").

The results for a divisor of zero are not specified. Here, quotient and remainder are all ones, as on an H200.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import Emitter, element_of
from grader.ptxsim.generate.integers import is_number, result, sources
from grader.ptxsim.generate.operations import Make, compute
from grader.ptxsim.generate.values import LaneType
from grader.ptxsim.syntax.records import Instruction
from grader.ptxsim.syntax.types import WIDTHS, is_signed, types_of


def divide(code: Code, instruction: Instruction) -> None:
    """div, rem."""
    type_ = types_of(instruction)[-1]
    signed, width = is_signed(type_), WIDTHS[type_]
    values = sources(code, instruction, type_)
    known = is_number(values[1]) and values[1].bases[0].added & ((1 << width) - 1) not in {0, (1 << width) - 1}
    if known:
        quotient: Make = _by_number(signed=signed)
    else:
        quotient = _through_reals(signed=signed) if width <= 32 else _in_integers(signed=signed)
    make = quotient if instruction.opcode == "div" else _remainder(quotient)
    result(code, instruction, compute(code, element_of(type_), values, make))


def _by_number(*, signed: bool) -> Make:
    text = "sdiv" if signed else "udiv"
    return lambda emitter, kind, names: emitter.pure(f"{text} {kind} {names[0]}, {names[1]}")


def _through_reals(*, signed: bool) -> Make:
    """Divide in double precision. This is exact: a fractional quotient of 32-bit numbers never rounds to an integer."""
    letter = "s" if signed else "u"

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        wide = kind.of("double")
        parts = [emitter.pure(f"{letter}itofp {kind} {name} to {wide}") for name in names]
        ratio = emitter.pure(f"fdiv {wide} {parts[0]}, {parts[1]}")
        quotient = emitter.pure(f"fpto{letter}i {wide} {ratio} to {kind}")
        return _exceptions(emitter, kind, names, quotient, signed=signed)

    return make


def _in_integers(*, signed: bool) -> Make:
    text = "sdiv" if signed else "udiv"

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        harmless = emitter.pure(f"add {kind} {names[1]}, {kind.number(1)}")
        special = emitter.pure(f"icmp ule {kind} {harmless}, {kind.number(1)}")
        divisor = emitter.pure(f"select {kind.of('i1')} {special}, {kind} {kind.number(1)}, {kind} {names[1]}")
        quotient = emitter.pure(f"{text} {kind} {names[0]}, {divisor}")
        if not signed:
            top = emitter.pure(f"icmp eq {kind} {names[0]}, {kind.number(-1)}")
            is_top = emitter.pure(f"zext {kind.of('i1')} {top} to {kind}")
            by_top = emitter.pure(f"icmp eq {kind} {names[1]}, {kind.number(-1)}")
            quotient = emitter.pure(f"select {kind.of('i1')} {by_top}, {kind} {is_top}, {kind} {quotient}")
        return _exceptions(emitter, kind, names, quotient, signed=signed)

    return make


def _exceptions(emitter: Emitter, kind: LaneType, names: Sequence[str], quotient: str, *, signed: bool) -> str:
    truth = kind.of("i1")
    if signed:  # the smallest number divided by -1 is itself again
        minus = emitter.pure(f"icmp eq {kind} {names[1]}, {kind.number(-1)}")
        opposite = emitter.pure(f"sub {kind} {kind.number(0)}, {names[0]}")
        quotient = emitter.pure(f"select {truth} {minus}, {kind} {opposite}, {kind} {quotient}")
    zero = emitter.pure(f"icmp eq {kind} {names[1]}, {kind.number(0)}")
    return emitter.pure(f"select {truth} {zero}, {kind} {kind.number(-1)}, {kind} {quotient}")


def _remainder(quotient: Make) -> Make:
    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        ratio = quotient(emitter, kind, names)
        product = emitter.pure(f"mul {kind} {ratio}, {names[1]}")
        rest = emitter.pure(f"sub {kind} {names[0]}, {product}")
        zero = emitter.pure(f"icmp eq {kind} {names[1]}, {kind.number(0)}")
        return emitter.pure(f"select {kind.of('i1')} {zero}, {kind} {kind.number(-1)}, {kind} {rest}")

    return make
