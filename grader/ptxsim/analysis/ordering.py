"""What orders threads besides barriers of the whole block: how a kernel synchronises them, and its spin loops.

The exit of a spin loop depends on a value that it reads from memory, which another thread writes.
"""

from __future__ import annotations

from dataclasses import dataclass

from grader.ptxsim.analysis.graph import Block, Graph, guard_registers
from grader.ptxsim.analysis.order import Loop, Order
from grader.ptxsim.analysis.registers import Liveness, results, sources
from grader.ptxsim.analysis.updates import SPECULATIVE
from grader.ptxsim.syntax.records import Address, Function, Instruction, Integer, Operand, Register, address_of

_FENCES = frozenset({"membar", "fence"})
_RELEASES = frozenset({"release", "acq_rel"})
_FLAGS = frozenset({"volatile", "relaxed", "acquire", "release", "mmio"})
_ORDERED = _FLAGS - {"release"}
_LOCK = frozenset({"cas", "exch", SPECULATIVE})
_READ = frozenset({"ld", "atom"}) | _LOCK


def is_barrier(instruction: Instruction) -> bool:
    """Whether an instruction is a barrier of a block, not of a warp."""
    return instruction.opcode in {"bar", "barrier"} and "warp" not in instruction.modifiers


def barrier_operands(instruction: Instruction, threads: int) -> tuple[Operand, Operand]:
    """Return a barrier's number and how many threads it expects: 0 and all `threads` of the block if it has neither."""
    given = instruction.operands[1:-1] if "red" in instruction.modifiers else instruction.operands
    given += (Integer(0), Integer(threads))[len(given) :]
    return given[0], given[1]


@dataclass(frozen=True, slots=True)
class AccessOrder:
    """The kinds of synchronisation of a kernel besides barriers of the whole block."""

    by_parts: bool = False
    """Barriers for a part of the block."""
    by_objects: bool = False
    """mbarriers, which order threads of a block."""
    by_signals: bool = False
    """Fences with flags or atomics, releases, and loops that wait for a value; these may order blocks too."""
    by_tickets: bool = False
    """Used results of atomics, by which blocks may take turns."""

    @property
    def by_clocks(self) -> bool:
        """Whether vector clocks are needed to determine the order of accesses."""
        return self.by_parts or self.by_objects or self.by_memory

    @property
    def by_memory(self) -> bool:
        """Whether writes to memory may order blocks."""
        return self.by_signals or self.by_tickets


def order_of(function: Function, threads: int, *, spins: bool) -> AccessOrder:
    """Return the kinds of synchronisation of a kernel; `spins`: a loop in it waits for a value in memory."""
    instructions = function.instructions
    partial = any(_is_partial(instruction, threads) for instruction in instructions)
    objects = any(instruction.opcode == "mbarrier" for instruction in instructions)
    signals = spins or _signals(instructions)
    return AccessOrder(partial, objects, signals, _uses_results_of_atomics(instructions))


def _signals(instructions: list[Instruction]) -> bool:
    """Whether a thread may publish its accesses through memory: by a release, or a fence with a flag or an atomic."""
    others = [instruction for instruction in instructions if instruction.opcode not in _FENCES | {"mbarrier"}]
    releases = any(_RELEASES & set(instruction.modifiers) for instruction in others)
    fences = any(instruction.opcode in _FENCES and instruction.modifiers for instruction in instructions)
    return releases or (fences and any(map(_may_signal, others)))


def _may_signal(instruction: Instruction) -> bool:
    return instruction.opcode in {"atom", "red"} or bool(_FLAGS & set(instruction.modifiers))


def _uses_results_of_atomics(instructions: list[Instruction]) -> bool:
    used = {register for instruction in instructions for register in sources(instruction)}
    atomics = [instruction for instruction in instructions if instruction.opcode == "atom"]
    return any(register in used for instruction in atomics for register in results(instruction))


def _is_partial(instruction: Instruction, threads: int) -> bool:
    """Whether an instruction is a barrier that may not wait for all `threads` of the block."""
    if not is_barrier(instruction):
        return False
    number, expected = barrier_operands(instruction, threads)
    all_wait = expected == Integer(threads) and "arrive" not in instruction.modifiers
    return not all_wait or not isinstance(number, Integer)


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
    loops = (inside(graph, order, head) for head in spin_heads(graph, order))
    return frozenset(instruction for loop in loops for instruction in loop if _way(instruction) in _READ)


def awaited_read(graph: Graph, order: Order, live: Liveness, head: int) -> tuple[Address, Instruction] | None:
    """Return the instruction that reads the value for which a loop waits, and its address as known at the loop's head.

    None if the loop reads several values, or computes the address in another way than by adding a constant.
    """
    instructions = inside(graph, order, head)
    found = [instruction for instruction in instructions if _way(instruction) in _READ]
    address = address_of(found[0]) if len(found) == 1 else None
    known = _known_at(live, head, address, instructions) if address else None
    return (known, found[0]) if known else None


def _known_at(live: Liveness, head: int, address: Address, instructions: list[Instruction]) -> Address | None:
    """Return the address by a register that is live at the head of a loop with these instructions."""
    known, base = live.names(live.live_in[head]), address.base
    if not isinstance(base, Register) or base.name in known:
        return address
    match [instruction for instruction in instructions if base in results(instruction)]:
        case [Instruction(opcode="add", guard=None, operands=(_, Register() as start, Integer(more)))]:
            return Address(start, address.offset + more) if start.name in known else None
    return None


def inside(graph: Graph, order: Order, head: int) -> list[Instruction]:
    """Return the instructions of the loop with this head."""
    loop = next(loop for loop in order.loops if loop.head == head)
    return [instruction for number in order.inside(loop) for instruction in graph.blocks[number].instructions]


def _exits(graph: Graph, order: Order, loop: Loop) -> list[Block]:
    """Return the exiting blocks of a loop."""
    own = set(order.inside(loop))
    return [graph.blocks[number] for number in own if not set(graph.blocks[number].successors) <= own]


def _spins(graph: Graph, order: Order, loop: Loop, ways: frozenset[str]) -> bool:
    read = _depending(inside(graph, order, loop.head), ways)
    return any(register.name in read for block in _exits(graph, order, loop) for register in guard_registers(block))


def _depending(instructions: list[Instruction], ways: frozenset[str]) -> set[str]:
    """Return the registers that depend on a value that instructions read from memory in one of these `ways`."""
    names: set[str] = set()
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
