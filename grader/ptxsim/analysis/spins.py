"""Spin loops: their exit depends on a value that they read from memory, which another thread writes."""

from __future__ import annotations

from grader.ptxsim.analysis.graph import Block, Graph, guard_registers
from grader.ptxsim.analysis.order import Loop, Order
from grader.ptxsim.analysis.registers import results, sources
from grader.ptxsim.analysis.speculative_loads import SPECULATIVE
from grader.ptxsim.syntax.records import Instruction

_ORDERED = frozenset({"volatile", "relaxed", "acquire", "mmio"})
_CONSTANT = frozenset({"param", "const", "local"})
_WORK = frozenset({"st", "bar", "barrier", "call", "fma", "cp", "shfl"})
_LOCK = frozenset({"cas", "exch", SPECULATIVE})
_READ = frozenset({"ld", "atom"}) | _LOCK


def spin_heads(graph: Graph, order: Order) -> frozenset[int]:
    """Return the heads of loops that wait for a value."""
    return frozenset(loop.head for loop in order.loops if _spins(graph, order, loop, _READ))


def waits_for_flags(graph: Graph, order: Order) -> bool:
    """Whether a loop waits for a value other than that of a swap: then another block may have to run first.

    A swap takes a lock, which is free when a block has ended, so blocks that run one after the other never wait for it.
    """
    return any(_spins(graph, order, loop, _READ - _LOCK) for loop in order.loops)


def spin_reads(graph: Graph, order: Order) -> frozenset[Instruction]:
    """Return the instructions that read memory in loops that wait for a value."""
    heads = spin_heads(graph, order)
    return frozenset(
        instruction
        for loop in order.loops
        if loop.head in heads
        for number in order.blocks[loop.first : loop.last + 1]
        for instruction in graph.blocks[number].instructions
        if _way(instruction) in _READ
    )


def awaited_read(graph: Graph, order: Order, head: int) -> Instruction | None:
    """Return the instruction that reads the value for which the loop waits; None if there are several."""
    found = [instruction for instruction in inside(graph, order, head) if _way(instruction) in _READ]
    return found[0] if len(found) == 1 else None


def inside(graph: Graph, order: Order, head: int) -> list[Instruction]:
    """Return the instructions of the loop with this head."""
    loop = next(loop for loop in order.loops if loop.head == head)
    return [instruction for number in _inside(order, loop) for instruction in graph.blocks[number].instructions]


def waiting_lines(graph: Graph, order: Order) -> frozenset[int]:
    """Return the lines of loops that wait for a value and do nothing else."""
    heads = spin_heads(graph, order)
    loops = ([graph.blocks[number] for number in _inside(order, loop)] for loop in order.loops if loop.head in heads)
    instructions = ([instruction for block in blocks for instruction in block.instructions] for blocks in loops)
    waiting = (loop for loop in instructions if not _WORK & {instruction.opcode for instruction in loop})
    return frozenset(instruction.line for loop in waiting for instruction in loop if instruction.line)


def awaited_lines(graph: Graph, order: Order) -> frozenset[int]:
    """Return the lines of loads, including plain ones, in loops that only wait for a value."""
    return frozenset(line for loop in order.loops for line in _awaited(graph, order, loop) if line)


def _inside(order: Order, loop: Loop) -> tuple[int, ...]:
    return tuple(order.blocks[loop.first : loop.last + 1])


def _awaited(graph: Graph, order: Order, loop: Loop) -> set[int]:
    blocks = [graph.blocks[number] for number in order.blocks[loop.first : loop.last + 1]]
    instructions = [instruction for block in blocks for instruction in block.instructions]
    opcodes = {instruction.opcode for instruction in instructions}
    if _WORK & opcodes or "ld" not in opcodes:
        return set()
    needed, size = {register.name for block in _exits(graph, order, loop) for register in guard_registers(block)}, -1
    while size < len(needed):
        size = len(needed)
        for instruction in reversed(instructions):
            if not _loads(instruction) and any(register.name in needed for register in results(instruction)):
                needed |= {register.name for register in sources(instruction)}
    return {
        instruction.line
        for instruction in instructions
        if _loads(instruction) and any(register.name in needed for register in results(instruction))
    }


def _loads(instruction: Instruction) -> bool:
    return instruction.opcode == "ld" and not _CONSTANT & set(instruction.modifiers)


def _exits(graph: Graph, order: Order, loop: Loop) -> list[Block]:
    """Return the exiting blocks of a loop."""
    inside = set(order.blocks[loop.first : loop.last + 1])
    return [graph.blocks[number] for number in inside if not set(graph.blocks[number].successors) <= inside]


def _spins(graph: Graph, order: Order, loop: Loop, ways: frozenset[str]) -> bool:
    read = _depending([graph.blocks[number] for number in order.blocks[loop.first : loop.last + 1]], ways)
    return any(register.name in read for block in _exits(graph, order, loop) for register in guard_registers(block))


def _depending(blocks: list[Block], ways: frozenset[str]) -> set[str]:
    """Return the registers that depend on a value that the blocks read from memory in one of these `ways`."""
    names: set[str] = set()
    instructions = [instruction for block in blocks for instruction in block.instructions]
    if not any(_way(instruction) in ways for instruction in instructions):  # most loops, which may be long, have none
        return names
    grown = True
    while grown:
        grown = False
        for instruction in instructions:
            if _way(instruction) in ways or any(register.name in names for register in sources(instruction)):
                new = {register.name for register in results(instruction)} - names
                grown = grown or bool(new)
                names |= new
    return names


def _way(instruction: Instruction) -> str:
    """Return how an instruction reads memory that other threads may write; empty if it does not."""
    if SPECULATIVE in instruction.modifiers:
        return SPECULATIVE
    if instruction.opcode == "atom":
        return next((modifier for modifier in instruction.modifiers if modifier in _LOCK), "atom")
    return "ld" if instruction.opcode == "ld" and _ORDERED & set(instruction.modifiers) else ""
