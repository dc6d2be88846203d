"""Plain loads that speculate on the old value for a compare-and-swap, which fails if the value was wrong.

They race with the atomics of other threads, which is harmless: the CUDA C++ Programming Guide ("Atomic Functions") uses
one in its addition of doubles. They count as atomic loads if the value is used only to compute the operands of atom.cas
on the same location, and to decide whether atom.cas is needed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set
from dataclasses import dataclass, replace

from grader.ptxsim.analysis.graph import Graph, build, guard_registers, reached
from grader.ptxsim.analysis.order import order, post_dominators
from grader.ptxsim.analysis.places import Place, Places
from grader.ptxsim.analysis.registers import has_result, results, sources
from grader.ptxsim.syntax.records import Address, Function, Instruction

SPECULATIVE = "speculative"  # the modifier of these loads, which PTX does not have
_OTHERS = frozenset({"relaxed", "acquire", "mmio", "param"})
_COMPUTES = frozenset({
    *("mov", "cvt", "add", "sub", "mul", "mad", "fma", "div", "rem", "rcp", "sqrt", "rsqrt", "ex2", "lg2", "neg"),
    *("min", "max", "and", "or", "xor", "not", "shl", "shr", "shf", "lop3", "prmt", "bfe", "bfi"),
    *("setp", "set", "selp"),
})  # fmt: skip


def with_speculative_loads(function: Function) -> Function:
    """Return the function with SPECULATIVE added to the modifiers of these loads."""
    instructions = [statement for statement in function.body if isinstance(statement, Instruction)]
    if not any(_is_swap(instruction) for instruction in instructions):
        return function
    places = Places(instructions)
    graph = build(function)
    flow = _Flow(graph, post_dominators(graph, order(graph).blocks), places)
    swapped = {places.of(_address(swap)) for swap in instructions if _is_swap(swap)}
    speculative = {id(load) for load in instructions if _is_plain(load) and flow.is_speculative(load, swapped)}
    body = tuple(
        replace(statement, modifiers=(SPECULATIVE, *statement.modifiers))
        if isinstance(statement, Instruction) and id(statement) in speculative
        else statement
        for statement in function.body
    )
    return replace(function, body=body)


def _is_swap(instruction: Instruction) -> bool:
    return instruction.opcode == "atom" and "cas" in instruction.modifiers


def _is_plain(instruction: Instruction) -> bool:
    return instruction.opcode == "ld" and not _OTHERS & set(instruction.modifiers)


def _address(instruction: Instruction) -> Address:
    address = instruction.operands[1]
    return address if isinstance(address, Address) else Address(None, 0)


@dataclass(frozen=True, slots=True)
class _Flow:
    """The control flow of a function, the convergence point of each block, and the places of addresses."""

    graph: Graph
    convergence: list[int]
    places: Places

    def is_speculative(self, load: Instruction, swapped: Collection[Place]) -> bool:
        """Whether a load reads a swapped place, and its value is used for swaps of that place only."""
        place = self.places.of(_address(load))
        names = {register.name for register in results(load)}
        size = 0
        while place in swapped and len(names) > size:
            size = len(names)
            for instruction in (*self._using(names, place), *self._decided(names)):
                if not self._is_part(instruction, place):
                    return False
                if not _is_swap(instruction):
                    names |= {register.name for register in results(instruction)}
        return place in swapped

    def _using(self, names: Set[str], place: Place) -> Iterator[Instruction]:
        """Yield the instructions that read one of the registers, except comparisons with the result of a swap."""
        swaps = [swap for swap in self._instructions(range(len(self.graph.blocks))) if _is_swap(swap)]
        returned = {r.name for swap in swaps if self.places.of(_address(swap)) == place for r in results(swap)}
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

    def _is_part(self, instruction: Instruction, place: Place) -> bool:
        """Whether an instruction uses registers only, or loads or swaps the place."""
        if _is_swap(instruction) or _is_plain(instruction):
            return self.places.of(_address(instruction)) == place
        return instruction.opcode in _COMPUTES and has_result(instruction)
