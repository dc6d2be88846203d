"""Which lane holds which element of a tile, in which register, and the registers of a fragment in memory.

For mma as PTX ISA, "Warp-level matrix instructions: mma", defines it. For wmma, whose layout is not specified: elements
in order of rows, equally many in each lane, and again from the first one on where a fragment has more room.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import vector
from grader.ptxsim.generate.exits import fail, require
from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.values import lanes, spread
from grader.ptxsim.syntax.records import Instruction, Operand, Register, Vector

Spot = Callable[[int, int], tuple[int, int]]  # lane and number of the element in the lane, to row and column

SIZES = {"f16": 2, "bf16": 2, "tf32": 4, "f32": 4, "f64": 8, "s8": 1, "u8": 1, "s32": 4}
MOST_REGISTERS = 16  # of a fragment: no instruction has more
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")


@dataclass(frozen=True, slots=True)
class Fragment:
    """A tile of rows and columns in a number of registers of each lane."""

    rows: int
    columns: int
    type: str
    registers: int
    spot: Spot

    @property
    def size(self) -> int:
        return SIZES[self.type]

    @property
    def each(self) -> int:
        """Elements in a lane."""
        return self.registers * max(4, self.size) // self.size

    def places(self) -> list[int]:
        """Return, for each element in order of rows, where it lies among the registers, in bytes."""
        places: dict[tuple[int, int], int] = {}
        for lane in range(LANES):
            for number in range(self.each):
                places.setdefault(self.spot(lane, number), self.place(lane, number))
        return [places[row, column] for row in range(self.rows) for column in range(self.columns)]

    def elements(self) -> list[tuple[int, tuple[int, int]]]:
        """Return place among the registers, and row and column, of everything a fragment holds."""
        return [
            (self.place(lane, number), self.spot(lane, number)) for lane in range(LANES) for number in range(self.each)
        ]

    def place(self, lane: int, number: int) -> int:
        """Return where an element lies when each register is stored as 32 lanes."""
        word = max(4, self.size)
        many = word // self.size
        return (number // many) * LANES * word + lane * word + (number % many) * self.size


def tile(rows: int, columns: int, type_: str, registers: int) -> Fragment:
    """Return the fragment of a wmma instruction."""
    each = rows * columns // LANES

    def spot(lane: int, number: int) -> tuple[int, int]:
        return divmod(lane * each + number % each, columns)

    return Fragment(rows, columns, type_, registers, spot)


def _in_rows(rows: int, columns: int, type_: str, registers: int, neighbours: int) -> Fragment:
    """Return the fragment of mma in which four lanes share a row, with so many neighbours in each at a time."""

    def spot(lane: int, number: int) -> tuple[int, int]:
        piece, part = divmod(number, neighbours)
        right, down = divmod(piece, rows // 8)
        return lane // 4 + 8 * down, (lane % 4 + 4 * right) * neighbours + part

    return Fragment(rows, columns, type_, registers, spot)


def accumulator(rows: int, columns: int, type_: str, registers: int) -> Fragment:
    """Return the fragment of C and D of mma."""
    return _in_rows(rows, columns, type_, registers, 2)


def first(rows: int, depth: int, type_: str, registers: int) -> Fragment:
    """Return the fragment of A of mma: the elements of a register are neighbours in a row."""
    return _in_rows(rows, depth, type_, registers, max(1, 4 // SIZES[type_]))


def second(depth: int, columns: int, type_: str, registers: int) -> Fragment:
    """Return the fragment of B of mma: as that of A, with columns for rows."""
    across = first(columns, depth, type_, registers)
    return Fragment(depth, columns, type_, registers, lambda lane, number: across.spot(lane, number)[::-1])


def items(code: Code, operand: Operand) -> tuple[Operand, ...]:
    """Return the registers of an operand."""
    if not isinstance(operand, Vector):
        if isinstance(operand, Register):
            return (operand,)
        raise code.unsupported()
    if len(operand.items) > MOST_REGISTERS:
        raise code.unsupported()
    return operand.items


def shape(instruction: Instruction) -> tuple[int, int, int]:
    """Return M, N and K of an instruction."""
    match = next(m for m in map(_SHAPE.fullmatch, instruction.modifiers) if m)
    return int(match[1]), int(match[2]), int(match[3])


def element_types(instruction: Instruction) -> list[str]:
    """Return the types of its matrices, in the instruction's order."""
    return [modifier for modifier in instruction.modifiers if modifier in SIZES]


def whole_warp(code: Code) -> None:
    """Require all 32 lanes: an incomplete warp is a fault; if lanes are elsewhere, the general code takes over."""
    emitter = code.emitter
    alive = emitter.op(f"load i32, ptr {code.entry.alive}")  # neither beyond the block's last thread nor returned
    with emitter.unless(emitter.op(f"icmp eq i32 {alive}, -1")):
        fail(code, FaultKind.WARP_PARTIAL, code.active)
    require(code, emitter.op(f"icmp eq i32 {code.active}, -1"))


def save(code: Code, name: str, items: Sequence[Operand], fragment: Fragment) -> str:
    """Store the registers of a fragment, and return where."""
    element, type_ = ("double", "f64") if fragment.type == "f64" else ("i32", "b32")
    word = max(4, fragment.size)
    memory = code.temporary(name, 2 * LANES * word * max(8, len(items)))
    for number, item in enumerate(items):
        value = spread(code.emitter, read(code, item, type_))
        code.emitter.store(vector(element), value, memory, number * LANES * word, 64)
    return memory


def restore(code: Code, memory: str, items: Sequence[Operand], fragment: Fragment) -> None:
    """Write the registers of a fragment from memory with the layout of `save`."""
    element = "double" if fragment.type == "f64" else "i32"
    word = max(4, fragment.size)
    for number, item in enumerate(items):
        if isinstance(item, Register):
            code.write(item, lanes(element, code.emitter.load(vector(element), memory, number * LANES * word, 64)))
