"""The kinds of synchronisation of a kernel besides barriers of the whole block."""

from __future__ import annotations

from dataclasses import dataclass

from grader.ptxsim.analysis.registers import results, sources
from grader.ptxsim.syntax.records import Function, Instruction, Integer

_FENCES = frozenset({"membar", "fence"})
_RELEASES = frozenset({"release", "acq_rel"})
_FLAGS = frozenset({"volatile", "relaxed", "acquire", "release", "mmio"})


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
    instructions = [item for item in function.body if isinstance(item, Instruction)]
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
    if instruction.opcode not in {"bar", "barrier"} or "warp" in instruction.modifiers:
        return False
    numbers = instruction.operands[1:] if "red" in instruction.modifiers else instruction.operands
    number, *counts = numbers[: len(numbers) - ("red" in instruction.modifiers)]
    all_wait = all(isinstance(count, Integer) and count.value == threads for count in counts)
    return "arrive" in instruction.modifiers or not all_wait or not isinstance(number, Integer)
