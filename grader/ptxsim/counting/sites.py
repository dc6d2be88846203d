"""The instructions of a kernel by their place in its control flow: what each is, and the loops they are in. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from grader.ptxsim.analysis.graph import Graph
from grader.ptxsim.analysis.order import order
from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.fragments import shape
from grader.ptxsim.records.fields import AccessKind
from grader.ptxsim.syntax.records import WIDTHS, Instruction, Integer, Operand, Real, Register, is_integer, types_of

_ARITHMETIC = frozenset({"fma", "mad", "mul", "add", "sub"})
_PAIRS = frozenset({"f16x2", "bf16x2"})
_HALVES = _PAIRS | {"f16", "bf16"}
_REAL = _HALVES | {"f32"}
_OF_FRAGMENTS = frozenset({"wmma", "ldmatrix", "stmatrix"})
_FREE = frozenset({"mov", "cvta", "ld.param"})  # that the assembler removes or folds into others


@dataclass(frozen=True, slots=True)
class CodeSite:
    """An instruction: the basic block it is in, and its number there."""

    block: int
    number: int


@dataclass(frozen=True, slots=True)
class LoopBlocks:
    """A loop: its header and its blocks."""

    header: int
    blocks: frozenset[int]


def access_kind(instruction: Instruction) -> AccessKind | None:
    """Return what an instruction does to global or shared memory; None for one that does nothing to it."""
    if instruction.opcode in {"atom", "red"}:
        return "atomic"
    if instruction.opcode == "cp":
        return "copy"
    if instruction.opcode in _OF_FRAGMENTS:
        return _fragment_kind(instruction)
    if instruction.opcode in {"ld", "ldu"}:
        return None if {"param", "const", "local"} & set(instruction.modifiers) else "load"
    return "store" if instruction.opcode == "st" and "local" not in instruction.modifiers else None


def _fragment_kind(instruction: Instruction) -> AccessKind | None:
    if instruction.opcode == "ldmatrix" or "load" in instruction.modifiers:
        return "load"
    return "store" if instruction.opcode == "stmatrix" or "store" in instruction.modifiers else None


def is_of_fragment(instruction: Instruction) -> bool:
    """Whether an access is one of a warp to a fragment."""
    return instruction.opcode in _OF_FRAGMENTS


def local_access(instruction: Instruction) -> tuple[AccessKind, int] | None:
    """Return what an instruction does to an array of a thread, and its bytes; None for one that does nothing to it."""
    if instruction.opcode not in {"ld", "st"} or "local" not in instruction.modifiers:
        return None
    items = next((int(word[1:]) for word in instruction.modifiers if word in {"v2", "v4"}), 1)
    return "load" if instruction.opcode == "ld" else "store", items * WIDTHS[types_of(instruction)[-1]] // 8


def is_multiply_add(instruction: Instruction) -> bool:
    """Whether a floating-point unit for single or half precision carries it out."""
    return instruction.opcode in _ARITHMETIC and bool(_REAL & set(types_of(instruction)))


def products(instruction: Instruction) -> int:
    """Return the products of elements that it computes for each lane, in single or half precision."""
    if is_multiply_add(instruction) and instruction.opcode in {"fma", "mad", "mul"}:
        return 2 if _is_pair(instruction) else 1
    return tensor_products(instruction)


def is_double_product(instruction: Instruction) -> bool:
    """Whether it multiplies in double precision."""
    return is_double(instruction) and instruction.opcode in {"fma", "mad", "mul"}


def is_double(instruction: Instruction) -> bool:
    """Whether it computes in double precision or converts from or to it."""
    return instruction.opcode not in {"ld", "st", "mov"} and "f64" in types_of(instruction)


def is_conversion(instruction: Instruction) -> bool:
    """Whether it converts from or to double precision."""
    return instruction.opcode == "cvt" and is_double(instruction)


def computes(instruction: Instruction) -> int:
    """Return how much arithmetic it may do on elements, of floating-point or of integer matrices, for each lane."""
    if is_multiply_add(instruction) or is_double(instruction) or instruction.opcode == "mad":
        return 1
    return tensor_products(instruction)


def is_division(instruction: Instruction) -> bool:
    """Whether it divides integers by a number that the compiler does not know."""
    return instruction.opcode in {"div", "rem"} and all(is_integer(type_) for type_ in types_of(instruction))


def is_issued(instruction: Instruction) -> bool:
    """Whether the assembler makes an instruction of it, as far as PTX shows."""
    return instruction.opcode not in _FREE and "param" not in instruction.modifiers


def loops(graph: Graph) -> list[LoopBlocks]:
    """Return the loops, those with one header as one."""
    found = order(graph)
    return [LoopBlocks(loop.head, frozenset(found.inside(loop))) for loop in found.loops]


def is_integer_arithmetic(instruction: Instruction) -> bool:
    """Whether it computes or compares integers, divisions by a variable aside."""
    types = types_of(instruction)
    if not types or access_kind(instruction) or is_division(instruction) or not is_issued(instruction):
        return False
    return isinstance(instruction.operands[0], Register) and all(map(is_integer, types))


def is_integer_multiply_add(instruction: Instruction) -> bool:
    """Whether it adds the lower 32 bits of a product, as the element of an integer matrix does."""
    return instruction.opcode == "mad" and "lo" in instruction.modifiers and is_integer_arithmetic(instruction)


def is_half(instruction: Instruction) -> bool:
    """Whether it is a multiply-add of numbers of 16 bits, alone or in pairs."""
    return instruction.opcode in _ARITHMETIC and bool(_HALVES & set(types_of(instruction)))


def _is_pair(instruction: Instruction) -> bool:
    """Whether it is a multiply-add of two numbers of 16 bits at a time."""
    return instruction.opcode in _ARITHMETIC and bool(_PAIRS & set(types_of(instruction)))


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
    return sum(map(_is_pair, instructions)) - sum(map(_is_pair, fused(instructions)))


def is_half_conversion(instruction: Instruction) -> bool:
    """Whether it converts numbers of 16 bits to float32 or back."""
    types = set(types_of(instruction))
    return instruction.opcode == "cvt" and "f32" in types and bool(_HALVES & types)


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
    for instruction in graph.instructions:
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
    return math.prod(shape(instruction)) // LANES


def is_tensor(instruction: Instruction) -> bool:
    """Whether tensor cores carry it out."""
    return bool(tensor_products(instruction))


def has_short_numbers(graph: Graph) -> bool:
    """Whether a kernel computes with numbers of 16 bits or on tensor cores."""
    return any(
        instruction.opcode in {"wmma", "mma"} or _HALVES & set(types_of(instruction))
        for instruction in graph.instructions
    )
