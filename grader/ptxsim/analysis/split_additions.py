"""Additions to memory by an atomic load and an atomic store, between which another thread's addition may be lost.

The loaded value must have no other use. If it also decides a branch, is compared or is stored elsewhere, the thread may
wait for it, take turns by it, or hold a lock with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from grader.ptxsim.analysis.graph import Graph, guard_registers
from grader.ptxsim.analysis.registers import has_result, results, sources
from grader.ptxsim.syntax.records import Address, Instruction, Integer, Operand, Real, Register, Symbol

_ADDS = frozenset({"add", "sub", "fma", "mad"})
_COMPUTES = _ADDS | {"mov", "cvt", "mul", "neg"}
_ORDERED = frozenset({"relaxed", "acquire", "release", "mmio"})
_KEEPS = frozenset({"add", "or", "xor"})  # with zero, these atomics do not change the value
_NEGATIVE_ZERO = {1 << 31, 1 << 63}
Root: TypeAlias = tuple[object, ...]  # a register, a variable, or an opcode with the places of its operands
Place: TypeAlias = tuple[Root, int]  # and an offset in bytes
DEEPEST = 6  # nested instructions that are followed
WIDEST = 64  # bits of an address
_SAME = frozenset({"mov", "cvta", "cvt"})  # they keep the value, or convert the address
_PURE = frozenset({"add", "sub", "mul", "mad", "shl", "and", "or"})


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
        names, stores, uses, size = {register.name for register in results(load)}, set[Instruction](), [load], 0
        while size < len(names):
            size = len(names)
            uses = [item for item in self._instructions if any(register.name in names for register in sources(item))]
            stores = {item for item in uses if self._is_store(item, names, self._place(load))}
            computed = [item for item in uses if item not in stores]
            if any(item.opcode not in _COMPUTES or not has_result(item) for item in computed):
                return set()
            names |= {register.name for item in computed for register in results(item)}
        adds = any(item.opcode in _ADDS for item in uses)
        return stores if adds and not names & self._decisive else set()

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
    """Return the value that an atomic store or an exchange writes; None for another instruction."""
    modifiers = set(instruction.modifiers)
    if instruction.opcode == "st" and _ORDERED & modifiers:
        return instruction.operands[1]
    return instruction.operands[2] if instruction.opcode == "atom" and "exch" in modifiers else None


class Places:
    """The places of the addresses of a function."""

    def __init__(self, instructions: Iterable[Instruction]) -> None:
        self._writers: dict[str, list[Instruction]] = {}
        for instruction in instructions:
            for register in results(instruction):
                self._writers.setdefault(register.name, []).append(instruction)

    def of(self, address: Address) -> Place:
        """Return the place of an address. Equal places are the same memory; different ones may be too."""
        root, offset = self._operand(address.base, DEEPEST) if address.base else ((), 0)
        return root, offset + address.offset

    def _operand(self, operand: Operand, depth: int) -> Place:
        match operand:
            case Integer(value):
                return (), value
            case Symbol(name, offset):
                return ("symbol", name), offset
            case Register(name):
                return self._register(name, depth)
            case _:
                return ("operand", operand), 0

    def _register(self, name: str, depth: int) -> Place:
        writers = self._writers.get(name, [])
        if len(writers) != 1 or writers[0].guard or depth == 0:
            return ("register", name), 0
        opcode, read = writers[0].opcode, writers[0].operands[1:]
        if opcode in _SAME and len(read) == 1:
            return self._operand(read[0], depth - 1)
        if opcode == "add" and len(read) == 2 and isinstance(read[1], Integer):
            root, offset = self._operand(read[0], depth - 1)
            return root, offset + read[1].value
        match opcode, read:
            case "shl", (shifted, Integer(bits)) if 0 <= bits < WIDEST:  # NVRTC writes one address in both ways
                opcode, read = "mul", (shifted, Integer(1 << bits))
        if opcode in _PURE:
            return (opcode, *(self._operand(operand, depth - 1) for operand in read)), 0
        return ("register", name), 0
