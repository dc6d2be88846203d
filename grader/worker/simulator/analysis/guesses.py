"""Loads that guess the old value for a compare-and-swap, which then tells whether the guess was right.

They race with the atomics of other threads, and it does not matter: the CUDA C++ Programming Guide ("Atomic Functions")
writes the addition of doubles in this way. They count as relaxed atomic loads.
"""

from __future__ import annotations

from dataclasses import replace

from grader.worker.simulator.analysis.registers import results
from grader.worker.simulator.syntax.records import Function, Instruction, Register

_OTHERS = frozenset({"relaxed", "acquire", "volatile", "mmio", "param"})
COMPARED = 2  # the operand of atom.cas that is compared with the old value


def with_relaxed_guesses(function: Function) -> Function:
    """Return the function with these loads marked as relaxed."""
    instructions = [statement for statement in function.body if isinstance(statement, Instruction)]
    guesses = _compared(instructions)
    if not guesses:
        return function
    body = tuple(
        replace(statement, modifiers=("relaxed", "gpu", *statement.modifiers))
        if isinstance(statement, Instruction) and _is_guess(statement, guesses)
        else statement
        for statement in function.body
    )
    return replace(function, body=body)


def _compared(instructions: list[Instruction]) -> set[str]:
    """Return the registers that atom.cas compares, and those that are moved to one."""
    compared = [
        instruction.operands[COMPARED]
        for instruction in instructions
        if instruction.opcode == "atom" and "cas" in instruction.modifiers
    ]
    names = {operand.name for operand in compared if isinstance(operand, Register)}
    operands = [instruction.operands for instruction in instructions if instruction.opcode == "mov"]
    moves = [
        (to.name, source.name) for to, source in operands if isinstance(to, Register) if isinstance(source, Register)
    ]
    while more := {source for target, source in moves if target in names} - names:
        names |= more
    return names


def _is_guess(instruction: Instruction, guesses: set[str]) -> bool:
    is_plain = instruction.opcode == "ld" and not {"relaxed", "acquire", "volatile", "param"} & set(
        instruction.modifiers
    )
    return is_plain and any(register.name in guesses for register in results(instruction))
