"""The shared array into which a register probably points, so that its bounds can be constants in the code.

This is a heuristic: if the value of a register is computed from a single variable, it is assumed to point into that. If
it does not, the bounds check fails, and the code looks up the right bounds.
"""

from __future__ import annotations

from collections.abc import Collection

from grader.ptxsim.analysis.graph import Graph
from grader.ptxsim.analysis.registers import results
from grader.ptxsim.syntax.records import Instruction, Operand, Register, Symbol, Vector

ADDRESSES = frozenset({"mov", "add", "sub", "mad", "or", "xor", "cvt", "cvta", "selp"})


def arrays_of_registers(graph: Graph, variables: Collection[str]) -> dict[str, str]:
    """Return the variable of each register whose value is computed from a single variable."""
    pointing: dict[str, set[str]] = {}
    readers: dict[str, list[Instruction]] = {}
    todo: list[Instruction] = []
    for block in graph.blocks:
        for instruction in block.instructions:
            if instruction.opcode in ADDRESSES:
                todo.append(instruction)
                for name in names_of(instruction.operands[1:]):
                    readers.setdefault(name, []).append(instruction)
    while todo:
        instruction = todo.pop()
        names = names_of(instruction.operands[1:])
        new = {name for name in names if name in variables}.union(*(pointing.get(name, ()) for name in names))
        for register in results(instruction):
            known = pointing.setdefault(register.name, set())
            if not new <= known:
                known |= new
                todo += readers.get(register.name, ())
    return {name: next(iter(variables_of)) for name, variables_of in pointing.items() if len(variables_of) == 1}


def names_of(operands: Collection[Operand]) -> list[str]:
    """Return the names of registers and variables among the operands."""
    names: list[str] = []
    for operand in operands:
        if isinstance(operand, Register | Symbol):
            names.append(operand.name)
        elif isinstance(operand, Vector):
            names += names_of(operand.items)
    return names
