"""Passes that rewrite a kernel before it is analysed: carries, clusters, reads to record, and reserved memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from grader.ptxsim.records.lacks import Lack, UnsupportedError
from grader.ptxsim.syntax.records import (
    WIDTHS,
    Address,
    Function,
    Instruction,
    Integer,
    Operand,
    Pair,
    Register,
    Special,
    Symbol,
    Variable,
    Vector,
    types_of,
)

CARRY = Register("carry flag")  # no name of PTX has a space
_CARRIES = frozenset({"add", "addc", "sub", "subc", "mad", "madc"})
_CLUSTER_BARRIER = Integer(15)  # of a block's barriers; compilers take the first for __syncthreads()
# The distance in bytes between the shared memory of two blocks of a cluster; more than all arrays take.
BLOCK_OF_CLUSTER = Integer(1 << 28)
_EXPLICIT = Special("is_explicit_cluster")  # whether the kernel asks for clusters
_RESERVED = Special("reserved_smem_offset_1")
MEMORY = Variable("memory of cooperative groups", "shared", 1024, 16)  # no name in PTX has spaces


def without_carries(function: Function) -> Function:
    """Return the function with a register for the carry, which is 0 or 1, that instructions name.

    PTX ISA, "Extended-Precision Integer Arithmetic Instructions". Products are apart from what is added to them.
    """
    if not any(map(_has_carry, function.instructions)):
        return function
    registers = {**function.registers, CARRY.name: "b64", **{_product(bits).name: f"b{bits}" for bits in (32, 64)}}
    return replace(function.rewritten(_with_carry), registers=registers)


def _has_carry(instruction: Instruction) -> bool:
    return instruction.opcode in _CARRIES and ("cc" in instruction.modifiers or instruction.opcode[-1] == "c")


def _with_carry(instruction: Instruction) -> Iterator[Instruction]:
    """Yield the instruction `carried`, which PTX does not have: the sum and its carry, from two numbers and a carry.

    A device subtracts by adding the complement and 1: the carry is 1 if there was no borrow, as nvcc relies on.
    """
    if not _has_carry(instruction):
        yield instruction
        return
    target, first, second, *third = instruction.operands
    type_, subtracts = types_of(instruction)[-1], instruction.opcode.startswith("sub")
    if third:
        half, product = "hi" if "hi" in instruction.modifiers else "lo", _product(WIDTHS[type_])
        operands = product, first, second
        yield Instruction("mul", (half, type_), operands, instruction.guard, instruction.line)
        first, second = product, third[0]
    carry = CARRY if instruction.opcode[-1] == "c" else Integer(int(subtracts))
    made = Pair(target if isinstance(target, Register) else None, CARRY if "cc" in instruction.modifiers else None)
    modifiers = "sub" if subtracts else "add", f"u{WIDTHS[type_]}"
    yield Instruction("carried", modifiers, (made, first, second, carry), instruction.guard, instruction.line)


def _product(bits: int) -> Register:
    return Register(f"product of {bits} bits")


def without_clusters(function: Function) -> Function:
    """Replace the instructions for clusters, of one block each: barriers become the block's, all shared memory its own.

    An address in the shared memory of a block that is not in the cluster is outside of all arrays. PTX ISA, "Parallel
    Synchronization and Communication Instructions: barrier.cluster", "mapa" and "getctarank". Raises UnsupportedError
    for clusters of several blocks.
    """
    if function.cluster > 1:
        raise UnsupportedError(Lack.CLUSTERS, number=function.cluster)
    explicit = Integer(int(function.cluster > 0))
    return function.rewritten(lambda instruction: _of_block(instruction, explicit))


def _is_barrier(instruction: Instruction) -> bool:
    return instruction.opcode == "barrier" and "cluster" in instruction.modifiers


def _of_block(own: Instruction, explicit: Integer) -> tuple[Instruction, ...]:
    """Return the code of an instruction; none for an arrival, because the wait that follows it is the barrier."""
    if own.opcode == "mapa":
        return (_in_block(own),)
    if own.opcode == "getctarank":
        return (replace(own, opcode="mov", modifiers=("u32",), operands=(own.operands[0], Integer(0))),)
    if _is_barrier(own):
        waits = replace(own, modifiers=("sync",), operands=(_CLUSTER_BARRIER,))
        return (waits,) if "wait" in own.modifiers else ()
    return (_with_operand(own, _EXPLICIT, explicit),)


def _with_operand(instruction: Instruction, old: Operand, new: Operand) -> Instruction:
    """Return the instruction with one operand in place of another."""
    if old not in instruction.operands:
        return instruction
    return replace(instruction, operands=tuple(new if operand == old else operand for operand in instruction.operands))


def _in_block(mapa: Instruction) -> Instruction:
    """Return the instruction that computes an address in the shared memory of the block with a given number."""
    target, address, number = mapa.operands
    if number == Integer(0):
        return replace(mapa, opcode="mov", modifiers=types_of(mapa), operands=(target, address))
    product = ("wide", "u32") if types_of(mapa) == ("u64",) else ("lo", "u32")
    return replace(mapa, opcode="mad", modifiers=product, operands=(target, number, BLOCK_OF_CLUSTER, address))


def with_recorded_reads(function: Function, variables: Collection[Variable]) -> Function:
    """Return the function with the address of each read out of bounds of a `__constant__` variable in a register.

    Checked launches do not record reads at constant addresses, as in unrolled loops: a kernel may have very many.
    """
    sizes = {variable.name: variable.size for variable in variables if variable.space == "const"}
    registers = dict(function.registers)

    def recorded(instruction: Instruction) -> Iterator[Instruction]:
        if not _is_outside(instruction, sizes):
            yield instruction
            return
        start = Register(f"%outside{len(registers)}")
        registers[start.name] = "u64"
        yield from _through(instruction, start)

    return replace(function.rewritten(recorded), registers=registers)


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


def with_reserved_memory(function: Function) -> Function:
    """Return the kernel with a variable for the memory that a device reserves, if the kernel asks where it is.

    It lies below the kernel's own variables and is zero when a block starts, as on a device.
    """
    if not any(_RESERVED in instruction.operands for instruction in function.instructions):
        return function
    memory = Symbol(MEMORY.name)
    placed = function.rewritten(lambda instruction: [_with_operand(instruction, _RESERVED, memory)])
    return replace(placed, variables=(MEMORY, *function.variables))
