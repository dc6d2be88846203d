"""Reads out of bounds of a `__constant__` variable at a constant address, as in an unrolled loop.

Checked launches do not record reads at constant addresses, of which a kernel may have very many. To be recorded, reads
out of bounds take their address from a register instead, as indexed reads do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from grader.ptxsim.syntax.records import (
    Address,
    Function,
    Instruction,
    Label,
    Register,
    Symbol,
    Variable,
    Vector,
)
from grader.ptxsim.syntax.types import WIDTHS, types_of


def with_recorded_reads(function: Function, variables: Collection[Variable]) -> Function:
    """Return the function with the address of each such read moved to a register."""
    sizes = {variable.name: variable.size for variable in variables if variable.space == "const"}
    registers, body = dict(function.registers), list[Instruction | Label]()
    for statement in function.body:
        if isinstance(statement, Instruction) and _is_outside(statement, sizes):
            start = Register(f"%outside{len(registers)}")
            registers[start.name] = "u64"
            body += _through(statement, start)
        else:
            body.append(statement)
    return replace(function, registers=registers, body=tuple(body)) if len(body) > len(function.body) else function


def _is_outside(instruction: Instruction, sizes: Mapping[str, int]) -> bool:
    if instruction.opcode != "ld" or "const" not in instruction.modifiers:
        return False
    match instruction.operands:
        case (target, Address(Symbol(name, added), offset)) if name in sizes:
            count = len(target.items) if isinstance(target, Vector) else 1
            size = count * WIDTHS[types_of(instruction)[-1]] // 8
            return not 0 <= added + offset <= sizes[name] - size
    return False


def _through(instruction: Instruction, start: Register) -> Iterator[Instruction]:
    target, address = instruction.operands
    if isinstance(address, Address) and isinstance(address.base, Symbol):
        yield Instruction("mov", ("u64",), (start, address.base), None, instruction.line)
        yield replace(instruction, operands=(target, Address(start, address.offset)))
