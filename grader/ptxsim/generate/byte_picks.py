"""Selects bytes of words, or multiplies them and adds the products (PTX ISA, "prmt", "dp4a", "dp2a")."""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import Emitter
from grader.ptxsim.generate.integers import result
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.operations import compute
from grader.ptxsim.generate.values import LaneType
from grader.ptxsim.generate.video import part
from grader.ptxsim.generate.writer import Writer
from grader.ptxsim.syntax.records import Instruction
from grader.ptxsim.syntax.types import is_signed, types_of

# The bytes that each mode picks for the lowest two bits of its third operand (PTX ISA, "prmt").
_MODES = {
    "f4e": (0x3210, 0x4321, 0x5432, 0x6543),
    "b4e": (0x5670, 0x6701, 0x7012, 0x0123),
    "rc8": (0x0000, 0x1111, 0x2222, 0x3333),
    "ecl": (0x3210, 0x3211, 0x3222, 0x3333),
    "ecr": (0x0000, 0x1110, 0x2210, 0x3210),
    "rc16": (0x1010, 0x3232, 0x1010, 0x3232),
}


def permute(code: Code, instruction: Instruction) -> None:
    """prmt: four bytes picked out of eight, or their signs."""
    values = [read(code, operand, "b32") for operand in instruction.operands[1:4]]
    picks = next((_MODES[word] for word in instruction.modifiers if word in _MODES), None)

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        w, word = Writer(emitter, kind), ""
        selector = _chosen(w, picks, w.op("and", names[2], 3)) if picks else names[2]
        for byte in range(4):
            nibble = w.op("lshr", selector, 4 * byte) if byte else selector
            within = w.op("shl", w.op("and", nibble, 3), 3)
            upper = w.op("icmp ne", w.op("and", nibble, 4), 0)
            picked = w.op("and", w.op("lshr", w.choose(upper, names[1], names[0]), within), 255)
            sign = w.op("mul", w.op("lshr", picked, 7), 255)
            picked = w.choose(w.op("icmp ne", w.op("and", nibble, 8), 0), sign, picked)
            moved = w.op("shl", picked, 8 * byte) if byte else picked
            word = w.op("or", word, moved) if word else moved
        return word

    result(code, instruction, compute(code, "i32", values, make))


def _chosen(w: Writer, picks: Sequence[int], number: str) -> str:
    chosen = w.kind.number(picks[-1])
    for place, pick in enumerate(picks[:-1]):
        chosen = w.choose(w.op("icmp eq", number, place), pick, chosen)
    return chosen


def dot_product(code: Code, instruction: Instruction) -> None:
    """dp4a, dp2a: products of bytes added up."""
    kinds = types_of(instruction)
    pairs = [read(code, operand, "b32") for operand in instruction.operands[1:4]]
    four, high = instruction.opcode == "dp4a", "hi" in instruction.modifiers

    def make(emitter: Emitter, kind: LaneType, names: Sequence[str]) -> str:
        w, total = Writer(emitter, kind), names[2]
        for place in range(4 if four else 2):
            a = part(w, names[0], place, 8 if four else 16, signed=is_signed(kinds[-2]))
            b = part(w, names[1], place if four else place + 2 * high, 8, signed=is_signed(kinds[-1]))
            total = w.op("add", total, w.op("mul", a, b))
        return total

    result(code, instruction, compute(code, "i32", pairs, make))
