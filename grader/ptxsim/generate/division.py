"""div and rem of integers (PTX ISA, "Integer Arithmetic Instructions: div").

The results for a divisor of zero are not specified. Here, quotient and remainder are all ones, as on an H200.
"""

from __future__ import annotations

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import element_of
from grader.ptxsim.generate.operations import Formula, Writer, compute, is_number, result, simple, sources
from grader.ptxsim.syntax.records import WIDTHS, Instruction, is_signed, types_of


def divide(code: Code, instruction: Instruction) -> None:
    """div, rem."""
    type_ = types_of(instruction)[-1]
    signed, width = is_signed(type_), WIDTHS[type_]
    values = sources(code, instruction, type_)
    known = is_number(values[1]) and values[1].bases[0].added & ((1 << width) - 1) not in {0, (1 << width) - 1}
    if known:
        quotient = simple("sdiv" if signed else "udiv")
    else:
        quotient = _through_reals(signed=signed) if width <= 32 else _in_integers(signed=signed)
    formula = quotient if instruction.opcode == "div" else _remainder(quotient)
    result(code, instruction, compute(code, element_of(type_), values, formula))


def _through_reals(*, signed: bool) -> Formula:
    """Divide in double precision. This is exact: a fractional quotient of 32-bit numbers never rounds to an integer."""
    letter = "s" if signed else "u"

    def formula(w: Writer, a: str, b: str) -> str:
        wide = w.of("double")
        ratio = wide.op("fdiv", *(w.cast(f"{letter}itofp", name, "double") for name in (a, b)))
        return _exceptions(w, a, b, wide.cast(f"fpto{letter}i", ratio, w.kind.element), signed=signed)

    return formula


def _in_integers(*, signed: bool) -> Formula:
    def formula(w: Writer, a: str, b: str) -> str:
        special = w.op("icmp ule", w.op("add", b, 1), 1)
        quotient = w.op("sdiv" if signed else "udiv", a, w.choose(special, 1, b))
        if not signed:
            is_top = w.of("i1").cast("zext", w.op("icmp eq", a, -1), w.kind.element)
            quotient = w.choose(w.op("icmp eq", b, -1), is_top, quotient)
        return _exceptions(w, a, b, quotient, signed=signed)

    return formula


def _exceptions(w: Writer, a: str, b: str, quotient: str, *, signed: bool) -> str:
    if signed:  # the smallest number divided by -1 is itself again
        quotient = w.choose(w.op("icmp eq", b, -1), w.op("sub", 0, a), quotient)
    return w.choose(w.op("icmp eq", b, 0), -1, quotient)


def _remainder(quotient: Formula) -> Formula:
    def formula(w: Writer, a: str, b: str) -> str:
        rest = w.op("sub", a, w.op("mul", quotient(w, a, b), b))
        return w.choose(w.op("icmp eq", b, 0), -1, rest)

    return formula
