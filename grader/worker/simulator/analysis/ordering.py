"""What orders the accesses of a kernel's threads, as far as its instructions show it.

If something other than barriers (flags, counters, objects) may order them, no race is reported.
"""

from __future__ import annotations

from dataclasses import dataclass

from grader.worker.simulator.analysis.registers import results, sources
from grader.worker.simulator.syntax.records import Function, Instruction, Integer

_FENCES = frozenset({"membar", "fence"})
_SIGNALS = frozenset({"volatile", "relaxed", "acquire", "release", "mmio"})


@dataclass(frozen=True, slots=True)
class AccessOrder:
    """What orders accesses besides barriers at which all threads of a block arrive."""

    by_objects: str = ""
    """What lets some threads wait for each other, in words: mbarriers, loops that wait; or empty."""
    by_parts: bool = False
    """Barriers at which a part of the block arrives."""
    by_fences: bool = False
    """Fences, with which atomics and volatile accesses order other accesses."""
    by_tickets: bool = False
    """Results of atomics that the kernel uses: threads or blocks may take turns by them."""


def order_of(function: Function, threads: int, *, spins: bool) -> AccessOrder:
    """Return what orders the accesses of a block's threads; `spins`: a loop in it waits for a value in memory."""
    instructions = [item for item in function.body if isinstance(item, Instruction)]
    opcodes = {instruction.opcode for instruction in instructions}
    partial = any(_is_partial(instruction, threads) for instruction in instructions)
    return AccessOrder(
        _objects(opcodes, spins=spins, copies=partial and "cp" in opcodes),
        partial,
        bool(opcodes & _FENCES) and any(_may_signal(instruction) for instruction in instructions),
        _uses_results_of_atomics(instructions),
    )


def _objects(opcodes: set[str], *, spins: bool, copies: bool) -> str:
    if spins:
        return "loops that wait for a value in memory"
    if "mbarrier" in opcodes:
        return "mbarrier objects"
    return "asynchronous copies and barriers for a part of the block" if copies else ""


def _may_signal(instruction: Instruction) -> bool:
    """Whether a thread may tell another by an instruction that it has passed a fence: an atomic or volatile access."""
    return instruction.opcode in {"atom", "red"} or bool(_SIGNALS & set(instruction.modifiers))


def _uses_results_of_atomics(instructions: list[Instruction]) -> bool:
    used = {register for instruction in instructions for register in sources(instruction)}
    used |= {instruction.guard.register for instruction in instructions if instruction.guard}
    atomics = [instruction for instruction in instructions if instruction.opcode == "atom"]
    return any(register in used for instruction in atomics for register in results(instruction))


def _is_partial(instruction: Instruction, threads: int) -> bool:
    """Whether an instruction is a barrier that may not wait for all `threads` of the block."""
    if instruction.opcode not in {"bar", "barrier"} or "warp" in instruction.modifiers:
        return False
    numbers = instruction.operands[1:] if "red" in instruction.modifiers else instruction.operands
    number, *counts = numbers[: len(numbers) - ("red" in instruction.modifiers)]
    all_wait = all(isinstance(count, Integer) and count.value == threads for count in counts)
    return "arrive" in instruction.modifiers or not all_wait or not isinstance(number, Integer)
