"""Which instructions compute with numbers of 16 bits, and which are those of tensor cores. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from grader.ptxsim.analysis.graph import Graph
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.syntax.records import Instruction, Integer, Operand, Real, Register, types_of

ARITHMETIC = frozenset({"fma", "mad", "mul", "add", "sub"})
_PAIRS = frozenset({"f16x2", "bf16x2"})
HALVES = _PAIRS | {"f16", "bf16"}
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")


def is_half(instruction: Instruction) -> bool:
    """Whether it is a multiply-add of numbers of 16 bits, alone or in pairs."""
    return instruction.opcode in ARITHMETIC and bool(HALVES & set(types_of(instruction)))


def is_pair(instruction: Instruction) -> bool:
    """Whether it is a multiply-add of two numbers of 16 bits at a time."""
    return instruction.opcode in ARITHMETIC and bool(_PAIRS & set(types_of(instruction)))


def fused(instructions: Sequence[Instruction]) -> list[Instruction]:
    """Return the multiplications of halves that the assembler makes one instruction of with the addition of the result.

    nvcc leaves `a * b + c` on halves as two instructions of PTX. Those with a rounding stay apart.
    """
    uses = Counter(operand for instruction in instructions for operand in instruction.operands[1:])
    free = [instruction for instruction in instructions if is_half(instruction) and "rn" not in instruction.modifiers]
    added = {
        operand
        for instruction in free
        if instruction.opcode in {"add", "sub"}
        for operand in instruction.operands[1:]
        if uses[operand] == 1
    }
    return [instruction for instruction in free if instruction.opcode == "mul" and instruction.operands[0] in added]


def pairs(instructions: Sequence[Instruction]) -> int:
    """Return the multiply-adds of two numbers of 16 bits at a time that the assembler makes of some instructions."""
    return sum(map(is_pair, instructions)) - sum(map(is_pair, fused(instructions)))


def is_half_conversion(instruction: Instruction) -> bool:
    """Whether it converts numbers of 16 bits to float32 or back."""
    types = set(types_of(instruction))
    return instruction.opcode == "cvt" and "f32" in types and bool(HALVES & types)


def half_conversions(instructions: Iterable[Instruction], constants: Collection[str]) -> int:
    """Return the conversions that the assembler makes of some: each register once, and none of a constant."""
    return len({
        (instruction.modifiers, instruction.operands[1])
        for instruction in instructions
        if is_half_conversion(instruction) and not _is_constant(instruction.operands[1], constants)
    })  # fmt: skip


def constants(graph: Graph) -> frozenset[str]:
    """Return the registers that hold a number of the program's text."""
    set_by: dict[str, bool] = {}
    for block in graph.blocks:
        for instruction in block.instructions:
            target, *sources = instruction.operands or (None,)
            if isinstance(target, Register):
                is_number = instruction.opcode == "mov" and isinstance(sources[0], Integer | Real)
                set_by[target.name] = is_number and set_by.get(target.name, True)
    return frozenset(name for name, is_number in set_by.items() if is_number)


def _is_constant(operand: Operand, constants: Collection[str]) -> bool:
    return not isinstance(operand, Register) or operand.name in constants


def tensor_products(instruction: Instruction) -> int:
    """Return the products of elements that tensor cores compute for each lane of the warp; 0 for other instructions."""
    if instruction.opcode != "mma" and (instruction.opcode != "wmma" or "mma" not in instruction.modifiers):
        return 0
    shape = next((found for word in instruction.modifiers if (found := _SHAPE.fullmatch(word))), None)
    return math.prod(map(int, shape.groups())) // LANES if shape else 0


def is_tensor(instruction: Instruction) -> bool:
    """Whether tensor cores carry it out."""
    return bool(tensor_products(instruction))


def has_short_numbers(graph: Graph) -> bool:
    """Whether a kernel computes with numbers of 16 bits or on tensor cores."""
    every = (instruction for block in graph.blocks for instruction in block.instructions)
    return any(instruction.opcode in {"wmma", "mma"} or HALVES & set(types_of(instruction)) for instruction in every)
