"""The registers that an instruction reads and writes (PTX ISA, "Instruction Set"), and those that are live at a place.

A set of registers is an integer with a bit for each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from grader.ptxsim.analysis.graph import EXIT, Block, Graph, guard_registers
from grader.ptxsim.syntax.records import Address, Instruction, Negated, Operand, Pair, Register, Vector

# Instructions whose first operand is not a result.
_NO_RESULT = frozenset({
    *("st", "stmatrix", "red", "cp", "membar", "fence", "prefetch", "prefetchu", "applypriority", "discard"),
    *("nanosleep", "trap", "brkpt", "assert", "overflow", "call", "free", "within"),
    *("pmevent", "griddepcontrol", "setmaxnreg"),
})  # fmt: skip
_MAY_LACK_A_RESULT = _NO_RESULT | {"bar", "barrier", "wmma", "mbarrier"}


@dataclass(frozen=True, slots=True)
class Liveness:
    """Sets of registers for each block. `numbers` is the bit of each register, `listed` the register of each bit."""

    numbers: Mapping[str, int]
    listed: tuple[str, ...]
    live_in: tuple[int, ...]
    live_out: tuple[int, ...]
    written: tuple[int, ...]

    def names(self, registers: int) -> list[str]:
        """Return the names in a set of registers, in order of their bits."""
        digits, names = f"{registers:b}"[::-1], []
        at = digits.find("1")
        while at >= 0:
            names.append(self.listed[at])
            at = digits.find("1", at + 1)
        return names

    def mentioned(self, block: Block) -> int:
        """Return the registers that a block reads or writes."""
        bits = _bits(guard_registers(block), self.numbers)
        for instruction in block.instructions:
            bits |= _bits((*results(instruction), *sources(instruction)), self.numbers)
        return bits


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


def liveness(graph: Graph) -> Liveness:
    """Return the registers that are live at the start and at the end of each block."""
    numbers = _numbers(graph)
    read, killed, written = zip(*(_summary(block, numbers) for block in graph.blocks), strict=True)
    count = len(graph.blocks)
    live_in, live_out = [0] * count, [0] * count
    predecessors = graph.predecessors()
    todo = set(range(count))
    while todo:
        number = max(todo)
        todo.discard(number)
        out = 0
        for successor in graph.blocks[number].successors:
            out |= live_in[successor] if successor != EXIT else 0
        live_out[number] = out
        live = read[number] | (out & ~killed[number])
        if live != live_in[number]:
            live_in[number] = live
            todo.update(predecessors[number])
    return Liveness(numbers, tuple(numbers), tuple(live_in), tuple(live_out), tuple(written))


def live_behind(block: Block, place: int, live_out: int, numbers: Mapping[str, int]) -> int:
    """Return the registers that are live after the instruction at index `place` of a block."""
    live = live_out | _bits(guard_registers(block), numbers)
    for instruction in reversed(block.instructions[place + 1 :]):
        live = before(instruction, live, numbers)
    return live


def is_needed(block: Block, place: int, live_out: int, numbers: Mapping[str, int]) -> bool:
    """Whether a result of the instruction at index `place` of a block is read. Usually it is read soon after."""
    unread = {register.name for register in results(block.instructions[place])}
    for instruction in islice(block.instructions, place + 1, None):
        if any(register.name in unread for register in sources(instruction)):
            return True
        if instruction.guard is None:
            unread.difference_update(register.name for register in results(instruction))
            if not unread:
                return False
    live = live_out | _bits(guard_registers(block), numbers)
    return any(live >> numbers[name] & 1 for name in unread)


def before(instruction: Instruction, live: int, numbers: Mapping[str, int]) -> int:
    """Return the registers that are live before an instruction, given those that are `live` after it."""
    if instruction.guard is None:
        live &= ~_bits(results(instruction), numbers)
    return live | _bits(sources(instruction), numbers)


def _summary(block: Block, numbers: Mapping[str, int]) -> tuple[int, int, int]:
    """Return the registers that a block reads before writing them, that it always writes, and that it may write."""
    read = killed = written = 0
    for instruction in block.instructions:
        read |= _bits(sources(instruction), numbers) & ~killed
        set_here = _bits(results(instruction), numbers)
        written |= set_here
        killed |= set_here if instruction.guard is None else 0
    return read | (_bits(guard_registers(block), numbers) & ~killed), killed, written


def _numbers(graph: Graph) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for block in graph.blocks:
        for instruction in block.instructions:
            for register in (*results(instruction), *sources(instruction)):
                numbers.setdefault(register.name, len(numbers))
        for register in guard_registers(block):
            numbers.setdefault(register.name, len(numbers))
    return numbers


def _bits(registers: Iterable[Register], numbers: Mapping[str, int]) -> int:
    bits = 0
    for register in registers:
        bits |= 1 << numbers[register.name]
    return bits
