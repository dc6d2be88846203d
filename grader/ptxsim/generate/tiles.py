"""Functions that move and multiply tiles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import BITS, Emitter
from grader.ptxsim.generate.fragments import SIZES
from grader.ptxsim.generate.halves import narrow, widen
from grader.ptxsim.generate.ir_text import ir_text
from grader.ptxsim.generate.operations import Writer
from grader.ptxsim.generate.values import LaneType as Type

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
