"""Lower instructions for clusters, of one block each: barriers become the block's, and all shared memory its own.

An address in the shared memory of a block that is not in the cluster is outside of all arrays.

PTX ISA, "Parallel Synchronization and Communication Instructions: barrier.cluster", "mapa" and "getctarank".
"""

from __future__ import annotations

from dataclasses import replace

from grader.ptxsim.records.lacks import Lack
from grader.ptxsim.syntax.errors import UnsupportedError
from grader.ptxsim.syntax.records import Function, Instruction, Integer, Label, Special
from grader.ptxsim.syntax.types import types_of

NUMBER = Integer(15)  # of a block's barriers; compilers take the first for __syncthreads()
# The distance in bytes between the shared memory of two blocks of a cluster; more than all arrays take.
BLOCK_OF_CLUSTER = Integer(1 << 28)
_EXPLICIT = Special("is_explicit_cluster")  # whether the kernel asks for clusters
_OF_SHARED = frozenset({"mapa", "getctarank"})  # an address in another block's shared memory, and the block's number


def without_clusters(function: Function) -> Function:
    """Replace the instructions for clusters in a kernel. Raises UnsupportedError for clusters of several blocks."""
    if function.cluster > 1:
        raise UnsupportedError(Lack.CLUSTERS, number=function.cluster)
    explicit = Integer(int(function.cluster > 0))
    if not any(isinstance(statement, Instruction) and _is_of_clusters(statement) for statement in function.body):
        return function
    body = tuple(of_block for statement in function.body for of_block in _of_block(statement, explicit))
    return replace(function, body=body)


def _is_of_clusters(instruction: Instruction) -> bool:
    return _is_barrier(instruction) or instruction.opcode in _OF_SHARED or _EXPLICIT in instruction.operands


def _is_barrier(instruction: Instruction) -> bool:
    return instruction.opcode == "barrier" and "cluster" in instruction.modifiers


def _of_block(statement: Instruction | Label, explicit: Integer) -> tuple[Instruction | Label, ...]:
    """Return the code of a statement; none for an arrival, because the wait that follows it is the barrier."""
    match statement:
        case Instruction(opcode="mapa"):
            return (_in_block(statement),)
        case Instruction(opcode="getctarank"):
            operands = (statement.operands[0], Integer(0))
            return (replace(statement, opcode="mov", modifiers=("u32",), operands=operands),)
        case Instruction() if _is_barrier(statement) and "wait" in statement.modifiers:
            return (replace(statement, modifiers=("sync",), operands=(NUMBER,)),)
        case Instruction() if _is_barrier(statement):
            return ()
        case Instruction(operands=operands) if _EXPLICIT in operands:
            return (replace(statement, operands=tuple(explicit if o == _EXPLICIT else o for o in operands)),)
        case _:
            return (statement,)


def _in_block(mapa: Instruction) -> Instruction:
    """Return the instruction that computes an address in the shared memory of the block with a given number."""
    target, address, number = mapa.operands
    if number == Integer(0):
        return replace(mapa, opcode="mov", modifiers=types_of(mapa), operands=(target, address))
    product = ("wide", "u32") if types_of(mapa) == ("u64",) else ("lo", "u32")
    return replace(mapa, opcode="mad", modifiers=product, operands=(target, number, BLOCK_OF_CLUSTER, address))
