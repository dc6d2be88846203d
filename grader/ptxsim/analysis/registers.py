"""The registers that an instruction reads and writes (PTX ISA, "Instruction Set")."""

from __future__ import annotations

from grader.ptxsim.syntax.records import Address, Instruction, Negated, Operand, Pair, Register, Vector

# Instructions whose first operand is not a result.
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
    | {"discard", "griddepcontrol", "setmaxnreg", "assert", "overflow", "free", "cp", "within"}
)
_MAY_LACK_A_RESULT = _NO_RESULT | {"bar", "barrier", "wmma", "mbarrier"}


def results(instruction: Instruction) -> tuple[Register, ...]:
    """Return the registers that the instruction writes."""
    if not has_result(instruction) or not instruction.operands:
        return ()
    return _registers(instruction.operands[0])


def sources(instruction: Instruction) -> tuple[Register, ...]:
    """Return the registers that the instruction reads, including its guard."""
    operands, written = instruction.operands, has_result(instruction)
    registers: list[Register] = []
    for operand in operands[1:] if written else operands:
        registers += _registers(operand)
    if written and operands and isinstance(operands[0], Address):
        registers += _registers(operands[0])
    if instruction.guard:
        registers.append(instruction.guard.register)
    return tuple(registers)


def has_result(instruction: Instruction) -> bool:
    """Whether the first operand is a result."""
    opcode = instruction.opcode
    if opcode not in _MAY_LACK_A_RESULT:
        return True
    if opcode in {"bar", "barrier"}:
        return "red" in instruction.modifiers
    if opcode == "wmma":
        return "store" not in instruction.modifiers
    if opcode == "mbarrier":
        return bool(instruction.operands) and not isinstance(instruction.operands[0], Address)
    return False


def _registers(operand: Operand) -> tuple[Register, ...]:
    match operand:
        case Register():
            return (operand,)
        case Address(Register() as base):
            return (base,)
        case Negated(register):
            return (register,)
        case Vector(items):
            return tuple(register for item in items for register in _registers(item))
        case Pair(first, second):
            return tuple(register for register in (first, second) if register is not None)
        case _:
            return ()
