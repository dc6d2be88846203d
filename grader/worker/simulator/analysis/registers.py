"""Which registers an instruction reads and writes (PTX ISA, "Instruction Set")."""

from __future__ import annotations

from collections.abc import Iterator

from grader.worker.simulator.syntax.records import Address, Instruction, Negated, Operand, Pair, Register, Vector

# Instructions whose first operand is no result.
_NO_RESULT = frozenset(
    {
        "st",
        "stmatrix",
        "red",
        "membar",
        "fence",
        "prefetch",
        "prefetchu",
        "applypriority",
        "nanosleep",
        "trap",
        "brkpt",
        "call",
        "pmevent",
    }
    | {"discard", "griddepcontrol", "setmaxnreg", "assert", "overflow", "free"}
)


def results(instruction: Instruction) -> tuple[Register, ...]:
    """Return the registers that the instruction writes."""
    if not has_result(instruction) or not instruction.operands:
        return ()
    return tuple(_registers(instruction.operands[0]))


def sources(instruction: Instruction) -> tuple[Register, ...]:
    """Return the registers that the instruction reads, its guard included."""
    operands = instruction.operands[1:] if has_result(instruction) else instruction.operands
    registers = [register for operand in operands for register in _registers(operand)]
    if has_result(instruction) and instruction.operands and isinstance(instruction.operands[0], Address):
        registers += _registers(instruction.operands[0])
    if instruction.guard:
        registers.append(instruction.guard.register)
    return tuple(registers)


def has_result(instruction: Instruction) -> bool:
    """Whether the first operand is written."""
    opcode, modifiers = instruction.opcode, instruction.modifiers
    if opcode in {"bar", "barrier"}:
        return "red" in modifiers
    if opcode == "cp":
        return False
    if opcode == "wmma":
        return "store" not in modifiers
    if opcode == "mbarrier":
        return bool(instruction.operands) and not isinstance(instruction.operands[0], Address)
    return opcode not in _NO_RESULT


def _registers(operand: Operand) -> Iterator[Register]:
    if isinstance(operand, Register):
        yield operand
    elif isinstance(operand, Negated):
        yield operand.register
    elif isinstance(operand, Address):
        if isinstance(operand.base, Register):
            yield operand.base
    elif isinstance(operand, Vector):
        for item in operand.items:
            yield from _registers(item)
    elif isinstance(operand, Pair):
        yield from (register for register in (operand.first, operand.second) if register is not None)
