"""shl, shr (PTX ISA, "Logic and Shift Instructions")."""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import BITS, Emitter, element_of
from grader.ptxsim.generate.integers import is_number, result, simple
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import Make, compute
from grader.ptxsim.generate.values import LaneType, as_element, integer
from grader.ptxsim.syntax.records import Instruction
from grader.ptxsim.syntax.types import WIDTHS, is_signed, types_of


def shift(code: Code, instruction: Instruction) -> None:
    """shl, shr: an amount larger than the width counts as the width."""
    type_ = types_of(instruction)[-1]
    element, width = element_of(type_), WIDTHS[type_]
    value = read(code, instruction.operands[1], type_)
    amount = read(code, instruction.operands[2], "u32")
    left = instruction.opcode == "shl"
    text = "shl" if left else "ashr" if is_signed(type_) else "lshr"
    if is_number(amount):
        number = amount.bases[0].added & 0xFFFFFFFF
        if number < width or text == "ashr":
            limited = integer(element, min(number, width - 1))
            result(code, instruction, compute(code, element, (value, limited), simple(text)))
        else:
            result(code, instruction, integer(element, 0))
        return
    amount = compute(code, "i32", (amount,), _at_most(width))
    result(
        code, instruction, compute(code, element, (value, as_element(code.emitter, amount, element)), _shifted(text))
    )


def _at_most(limit: int) -> Make:
    """Return the operation that limits a number from above."""

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        return emitter.call(
            str(kind), f"llvm.umin.{kind.suffix}", [(str(kind), names[0]), (str(kind), kind.number(limit))]
        )

    return make


def _shifted(text: str) -> Make:
    """Return the operation that shifts by an amount of any size; LLVM leaves amounts from the width on undefined."""

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        width = BITS[kind.element]
        limited = emitter.call(
            str(kind), f"llvm.umin.{kind.suffix}", [(str(kind), names[1]), (str(kind), kind.number(width - 1))]
        )
        moved = emitter.pure(f"{text} {kind} {names[0]}, {limited}")
        if text == "ashr":
            return moved
        small = emitter.pure(f"icmp ult {kind} {names[1]}, {kind.number(width)}")
        return emitter.pure(f"select {kind.of('i1')} {small}, {kind} {moved}, {kind} {kind.number(0)}")

    return make
