"""Loads that guess the old value for a compare-and-swap, which then tells whether the guess was right.

They race with the atomics of other threads, and it does not matter: the CUDA C++ Programming Guide ("Atomic Functions")
writes the addition of doubles in this way. They count as relaxed atomic loads, unless the value has another use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.worker.simulator.analysis.registers import has_result, results, sources
from grader.worker.simulator.syntax.records import Function, Instruction, Register

COMPARED = 2  # the operand of atom.cas that is compared with the old value
_OTHERS = frozenset({"relaxed", "acquire", "volatile", "mmio", "param"})
_COMPUTES = frozenset({"mov", "add", "sub", "mul", "mad", "fma", "min", "max", "cvt", "and", "or", "xor"})


def with_relaxed_guesses(function: Function) -> Function:
    """Return the function with these loads marked as relaxed."""
    instructions = [statement for statement in function.body if isinstance(statement, Instruction)]
    swaps = [instruction for instruction in instructions if _is_swap(instruction)]
    if not swaps:
        return function
    compared = _compared(instructions, swaps)
    body = tuple(
        replace(statement, modifiers=("relaxed", "gpu", *statement.modifiers))
        if isinstance(statement, Instruction) and _is_guess(statement, compared, instructions)
        else statement
        for statement in function.body
    )
    return replace(function, body=body)


def _is_swap(instruction: Instruction) -> bool:
    return instruction.opcode == "atom" and "cas" in instruction.modifiers


def _compared(instructions: Sequence[Instruction], swaps: Sequence[Instruction]) -> set[str]:
    """Return the registers that atom.cas compares, and those that are moved to one."""
    operands = [swap.operands[COMPARED] for swap in swaps]
    names = {operand.name for operand in operands if isinstance(operand, Register)}
    moves = [instruction for instruction in instructions if instruction.opcode == "mov"]
    pairs = [(to.name, source.name) for move in moves for to in results(move) for source in sources(move)]
    while more := {source for to, source in pairs if to in names} - names:
        names |= more
    return names


def _is_guess(instruction: Instruction, compared: set[str], instructions: Sequence[Instruction]) -> bool:
    is_plain = instruction.opcode == "ld" and not _OTHERS & set(instruction.modifiers)
    loaded = {register.name for register in results(instruction)}
    return is_plain and bool(loaded & compared) and _is_for_swaps_only(loaded, instructions)


def _is_for_swaps_only(loaded: set[str], instructions: Sequence[Instruction]) -> bool:
    """Whether what is computed from a value goes to atom.cas only, or is compared with what atom.cas returned."""
    returned = {register.name for swap in instructions if _is_swap(swap) for register in results(swap)}
    names, size = set(loaded), 0
    while len(names) > size:
        size = len(names)
        for instruction in instructions:
            if not names & {register.name for register in sources(instruction)} or _is_swap(instruction):
                continue
            if instruction.opcode == "setp" and returned & {register.name for register in sources(instruction)}:
                continue
            if instruction.opcode not in _COMPUTES or not has_result(instruction):
                return False
            names |= {register.name for register in results(instruction)}
    return True
