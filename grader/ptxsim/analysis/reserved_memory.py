"""The shared memory in which cooperative groups of several warps wait for each other, as a variable of the kernel."""

from __future__ import annotations

from dataclasses import replace

from grader.ptxsim.syntax.records import Function, Instruction, Special, Symbol, Variable

START = Special("reserved_smem_offset_1")
MEMORY = Variable("memory of cooperative groups", "shared", 1024, 16)  # no name in PTX has spaces


def with_reserved_memory(function: Function) -> Function:
    """Return the kernel with a variable for the memory that a device reserves, if the kernel asks where it is.

    It lies below the kernel's own variables and is zero when a block starts, as on a device.
    """
    body = tuple(_placed(each) if isinstance(each, Instruction) else each for each in function.body)
    return function if body == function.body else replace(function, body=body, variables=(MEMORY, *function.variables))


def _placed(instruction: Instruction) -> Instruction:
    operands = tuple(Symbol(MEMORY.name) if each == START else each for each in instruction.operands)
    return instruction if operands == instruction.operands else replace(instruction, operands=operands)
