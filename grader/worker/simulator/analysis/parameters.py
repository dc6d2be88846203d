"""Parameters of device functions as registers: one for each word that an instruction stores or loads."""

from __future__ import annotations

from collections.abc import Iterator

from grader.worker.simulator.syntax.records import (
    Address,
    Function,
    Instruction,
    Operand,
    Register,
    Symbol,
    Vector,
)
from grader.worker.simulator.syntax.types import WIDTHS, types_of


def parameter(instruction: Instruction) -> str:
    """Return the name of the parameter that an instruction loads from or stores to."""
    address = instruction.operands[1 if instruction.opcode == "ld" else 0]
    return address.base.name if isinstance(address, Address) and isinstance(address.base, Symbol) else ""


def word(name: str, offset: int, width: int) -> Register:
    """Return the register for the word of `width` bits at `offset` bytes in the parameter `name`."""
    return Register(f"{name}+{offset}.{width}")


def moves(instruction: Instruction) -> Iterator[Instruction]:
    """Yield moves to or from the words of a parameter, which do the same as the load or store of it."""
    is_load = instruction.opcode == "ld"
    value, address = instruction.operands[:2] if is_load else reversed(instruction.operands[:2])
    width = _width(instruction)
    offset = address.offset if isinstance(address, Address) else 0
    for number, item in enumerate(_items(value)):
        of_parameter = word(parameter(instruction), offset + number * width // 8, width)
        operands: tuple[Operand, ...] = (item, of_parameter) if is_load else (of_parameter, item)
        yield Instruction("mov", (f"b{width}",), operands, instruction.guard, instruction.line)


def words(function: Function, name: str) -> set[tuple[int, int]]:
    """Return offset in bytes and width in bits of each word that a function uses of its parameter `name`."""
    used: set[tuple[int, int]] = set()
    for statement in function.body:
        if isinstance(statement, Instruction) and "param" in statement.modifiers and parameter(statement) == name:
            is_load, width = statement.opcode == "ld", _width(statement)
            address, value = statement.operands[is_load], statement.operands[not is_load]
            offset = address.offset if isinstance(address, Address) else 0
            used |= {(offset + number * width // 8, width) for number in range(len(_items(value)))}
    return used


def _width(instruction: Instruction) -> int:
    return max(16, WIDTHS[types_of(instruction)[-1]])


def _items(value: Operand) -> tuple[Operand, ...]:
    return value.items if isinstance(value, Vector) else (value,)
