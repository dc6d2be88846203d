"""ldmatrix, stmatrix (PTX ISA, "Warp-level matrix instructions"): 8 rows of 8 numbers of 16 bits.

In registers, each lane holds two neighbours of a row. In memory, each row is 16 bytes at the address of one lane.
"""

from __future__ import annotations

from collections.abc import Iterator

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate import fragments
from grader.ptxsim.generate.addresses import Access, generic_addresses, space_of
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.exits import succeed
from grader.ptxsim.generate.fragments import Fragment, items, restore, save, whole_warp
from grader.ptxsim.generate.tiles import move
from grader.ptxsim.generate.traces import append_tile
from grader.ptxsim.syntax.records import Address, Instruction, Operand

_COUNTS = {"x1": 1, "x2": 2, "x4": 4}
_WORDS = 4  # of 32 bits in a row


def load_matrices(code: Code, instruction: Instruction) -> None:
    """ldmatrix: load the rows, and distribute them over the warp."""
    target, address = instruction.operands
    fragment = _fragment(instruction)
    rows = _access(code, instruction, address, fragment.registers, write=False)
    out = code.temporary("tile3", 2 * LANES * 8 * 8)
    move(code, 2, out, rows, _places(instruction, fragment.registers))
    restore(code, out, items(code, target), fragment)


def store_matrices(code: Code, instruction: Instruction) -> None:
    """stmatrix: collect the rows from the warp, and store them."""
    address, source = instruction.operands
    fragment = _fragment(instruction)
    registers = save(code, "tile0", items(code, source), fragment)
    rows = code.temporary("values", 16 * LANES)
    move(code, 2, rows, registers, (places[::-1] for places in _places(instruction, fragment.registers)))
    _access(code, instruction, address, fragment.registers, write=True)


def _fragment(instruction: Instruction) -> Fragment:
    count = next(_COUNTS[name] for name in instruction.modifiers if name in _COUNTS)
    return fragments.tile(8, 8 * count, "f16", count)


def _access(code: Code, instruction: Instruction, address: Operand, count: int, *, write: bool) -> str:
    """Read or write the rows of matrices; return where they are, as functions that move memory have them."""
    if not isinstance(address, Address):
        raise code.unsupported()
    whole_warp(code)
    rows = code.temporary("values", 16 * LANES)
    addresses = generic_addresses(code, Access(space_of(instruction), address, "b32", 4))
    if code.kernel.traced:
        values = _row_values(code, rows, 8 * count) if write else ""
        append_tile(code, 4 * _WORDS, addresses, 8 * count, values)
    places = code.in_memory("addresses", "i64", addresses)
    mask = -1 if count == 4 else (1 << 8 * count) - 1
    mover = code.globals.mover(4, 4, "scatter" if write else "gather")
    succeed(code, f"@{mover}(ptr %m, ptr %w, ptr {places}, i32 {mask}, ptr {rows}, i32 {code.place()})")
    return rows


def _row_values(code: Code, rows: str, count: int) -> str:
    """Return where the rows are as a trace has them, in pairs of words."""
    values = code.temporary("row_values", 4 * _WORDS * LANES)
    each = ((word, row) for word in range(_WORDS) for row in range(count))
    places = ((word // 2 * 8 * LANES + 8 * row + word % 2 * 4, 4 * (word * LANES + row)) for word, row in each)
    move(code, 4, values, rows, places)
    return values


def _places(instruction: Instruction, count: int) -> Iterator[tuple[int, int]]:
    """Yield where each number is, in bytes: among the registers, and among the rows."""
    for number in range(count):
        for lane in range(LANES):
            for part in range(2):
                row, column = lane // 4, lane % 4 * 2 + part
                if "trans" in instruction.modifiers:
                    row, column = column, row
                of_row = column // 2 * 4 * LANES + 4 * (number * 8 + row) + column % 2 * 2
                yield number * 4 * LANES + 4 * lane + 2 * part, of_row
