"""Additions to memory by an atomic load and an atomic store, between which another thread's addition may be lost.

The loaded value must have no other use. If it also decides a branch, is compared or is stored elsewhere, the thread may
wait for it, take turns by it, or hold a lock with it. A compare-and-swap whose result nothing uses counts as a store.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from grader.ptxsim.analysis.graph import Graph, guard_registers
from grader.ptxsim.analysis.places import Place, Places
from grader.ptxsim.analysis.registers import has_result, results, sources
from grader.ptxsim.analysis.speculative_loads import SPECULATIVE
from grader.ptxsim.syntax.records import Address, Instruction, Integer, Operand, Real, Register

_ADDS = frozenset({"add", "sub", "fma", "mad"})
_COMPUTES = _ADDS | {"mov", "cvt", "mul", "neg"}
_ORDERED = frozenset({"relaxed", "acquire", "release", "mmio", SPECULATIVE})
_KEEPS = frozenset({"add", "or", "xor"})  # with zero, these atomics do not change the value
_NEGATIVE_ZERO = {1 << 31, 1 << 63}


@dataclass(frozen=True, slots=True)
class SplitAdditions:
    """The loads and the stores of such additions."""

    loads: frozenset[Instruction] = frozenset()
    stores: frozenset[Instruction] = frozenset()


def split_additions(graph: Graph) -> SplitAdditions:
    """Return the additions of a function that consist of an atomic load and an atomic store."""
    instructions = [instruction for block in graph.blocks for instruction in block.instructions]
    loads = [instruction for instruction in instructions if _loads(instruction)]
    if not loads:
        return SplitAdditions()
    flow = _Flow(graph, instructions)
    additions = {load: flow.stores_of(load) for load in loads}
    return SplitAdditions(
        frozenset(load for load, stores in additions.items() if stores),
        frozenset(store for stores in additions.values() for store in stores),
    )


class _Flow:
    """The uses of registers' values."""

    def __init__(self, graph: Graph, instructions: Sequence[Instruction]) -> None:
        self._instructions, self._places = instructions, Places(instructions)
        self._decisive = {register.name for block in graph.blocks for register in guard_registers(block)}
        used = {register.name for instruction in instructions for register in sources(instruction)}
        self._stores = [
            instruction
            for instruction in instructions
            if _stored(instruction) and not any(register.name in used for register in results(instruction))
        ]

    def stores_of(self, load: Instruction) -> set[Instruction]:
        """Return the stores of sums with a loaded value to its own place; none if the value has another use."""
        names, uses, size = {register.name for register in results(load)}, [load], 0
        while size < len(names):
            size = len(names)
            uses = [item for item in self._instructions if any(register.name in names for register in sources(item))]
            names |= {register.name for item in uses if item.opcode in _COMPUTES for register in results(item)}
        stores = {item for item in uses if self._is_store(item, names, self._place(load))}
        others = [item for item in uses if item not in stores]
        adds = any(item.opcode in _ADDS for item in uses) and not names & self._decisive
        return stores if adds and all(item.opcode in _COMPUTES and has_result(item) for item in others) else set()

    def _is_store(self, instruction: Instruction, names: Set[str], place: Place) -> bool:
        value = _stored(instruction) if instruction in self._stores else None
        return isinstance(value, Register) and value.name in names and self._place(instruction) == place

    def _place(self, instruction: Instruction) -> Place:
        address = instruction.operands[0 if instruction.opcode == "st" else 1]
        return self._places.of(address if isinstance(address, Address) else Address(None, 0))


def _loads(instruction: Instruction) -> bool:
    """Whether an instruction is an atomic load, or an atomic that returns the value without changing it."""
    if instruction.opcode == "ld":
        return bool(_ORDERED & set(instruction.modifiers))
    keeps = instruction.opcode == "atom" and bool(_KEEPS & set(instruction.modifiers))
    return keeps and _is_zero(instruction.operands[2])


def _is_zero(operand: Operand) -> bool:
    return operand == Integer(0) or (isinstance(operand, Real) and operand.bits in {0, *_NEGATIVE_ZERO})


def _stored(instruction: Instruction) -> Operand | None:
    """Return the value that an atomic store, an exchange or a swap writes; None for another instruction."""
    modifiers = set(instruction.modifiers)
    if instruction.opcode == "st" and _ORDERED & modifiers:
        return instruction.operands[1]
    if instruction.opcode == "atom" and "cas" in modifiers:
        return instruction.operands[3]
    return instruction.operands[2] if instruction.opcode == "atom" and "exch" in modifiers else None
