"""Rename the registers, labels and variables of a function for a copy of it in another function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from grader.ptxsim.syntax.records import (
    Address,
    Guard,
    Instruction,
    Negated,
    Operand,
    Pair,
    Register,
    Symbol,
    Vector,
)


def renamed(instruction: Instruction, suffix: str, names: Mapping[str, str]) -> Instruction:
    """Return the instruction with `suffix` added to each register's name, and symbols renamed by `names`."""
    guard = instruction.guard
    if guard is not None:
        guard = Guard(Register(guard.register.name + suffix), guard.negated)
    operands = tuple(_rename(operand, suffix, names) for operand in instruction.operands)
    if instruction.opcode == "call":  # the called function's name is not one of the caller's names
        operands = tuple(
            old if isinstance(old, Symbol) else new for old, new in zip(instruction.operands, operands, strict=True)
        )
    return replace(instruction, operands=operands, guard=guard)


def _rename(operand: Operand, suffix: str, names: Mapping[str, str]) -> Operand:
    match operand:
        case Register(name):
            return Register(name + suffix)
        case Negated(register):
            return Negated(Register(register.name + suffix))
        case Symbol(name, offset):
            return Symbol(names.get(name, name), offset)
        case Address(base, offset):
            fresh = _rename(base, suffix, names) if base is not None else None
            return Address(fresh if isinstance(fresh, Register | Symbol) else None, offset)
        case Vector(items):
            return Vector(tuple(_rename(item, suffix, names) for item in items))
        case Pair(first, second):
            return Pair(
                Register(first.name + suffix) if first else None, Register(second.name + suffix) if second else None
            )
        case _:
            return operand
