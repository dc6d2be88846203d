"""Tiles of a warp: functions that move and multiply them; ldmatrix and stmatrix, for 8 rows of 8 numbers of 16 bits.

PTX ISA, "Warp-level matrix instructions". In registers, each lane holds two neighbours of a row. In memory, each row is
16 bytes at the address of one lane.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate import fragments
from grader.ptxsim.generate.addresses import accessed, generic_addresses
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import BITS, Emitter
from grader.ptxsim.generate.exits import succeed
from grader.ptxsim.generate.fragments import SIZES, Fragment, items, restore, save, whole_warp
from grader.ptxsim.generate.halves import narrow, widen
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.operations import Writer
from grader.ptxsim.generate.traces import append_tile
from grader.ptxsim.generate.values import LaneType as Type
from grader.ptxsim.syntax.records import Instruction

TILE_ALIGNMENT = 32  # bytes: CUDA C++ Programming Guide, "Warp Matrix Functions": a 256-bit aligned pointer


def tile_mover() -> str:
    """Return the function that copies the lines of a tile between memory and a buffer, with bounds checks."""
    return ir_text("tile_transfer", alignment=TILE_ALIGNMENT, below_alignment=TILE_ALIGNMENT - 1)


def multiplier(code: Code, name: str, shape: Sequence[int], types: Sequence[str]) -> str:
    """Return the function that multiplies two tiles and adds a third, each given as stored registers."""
    m, n, k = shape
    element = "double" if types[3] == "f64" else "i32" if types[3] == "s32" else "float"
    emitter, row, bits = code.emitter.sibling(), f"<{n} x {element}>", BITS[element]
    counts = {"a": m * k, "b": k * n, "c": m * n}
    reads = "".join(_read(emitter, x, type_, element, counts[x]) for x, type_ in zip("abc", types[:3], strict=True))
    if element == "i32":
        add = f"  %term = mul {row} %all, %other\n  %sum1 = add {row} %sum, %term"
    else:
        emitter.declare(row, f"llvm.fma.v{n}f{bits}", [row, row, row])
        add = f"  %sum1 = call {row} @llvm.fma.v{n}f{bits}({row} %all, {row} %other, {row} %sum)"
    value, stored = "%whole", element
    if types[3] == "f16":
        value, stored = narrow(Writer(emitter, Type("float", is_vector=False)), value, "f16"), "i16"
    return ir_text(
        "multiply",
        name=name,
        m=m,
        n=n,
        k=k,
        element=element,
        row=row,
        size=bits // 8,
        reads=reads,
        add=add,
        narrowed=_taken(emitter),
        value=value,
        stored=stored,
        **{f"count_{x}": count for x, count in counts.items()},
    )


def _read(emitter: Emitter, x: str, type_: str, element: str, count: int) -> str:
    """Return the loop that copies a fragment's elements to a matrix."""
    value = _converted(emitter, f"%raw{x}", type_)
    return ir_text(
        "read_fragment",
        x=x,
        bits=8 * SIZES[type_],
        converted=_taken(emitter),
        value=value,
        element=element,
        count=count,
        following={"a": "b", "b": "c", "c": "product"}[x],
    )


def _taken(emitter: Emitter) -> str:
    """Return the lines that were written, and begin anew."""
    lines, emitter.lines = emitter.lines, []
    return "\n".join(lines)


def _converted(emitter: Emitter, raw: str, type_: str) -> str:
    """Return an element as a number of the sum's type. Tensor cores read the upper 19 bits of a tf32."""
    if type_ in {"f16", "bf16"}:
        return widen(Writer(emitter, Type("i16", is_vector=False)), raw, type_)
    if type_ == "tf32":
        return emitter.op(f"bitcast i32 {emitter.op(f'and i32 {raw}, -8192')} to float")
    if type_ in {"s8", "u8"}:
        return emitter.op(f"{'sext' if type_ == 's8' else 'zext'} i8 {raw} to i32")
    if type_ == "s32":
        return raw
    return emitter.op(f"bitcast i{8 * SIZES[type_]} {raw} to {'double' if type_ == 'f64' else 'float'}")


def move(code: Code, size: int, to: str, source: str, places: Iterable[tuple[int, int]]) -> None:
    """Write a call that copies elements between `places`: each is where one goes, and where it comes from, in bytes."""
    code.globals.functions[f"move{size}"] = ir_text("move_elements", size=size, type=f"i{8 * size}")
    goes, comes = zip(*places, strict=True)
    tables = f"ptr {to}, ptr {code.globals.table('i16', goes)}, ptr {source}, ptr {code.globals.table('i16', comes)}"
    code.emitter.do(f"call void @move_{size}({tables}, i32 {len(goes)})")


_COUNTS = {"x1": 1, "x2": 2, "x4": 4}
_WORDS = 4  # of 32 bits in a row


def load_matrices(code: Code, instruction: Instruction) -> None:
    """ldmatrix: load the rows, and distribute them over the warp."""
    fragment, target = _fragment(instruction), instruction.operands[0]
    rows = _access(code, instruction, fragment.registers, write=False)
    out = code.temporary("tile3", 2 * LANES * 8 * 8)
    move(code, 2, out, rows, _places(instruction, fragment.registers))
    restore(code, out, items(code, target), fragment)


def store_matrices(code: Code, instruction: Instruction) -> None:
    """stmatrix: collect the rows from the warp, and store them."""
    fragment, source = _fragment(instruction), instruction.operands[1]
    registers = save(code, "tile0", items(code, source), fragment)
    rows = code.temporary("values", 16 * LANES)
    move(code, 2, rows, registers, (places[::-1] for places in _places(instruction, fragment.registers)))
    _access(code, instruction, fragment.registers, write=True)


def _fragment(instruction: Instruction) -> Fragment:
    count = next(_COUNTS[name] for name in instruction.modifiers if name in _COUNTS)
    return fragments.tile(8, 8 * count, "f16", count)


def _access(code: Code, instruction: Instruction, count: int, *, write: bool) -> str:
    """Read or write the rows of matrices; return where they are, as functions that move memory have them."""
    whole_warp(code)
    rows = code.temporary("values", 16 * LANES)
    addresses = generic_addresses(code, accessed(code, instruction))
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
