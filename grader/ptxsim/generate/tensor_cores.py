"""wmma and its loads and stores, mma (PTX ISA, "Warp-level matrix instructions").

The registers of a fragment are stored to memory unchanged. Tables give the place of each element, so that one small
function copies the elements to plain matrices, multiplies these, and copies the sum back. Products are exact; sums have
32 bits, or 64 for doubles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate import fragments
from grader.ptxsim.generate.addresses import WINDOWS, accessed, address_value, generic_addresses
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import constants, vector
from grader.ptxsim.generate.exits import fail, succeed
from grader.ptxsim.generate.fragments import Fragment, element_types, items, restore, save, shape, whole_warp
from grader.ptxsim.generate.layout import FaultKind
from grader.ptxsim.generate.operands import read
from grader.ptxsim.generate.tiles import move, multiplier, tile_mover
from grader.ptxsim.generate.traces import VALUE_BYTES, append_tile
from grader.ptxsim.generate.values import first_lane, scalar, spread
from grader.ptxsim.syntax.records import Instruction, Operand

Layout: TypeAlias = Callable[[int, int, str, int], Fragment]  # of rows, columns, a type and registers


def matrix(code: Code, instruction: Instruction) -> None:
    """Translate wmma.load, wmma.store and wmma.mma."""
    if "mma" in instruction.modifiers:
        _multiply(code, instruction, fragments.tile, fragments.tile, fragments.tile)
    elif "load" in instruction.modifiers:
        _load_tile(code, instruction)
    else:
        _store_tile(code, instruction)


def mma(code: Code, instruction: Instruction) -> None:
    """mma.sync with dense operands."""
    _multiply(code, instruction, fragments.accumulator, fragments.first, fragments.second)


def _multiply(code: Code, instruction: Instruction, of_sum: Layout, of_a: Layout, of_b: Layout) -> None:
    """Multiply fragments of which these functions say where the elements are."""
    whole_warp(code)
    (m, n, k), kinds = shape(instruction), element_types(instruction)
    if len(kinds) == 2:  # D and C; A and B are halves
        kinds = [kinds[0], "f16", "f16", kinds[1]]
    counts = [len(items(code, operand)) for operand in instruction.operands[:4]]
    made = zip((of_sum, of_a, of_b, of_sum), ((m, n), (m, k), (k, n), (m, n)), kinds, counts, strict=True)
    d, a, b, c = (make(*sides, kind, count) for make, sides, kind, count in made)
    memory = [
        save(code, f"tile{number}", items(code, operand), fragment)
        for number, (operand, fragment) in enumerate(zip(instruction.operands[1:4], (a, b, c), strict=True))
    ]
    out = code.temporary("tile3", 2 * LANES * 8 * 8)
    tables = [code.globals.table("i16", fragment.places()) for fragment in (a, b, c, d)]
    name = f"multiply_{a.rows}_{b.columns}_{a.columns}_{a.type}_{b.type}_{c.type}_{d.type}"
    code.globals.functions[name] = multiplier(
        code, name, (a.rows, b.columns, a.columns), (a.type, b.type, c.type, d.type)
    )
    arguments = ", ".join(f"ptr {pointer}" for pointer in (*memory, out, *tables))
    code.emitter.do(f"call void @{name}({arguments})")
    restore(code, out, items(code, instruction.operands[0]), d)


def _tile(code: Code, instruction: Instruction, operand: Operand) -> tuple[Fragment, bool]:
    """Return the fragment that wmma loads or stores, and whether its lines in memory are columns."""
    m, n, k = shape(instruction)
    which = next(name for name in ("a", "b", "c", "d") if name in instruction.modifiers)
    rows, columns = {"a": (m, k), "b": (k, n)}.get(which, (m, n))
    fragment = fragments.tile(rows, columns, element_types(instruction)[-1], len(items(code, operand)))
    return fragment, "col" in instruction.modifiers


def _load_tile(code: Code, instruction: Instruction) -> None:
    """wmma.load: copy a tile of memory to the registers of a fragment."""
    target = instruction.operands[0]
    fragment, by_column = _tile(code, instruction, target)
    packed = _transfer(code, instruction, fragment, by_column=by_column, write=False)
    out = code.temporary("tile3", 2 * LANES * 8 * 8)
    elements = fragment.elements()
    places = ((held, _place(fragment, *element, by_column=by_column)) for held, element in elements)
    move(code, fragment.size, out, packed, places)
    restore(code, out, items(code, target), fragment)


def _store_tile(code: Code, instruction: Instruction) -> None:
    """wmma.store: copy the registers of a fragment to a tile of memory."""
    source = instruction.operands[1]
    fragment, by_column = _tile(code, instruction, source)
    memory = save(code, "tile0", items(code, source), fragment)
    in_tile = (
        _place(fragment, row, column, by_column=by_column)
        for row in range(fragment.rows)
        for column in range(fragment.columns)
    )
    move(code, fragment.size, code.temporary("packed", 8192), memory, zip(in_tile, fragment.places(), strict=True))
    _transfer(code, instruction, fragment, by_column=by_column, write=True)


def _place(fragment: Fragment, row: int, column: int, *, by_column: bool) -> int:
    """Return where an element is in a tile whose lines follow each other."""
    return (column * fragment.rows + row if by_column else row * fragment.columns + column) * fragment.size


def _transfer(code: Code, instruction: Instruction, fragment: Fragment, *, by_column: bool, write: bool) -> str:
    """Copy the tile between memory and a buffer in which its lines are contiguous; return the buffer."""
    whole_warp(code)
    emitter, access = code.emitter, accessed(code, instruction)
    lines, length = (fragment.columns, fragment.rows) if by_column else (fragment.rows, fragment.columns)
    stride = str(length)
    if len(instruction.operands) > 2:
        stride = _uniform(code, spread(emitter, read(code, instruction.operands[2], "u32")), "i32")
    value = address_value(code, access.address)
    if value.varies:
        start = _uniform(code, generic_addresses(code, access), "i64")
    else:
        first = emitter.wide(value.element, first_lane(emitter, value))
        start = emitter.pure(f"add i64 {first}, {WINDOWS.get(access.space, 0)}")
    packed = code.temporary("packed", 8192)
    if code.kernel.traced:
        size, starts = length * fragment.size, _line_starts(code, start, stride, fragment.size)
        append_tile(code, size, starts, lines, _line_values(code, packed, lines, size) if write else "")
    code.globals.functions["tiles"] = tile_mover()
    extent = f"i32 {stride}, i32 {lines}, i32 {length}, i32 {fragment.size}"
    given = f"i64 {start}, {extent}, ptr {packed}, i32 {int(write)}, i32 {code.place()}"
    succeed(code, f"@tile_transfer(ptr %m, ptr %w, {given})")
    return packed


def _line_starts(code: Code, start: str, stride: str, size: int) -> str:
    """Return the vector of the addresses at which a tile's lines begin."""
    emitter = code.emitter
    step = emitter.op(f"mul i64 {emitter.op(f'zext i32 {stride} to i64')}, {size}")
    first, steps = (spread(emitter, scalar("i64", name)) for name in (start, step))
    v = vector("i64")
    moved = emitter.op(f"mul {v} {steps}, {constants('i64', range(LANES))}")
    return emitter.op(f"add {v} {first}, {moved}")


def _line_values(code: Code, packed: str, lines: int, size: int) -> str:
    """Return where the lines are as a trace has them, from a buffer with `size` bytes of each line after the other."""
    parts = size // VALUE_BYTES
    values = code.temporary("line_values", parts * VALUE_BYTES * LANES)
    to = ((part * LANES + line) * VALUE_BYTES for line in range(lines) for part in range(parts))
    move(code, VALUE_BYTES, values, packed, zip(to, range(0, lines * size, VALUE_BYTES), strict=True))
    return values


def _uniform(code: Code, name: str, element: str) -> str:
    """Return the value that all lanes of a vector share, and write the code for a fault if they differ."""
    emitter, v = code.emitter, vector(element)
    single = emitter.op(f"extractelement {v} {name}, i32 0")
    differs = emitter.op(f"icmp ne {v} {name}, {emitter.broadcast(element, single)}")
    other = emitter.op(f"bitcast <{LANES} x i1> {differs} to i32")
    with emitter.unless(emitter.op(f"icmp eq i32 {other}, 0")):
        fail(code, FaultKind.TILE_DIFFERS, other)
    return single
