"""wmma, mma, ldmatrix (PTX ISA, "Warp-level matrix instructions").

Registers of a fragment are stored as they are; tables say where each element lies, so that one small function moves
them to plain matrices, multiplies, and moves the sum back. Products are exact and are added in 32 bits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.worker.ptx.analysis.shape import LANES
from grader.worker.ptx.engine.layout import Kind
from grader.worker.ptx.generate import fragments
from grader.worker.ptx.generate.addresses import WINDOWS, Access, address_value, generic_addresses
from grader.worker.ptx.generate.code import Code
from grader.worker.ptx.generate.emitter import vector
from grader.worker.ptx.generate.fragments import Fragment
from grader.worker.ptx.generate.tiles import MOVE, multiplier, tile_mover
from grader.worker.ptx.generate.values import first_lane, lanes, spread
from grader.worker.ptx.syntax.records import Address, Instruction, Operand, Register, Vector

_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_SPACES = {"global": "global", "shared": "shared", "shared::cta": "shared"}
_ELEMENTS = {"f64": ("double", "f64")}


def _items(code: Code, operand: Operand) -> tuple[Operand, ...]:
    if not isinstance(operand, Vector):
        if isinstance(operand, Register):
            return (operand,)
        raise code.unsupported()
    return operand.items


def _shape(code: Code, instruction: Instruction) -> tuple[int, int, int]:
    found = next((m for m in map(_SHAPE.fullmatch, instruction.modifiers) if m), None)
    if found is None:
        raise code.unsupported()
    return int(found[1]), int(found[2]), int(found[3])


def _types(code: Code, instruction: Instruction) -> list[str]:
    kinds = [modifier for modifier in instruction.modifiers if modifier in fragments.SIZES]
    if not kinds or {"b1", "s4", "u4", "e4m3", "e5m2", "satfinite", "kind::f8f6f4"} & set(instruction.modifiers):
        raise code.unsupported()
    return kinds


def _whole_warp(code: Code) -> None:
    """All 32 lanes have to be here: an incomplete warp is a fault, and lanes elsewhere a case for the general code."""
    emitter = code.emitter
    whole = emitter.op(f"icmp eq i32 {code.warp('started', 'i32')}, -1")
    good, bad = emitter.new_label("full"), emitter.new_label("partial")
    known = emitter.keep()
    emitter.do(f"br i1 {whole}, label %{good}, label %{bad}, !prof !0")
    emitter.inner_label(bad)
    code.fail(Kind.WARP_PARTIAL, code.active)
    emitter.inner_label(good)
    emitter.restore(known)
    code.require(emitter.op(f"icmp eq i32 {code.active}, -1"))


def _save(code: Code, name: str, items: Sequence[Operand], fragment: Fragment) -> str:
    """Store the registers of a fragment, and return where."""
    element, type_ = ("double", "f64") if fragment.type == "f64" else ("i32", "b32")
    word = max(4, fragment.size)
    memory = code.temporary(name, 2 * LANES * word * max(8, len(items)))
    for number, item in enumerate(items):
        value = spread(code.emitter, code.read(item, type_))
        code.emitter.store(vector(element), value, memory, number * LANES * word, 64)
    return memory


def _restore(code: Code, memory: str, items: Sequence[Operand], fragment: Fragment) -> None:
    element = "double" if fragment.type == "f64" else "i32"
    word = max(4, fragment.size)
    for number, item in enumerate(items):
        if isinstance(item, Register):
            code.write(item, lanes(element, code.emitter.load(vector(element), memory, number * LANES * word, 64)))


def matrix(code: Code, instruction: Instruction) -> None:
    """Wmma in all its forms."""
    if "mma" in instruction.modifiers:
        _multiply(code, instruction, *_wmma_fragments(code, instruction))
    elif "load" in instruction.modifiers:
        _load(code, instruction)
    else:
        _store(code, instruction)


def _wmma_fragments(code: Code, instruction: Instruction) -> tuple[Fragment, Fragment, Fragment, Fragment]:
    m, n, k = _shape(code, instruction)
    kinds = _types(code, instruction)
    counts = [len(_items(code, operand)) for operand in instruction.operands]
    if len(kinds) == 2:  # D and C; A and B are halves
        kinds = [kinds[0], "f16", "f16", kinds[1]]
    if len(kinds) != 4:
        raise code.unsupported()
    return (
        fragments.tile(m, n, kinds[0], counts[0]),
        fragments.tile(m, k, kinds[1], counts[1]),
        fragments.tile(k, n, kinds[2], counts[2]),
        fragments.tile(m, n, kinds[3], counts[3]),
    )


def mma(code: Code, instruction: Instruction) -> None:
    """mma.sync with dense operands."""
    m, n, k = _shape(code, instruction)
    kinds = _types(code, instruction)
    counts = [len(_items(code, operand)) for operand in instruction.operands[:4]]
    if {"sp", "sp::ordered_metadata", "block_scale"} & set(instruction.modifiers) or len(kinds) != 4:
        raise code.unsupported()
    if (m, n, k) == (8, 8, 4) and set(kinds) == {"f64"}:
        a, b, c = fragments.doubles()
        _multiply(code, instruction, c, a, b, c)
        return
    if (m, n) != (16, 8) or "f64" in kinds:
        raise code.unsupported()
    _multiply(
        code,
        instruction,
        fragments.accumulator(kinds[0], counts[0]),
        fragments.first(k, kinds[1], counts[1]),
        fragments.second(k, kinds[2], counts[2]),
        fragments.accumulator(kinds[3], counts[3]),
    )


def _multiply(code: Code, instruction: Instruction, d: Fragment, a: Fragment, b: Fragment, c: Fragment) -> None:
    _whole_warp(code)
    memory = [
        _save(code, f"tile{number}", _items(code, operand), fragment)
        for number, (operand, fragment) in enumerate(zip(instruction.operands[1:4], (a, b, c), strict=True))
    ]
    out = code.temporary("tile3", 2 * LANES * 8 * 8)
    tables = [code.byte_table(fragment.places()) for fragment in (a, b, c, d)]
    name = f"multiply_{a.rows}_{b.columns}_{a.columns}_{a.type}_{b.type}_{c.type}_{d.type}"
    code.functions[name] = multiplier(code, name, (a.rows, b.columns, a.columns), (a.type, b.type, c.type, d.type))
    arguments = ", ".join(f"ptr {pointer}" for pointer in (*memory, out, *tables))
    code.emitter.do(f"call void @{name}({arguments})")
    _restore(code, out, _items(code, instruction.operands[0]), d)


def _tile(code: Code, instruction: Instruction, operand: Operand) -> tuple[Fragment, bool]:
    """Return the fragment that wmma loads or stores, and whether its lines in memory are columns."""
    m, n, k = _shape(code, instruction)
    which = next(name for name in ("a", "b", "c", "d") if name in instruction.modifiers)
    rows, columns = {"a": (m, k), "b": (k, n)}.get(which, (m, n))
    fragment = fragments.tile(rows, columns, _types(code, instruction)[-1], len(_items(code, operand)))
    return fragment, "col" in instruction.modifiers


def _load(code: Code, instruction: Instruction) -> None:
    target, address = instruction.operands[:2]
    fragment, by_column = _tile(code, instruction, target)
    packed = _transfer(code, instruction, fragment, address, by_column=by_column, write=False)
    lines = fragment.rows if by_column else fragment.columns
    out = code.temporary("tile3", 2 * LANES * 8 * 8)
    held = fragment.elements()
    to = code.byte_table([place for place, _ in held])
    order = [(c * lines + r if by_column else r * lines + c) * fragment.size for _, (r, c) in held]
    _move(code, fragment.size, out, to, packed, code.byte_table(order), len(held))
    _restore(code, out, _items(code, target), fragment)


def _store(code: Code, instruction: Instruction) -> None:
    address, source = instruction.operands[:2]
    fragment, by_column = _tile(code, instruction, source)
    memory = _save(code, "tile0", _items(code, source), fragment)
    lines = fragment.rows if by_column else fragment.columns
    order = [
        (c * lines + r if by_column else r * lines + c) * fragment.size
        for r in range(fragment.rows)
        for c in range(fragment.columns)
    ]
    packed = code.temporary("packed", 4096)
    _move(code, fragment.size, packed, code.byte_table(order), memory, code.byte_table(fragment.places()), len(order))
    _transfer(code, instruction, fragment, address, by_column=by_column, write=True)


def _move(code: Code, size: int, to: str, places: str, source: str, order: str, count: int) -> None:
    code.functions[f"move{size}"] = MOVE.format(size=size, type=f"i{8 * size}")
    code.emitter.do(f"call void @move_{size}(ptr {to}, ptr {places}, ptr {source}, ptr {order}, i32 {count})")


def _transfer(
    code: Code, instruction: Instruction, fragment: Fragment, address: Operand, *, by_column: bool, write: bool
) -> str:
    """Copy the tile between memory and a buffer in which its lines follow each other; return the buffer."""
    _whole_warp(code)
    emitter = code.emitter
    if not isinstance(address, Address):
        raise code.unsupported()
    space = next((_SPACES[name] for name in instruction.modifiers if name in _SPACES), "generic")
    lines, length = (fragment.columns, fragment.rows) if by_column else (fragment.rows, fragment.columns)
    stride = str(length)
    if len(instruction.operands) > 2:
        stride = _uniform(code, spread(emitter, code.read(instruction.operands[2], "u32")), "i32")
    value = address_value(code, address)
    if value.vector or value.groups > 1 or any(value.offsets):
        start = _uniform(code, generic_addresses(code, Access(space, address, "b32", 1)), "i64")
    else:
        name = first_lane(emitter, value)
        wide = emitter.pure(f"zext {value.element} {name} to i64") if value.element != "i64" else name
        start = emitter.pure(f"add i64 {wide}, {WINDOWS.get(space, 0)}")
    packed = code.temporary("packed", 4096)
    code.functions["tiles"] = tile_mover()
    went = emitter.op(
        f"call i1 @tile_transfer(ptr %m, ptr %w, i64 {start}, i32 {stride}, i32 {lines}, i32 {length}, "
        f"i32 {fragment.size}, ptr {packed}, i32 {int(write)}, i32 {code.place()})"
    )
    code.succeed(went)
    return packed


def _uniform(code: Code, name: str, element: str) -> str:
    """Return what all lanes of a vector hold; a fault where they differ."""
    emitter, v = code.emitter, vector(element)
    single = emitter.op(f"extractelement {v} {name}, i32 0")
    first = emitter.op(f"insertelement {v} poison, {element} {single}, i32 0")
    all_ = emitter.op(f"shufflevector {v} {first}, {v} poison, <{LANES} x i32> zeroinitializer")
    other = emitter.op(f"bitcast <{LANES} x i1> {emitter.op(f'icmp ne {v} {name}, {all_}')} to i32")
    alike = emitter.op(f"icmp eq i32 {other}, 0")
    good, bad = emitter.new_label("alike"), emitter.new_label("differ")
    known = emitter.keep()
    emitter.do(f"br i1 {alike}, label %{good}, label %{bad}, !prof !0")
    emitter.inner_label(bad)
    code.fail(Kind.TILE_DIFFERS, other)
    emitter.inner_label(good)
    emitter.restore(known)
    return single


def load_matrices(code: Code, instruction: Instruction) -> None:
    """ldmatrix: rows of 16 bytes, each named by a lane, spread over the warp."""
    count = {"x1": 1, "x2": 2, "x4": 4}.get(next((m for m in instruction.modifiers if m[0] == "x"), ""), 0)
    address = instruction.operands[1]
    if not count or "m8n8" not in instruction.modifiers or not isinstance(address, Address):
        raise code.unsupported()
    _whole_warp(code)
    emitter = code.emitter
    space = next((_SPACES[name] for name in instruction.modifiers if name in _SPACES), "generic")
    places, rows = code.temporary("addresses", 8 * LANES), code.temporary("values", 16 * LANES)
    emitter.store(vector("i64"), generic_addresses(code, Access(space, address, "b32", 4)), places, 0, 8)
    mask = -1 if count == 4 else (1 << 8 * count) - 1
    gather = code.mover(4, 4, write=False)
    went = emitter.op(f"call i1 @{gather}(ptr %m, ptr %w, ptr {places}, i32 {mask}, ptr {rows}, i32 {code.place()})")
    code.succeed(went)
    order, to = [], []
    for number in range(count):
        for lane in range(LANES):
            for part in range(2):
                row, column = lane // 4, lane % 4 * 2 + part
                if "trans" in instruction.modifiers:
                    row, column = column, row
                to.append(number * 4 * LANES + 4 * lane + 2 * part)
                order.append((column // 2) * 4 * LANES + 4 * (number * 8 + row) + 2 * (column % 2))
    out = code.temporary("tile3", 2 * LANES * 8 * 8)
    _move(code, 2, out, code.byte_table(to), rows, code.byte_table(order), len(to))
    _restore(code, out, _items(code, instruction.operands[0]), fragments.tile(8, 8 * count, "f16", count))
