"""Clusters of one block each: a barrier of the cluster is one of the block, and all shared memory is the block's own.

PTX ISA, "Parallel Synchronization and Communication Instructions: barrier.cluster", "mapa" and "getctarank".
"""

from __future__ import annotations

from dataclasses import replace

from grader.worker.simulator.syntax.errors import UnsupportedError
from grader.worker.simulator.syntax.records import Function, Instruction, Integer, Label
from grader.worker.simulator.syntax.types import types_of

NUMBER = Integer(15)  # of a block's barriers; compilers take the first for __syncthreads()
_OF_SHARED = frozenset({"mapa", "getctarank"})  # an address in another block's shared memory, and the block's number


def without_clusters(function: Function) -> Function:
    """Return the kernel without instructions for clusters. Raises UnsupportedError for clusters of several blocks."""
    if function.cluster > 1:
        raise UnsupportedError(f"clusters of {function.cluster} blocks")
    if not any(isinstance(s, Instruction) and (_is_barrier(s) or s.opcode in _OF_SHARED) for s in function.body):
        return function
    body = tuple(of_block for statement in function.body for of_block in _of_block(statement))
    return replace(function, body=body)


def _is_barrier(instruction: Instruction) -> bool:
    return instruction.opcode == "barrier" and "cluster" in instruction.modifiers


def _of_block(statement: Instruction | Label) -> tuple[Instruction | Label, ...]:
    """Return what a statement becomes: nothing for an arrival, which is before the wait in every thread."""
    match statement:
        case Instruction(opcode="mapa"):
            return (replace(statement, opcode="mov", modifiers=types_of(statement), operands=statement.operands[:2]),)
        case Instruction(opcode="getctarank"):
            operands = (statement.operands[0], Integer(0))
            return (replace(statement, opcode="mov", modifiers=("u32",), operands=operands),)
        case Instruction() if _is_barrier(statement) and "wait" in statement.modifiers:
            return (replace(statement, modifiers=("sync",), operands=(NUMBER,)),)
        case Instruction() if _is_barrier(statement):
            return ()
        case _:
            return (statement,)
