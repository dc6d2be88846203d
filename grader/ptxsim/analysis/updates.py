"""Updates of memory in several instructions: loads for a compare-and-swap, and additions by a load and a store.

Plain loads that speculate on the old value for a compare-and-swap, which fails if the value was wrong, race with the
atomics of other threads, which is harmless: the CUDA C++ Programming Guide ("Atomic Functions") uses one in its
addition of doubles. They count as atomic loads if the value is used only to compute the operands of atom.cas on the
same location, and to decide whether atom.cas is needed.

Between an atomic load and an atomic store, another thread's addition may be lost. The loaded value must have no other
use: if it also decides a branch, is compared or is stored elsewhere, the thread may wait for it, take turns by it, or
hold a lock with it. A compare-and-swap whose result nothing uses counts as a store.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeAlias

from grader.ptxsim.analysis.graph import Graph, build, guard_registers, reached
from grader.ptxsim.analysis.order import order, post_dominators
from grader.ptxsim.analysis.registers import has_result, results, sources
from grader.ptxsim.syntax.records import (
    Address,
    Function,
    Instruction,
    Integer,
    Operand,
    Real,
    Register,
    Symbol,
    address_of,
)

Root: TypeAlias = tuple[object, ...]  # a register, a variable, or an opcode with the locations of its operands
Location: TypeAlias = tuple[Root, int]  # and an offset in bytes
DEEPEST = 6  # nested instructions that are followed
WIDEST = 64  # bits of an address
_SAME = frozenset({"mov", "cvta", "cvt"})  # they keep the value, or convert the address
_PURE = frozenset({"add", "sub", "mul", "mad", "shl", "and", "or"})


class Locations:
    """The locations of the addresses of a function."""

    def __init__(self, instructions: Iterable[Instruction]) -> None:
        self._writers: dict[str, list[Instruction]] = {}
        for instruction in instructions:
            for register in results(instruction):
                self._writers.setdefault(register.name, []).append(instruction)

    def accessed(self, instruction: Instruction) -> Location:
        """Return the location that a load, a store or an atomic accesses."""
        return self.of(address_of(instruction) or Address(None, 0))

    def of(self, address: Address) -> Location:
        """Return the location of an address. Equal locations are the same memory; different ones may be too."""
        root, offset = self._operand(address.base, DEEPEST) if address.base else ((), 0)
        return root, offset + address.offset

    def _operand(self, operand: Operand, depth: int) -> Location:
        match operand:
            case Integer(value):
                return (), value
            case Symbol(name, offset):
                return ("symbol", name), offset
            case Register(name):
                return self._register(name, depth)
            case _:
                return ("operand", operand), 0

    def _register(self, name: str, depth: int) -> Location:
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


SPECULATIVE = "speculative"  # the modifier of these loads, which PTX does not have
_OTHERS = frozenset({"relaxed", "acquire", "mmio", "param"})
_ON_OLD_VALUE = frozenset({
    *("mov", "cvt", "add", "sub", "mul", "mad", "fma", "div", "rem", "rcp", "sqrt", "rsqrt", "ex2", "lg2", "neg"),
    *("min", "max", "and", "or", "xor", "not", "shl", "shr", "shf", "lop3", "prmt", "bfe", "bfi"),
    *("setp", "set", "selp"),
})  # fmt: skip


def with_speculative_loads(function: Function) -> Function:
    """Return the function with SPECULATIVE added to the modifiers of these loads."""
    instructions = function.instructions
    if not any(_is_swap(instruction) for instruction in instructions):
        return function
    locations = Locations(instructions)
    graph = build(function)
    flow = _SwapFlow(graph, post_dominators(graph, order(graph).blocks), locations)
    swapped = {locations.accessed(swap) for swap in instructions if _is_swap(swap)}
    speculative = {id(load) for load in instructions if _is_plain(load) and flow.is_speculative(load, swapped)}
    return function.rewritten(
        lambda own: [replace(own, modifiers=(SPECULATIVE, *own.modifiers)) if id(own) in speculative else own]
    )


def _is_swap(instruction: Instruction) -> bool:
    return instruction.opcode == "atom" and "cas" in instruction.modifiers


def _is_plain(instruction: Instruction) -> bool:
    return instruction.opcode == "ld" and not _OTHERS & set(instruction.modifiers)


@dataclass(frozen=True, slots=True)
class _SwapFlow:
    """The control flow of a function, the convergence point of each block, and the locations of addresses."""

    graph: Graph
    convergence: list[int]
    locations: Locations

    def is_speculative(self, load: Instruction, swapped: Collection[Location]) -> bool:
        """Whether a load reads a swapped location, and its value is used for swaps of that location only."""
        location = self.locations.accessed(load)
        names = {register.name for register in results(load)}
        size = 0
        while location in swapped and len(names) > size:
            size = len(names)
            for instruction in (*self._using(names, location), *self._decided(names)):
                if not self._is_part(instruction, location):
                    return False
                if not _is_swap(instruction):
                    names |= {register.name for register in results(instruction)}
        return location in swapped

    def _using(self, names: Set[str], location: Location) -> Iterator[Instruction]:
        """Yield the instructions that read one of the registers, except comparisons with the result of a swap."""
        swaps = [swap for swap in self._instructions(range(len(self.graph.blocks))) if _is_swap(swap)]
        returned = {r.name for swap in swaps if self.locations.accessed(swap) == location for r in results(swap)}
        for instruction in self._instructions(range(len(self.graph.blocks))):
            read = {register.name for register in sources(instruction)}
            if names & read and not (instruction.opcode == "setp" and returned & read):
                yield instruction

    def _decided(self, names: Collection[str]) -> Iterator[Instruction]:
        """Yield the instructions whose execution depends on one of the registers."""
        for number, block in enumerate(self.graph.blocks):
            if any(register.name in names for register in guard_registers(block)):
                yield from self._instructions(reached(self.graph, block.successors, self.convergence[number]))

    def _instructions(self, blocks: Collection[int]) -> Iterator[Instruction]:
        return (instruction for number in blocks for instruction in self.graph.blocks[number].instructions)

    def _is_part(self, instruction: Instruction, location: Location) -> bool:
        """Whether an instruction uses registers only, or loads or swaps the location."""
        if _is_swap(instruction) or _is_plain(instruction):
            return self.locations.accessed(instruction) == location
        return instruction.opcode in _ON_OLD_VALUE and has_result(instruction)


_ADDS = frozenset({"add", "sub", "fma", "mad"})
_COMPUTES = _ADDS | {"mov", "cvt", "mul", "neg"}
ATOMIC = frozenset({"relaxed", "acquire", "release", "mmio", SPECULATIVE})  # of loads and stores
_KEEPS = frozenset({"add", "or", "xor"})  # with zero, these atomics do not change the value
_NEGATIVE_ZERO = {1 << 31, 1 << 63}


@dataclass(frozen=True, slots=True)
class SplitAdditions:
    """The loads and the stores of such additions."""

    loads: frozenset[Instruction] = frozenset()
    stores: frozenset[Instruction] = frozenset()


def split_additions(graph: Graph) -> SplitAdditions:
    """Return the additions of a function that consist of an atomic load and an atomic store."""
    instructions = graph.instructions
    loads = [instruction for instruction in instructions if _loads(instruction)]
    if not loads:
        return SplitAdditions()
    flow = _AdditionFlow(graph, instructions)
    additions = {load: flow.stores_of(load) for load in loads}
    return SplitAdditions(
        frozenset(load for load, stores in additions.items() if stores),
        frozenset(store for stores in additions.values() for store in stores),
    )


class _AdditionFlow:
    """The uses of registers' values."""

    def __init__(self, graph: Graph, instructions: Sequence[Instruction]) -> None:
        self._instructions, self._locations = instructions, Locations(instructions)
        self._decisive = {register.name for block in graph.blocks for register in guard_registers(block)}
        used = {register.name for instruction in instructions for register in sources(instruction)}
        self._stores = [
            instruction
            for instruction in instructions
            if _stored(instruction) and not any(register.name in used for register in results(instruction))
        ]

    def stores_of(self, load: Instruction) -> set[Instruction]:
        """Return the stores of sums with a loaded value to its own location; none if the value has another use."""
        names, uses, size = {register.name for register in results(load)}, [load], 0
        while size < len(names):
            size = len(names)
            uses = [item for item in self._instructions if any(register.name in names for register in sources(item))]
            names |= {register.name for item in uses if item.opcode in _COMPUTES for register in results(item)}
        stores = {item for item in uses if self._is_store(item, names, self._locations.accessed(load))}
        others = [item for item in uses if item not in stores]
        adds = any(item.opcode in _ADDS for item in uses) and not names & self._decisive
        return stores if adds and all(item.opcode in _COMPUTES and has_result(item) for item in others) else set()

    def _is_store(self, instruction: Instruction, names: Set[str], location: Location) -> bool:
        value = _stored(instruction) if instruction in self._stores else None
        return isinstance(value, Register) and value.name in names and self._locations.accessed(instruction) == location


def _loads(instruction: Instruction) -> bool:
    """Whether an instruction is an atomic load, or an atomic that returns the value without changing it."""
    if instruction.opcode == "ld":
        return bool(ATOMIC & set(instruction.modifiers))
    keeps = instruction.opcode == "atom" and bool(_KEEPS & set(instruction.modifiers))
    if not keeps:
        return False
    added = instruction.operands[2]
    return added == Integer(0) or (isinstance(added, Real) and added.bits in {0, *_NEGATIVE_ZERO})


def _stored(instruction: Instruction) -> Operand | None:
    """Return the value that an atomic store, an exchange or a swap writes; None for another instruction."""
    modifiers = set(instruction.modifiers)
    if instruction.opcode == "st" and ATOMIC & modifiers:
        return instruction.operands[1]
    if instruction.opcode == "atom" and "cas" in modifiers:
        return instruction.operands[3]
    return instruction.operands[2] if instruction.opcode == "atom" and "exch" in modifiers else None
