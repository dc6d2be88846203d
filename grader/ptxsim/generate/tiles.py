"""Functions that move and multiply tiles."""

from __future__ import annotations

from collections.abc import Sequence

from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import Emitter
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
    emitter = code.emitter.sibling()
    size = 8 if element == "double" else 4
    counts = (m * k, k * n, m * n)
    for letter, type_, count in zip("abc", types[:3], counts, strict=True):
        _copy_to_matrix(emitter, letter, type_, element, count)
    _multiply_and_add(emitter, element, m, n, k, size)
    _copy_to_registers(emitter, types[3], element, m * n)
    body = "\n".join(emitter.lines)
    arrays = "\n".join(
        f"  %m{letter} = alloca [{c * size} x i8], align 64" for letter, c in zip("abcd", (*counts, m * n), strict=True)
    )
    arguments = ", ".join(f"ptr %{x}" for x in ("ra", "rb", "rc", "rd", "ta", "tb", "tc", "td"))
    return f"define internal void @{name}({arguments}) noinline {{\nentry:\n{arrays}\n  br label %a\n{body}\n  ret void\n}}\n"


def _copy_to_matrix(emitter: Emitter, letter: str, type_: str, element: str, count: int) -> None:
    """Write the loop that copies a fragment's elements to a matrix."""
    following = {"a": "b", "b": "c", "c": "product"}[letter]
    emitter.lines += [f"{letter}:", f"  br label %{letter}.loop", f"{letter}.loop:"]
    emitter.lines.append(f"  %i{letter} = phi i64 [ 0, %{letter} ], [ %j{letter}, %{letter}.loop ]")
    pointer = emitter.op(f"getelementptr i16, ptr %t{letter}, i64 %i{letter}")
    place = emitter.op(f"zext i16 {emitter.op(f'load i16, ptr {pointer}')} to i64")
    source = emitter.op(f"getelementptr i8, ptr %r{letter}, i64 {place}")
    raw = emitter.op(f"load i{8 * SIZES[type_]}, ptr {source}, align 1")
    value = _converted(emitter, raw, type_)
    target = emitter.op(f"getelementptr {element}, ptr %m{letter}, i64 %i{letter}")
    emitter.do(f"store {element} {value}, ptr {target}")
    emitter.lines.append(f"  %j{letter} = add i64 %i{letter}, 1")
    over = emitter.op(f"icmp eq i64 %j{letter}, {count}")
    emitter.do(f"br i1 {over}, label %{following}, label %{letter}.loop")


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


def _multiply_and_add(emitter: Emitter, element: str, m: int, n: int, k: int, size: int) -> None:
    """Write the loops that multiply two matrices and add a third, row by row."""
    row = f"<{n} x {element}>"
    emitter.lines += ["product:", "  br label %rows", "rows:"]
    emitter.lines.append("  %i = phi i64 [ 0, %product ], [ %i1, %row.end ]")
    start = emitter.op(f"getelementptr {row}, ptr %mc, i64 %i")
    first = emitter.op(f"load {row}, ptr {start}, align {size}")
    emitter.lines += ["  br label %terms", "terms:", "  %t = phi i64 [ 0, %rows ], [ %t1, %terms ]"]
    emitter.lines.append(f"  %sum = phi {row} [ {first}, %rows ], [ %sum1, %terms ]")
    place = emitter.op(f"add i64 {emitter.op(f'mul i64 %i, {k}')}, %t")
    factor = emitter.op(f"load {element}, ptr {emitter.op(f'getelementptr {element}, ptr %ma, i64 {place}')}")
    all_ = emitter.broadcast(element, factor, n)
    other = emitter.op(f"load {row}, ptr {emitter.op(f'getelementptr {row}, ptr %mb, i64 %t')}, align {size}")
    if element == "i32":
        product = emitter.op(f"mul {row} {all_}, {other}")
        emitter.lines.append(f"  %sum1 = add {row} %sum, {product}")
    else:
        suffix = f"v{n}f{8 * size}"
        emitter.declare(row, f"llvm.fma.{suffix}", [row, row, row])
        emitter.lines.append(f"  %sum1 = call {row} @llvm.fma.{suffix}({row} {all_}, {row} {other}, {row} %sum)")
    emitter.lines.append("  %t1 = add i64 %t, 1")
    over = emitter.op(f"icmp eq i64 %t1, {k}")
    emitter.do(f"br i1 {over}, label %row.end, label %terms")
    emitter.lines.append("row.end:")
    target = emitter.op(f"getelementptr {row}, ptr %md, i64 %i")
    emitter.do(f"store {row} %sum1, ptr {target}, align {size}")
    emitter.lines.append("  %i1 = add i64 %i, 1")
    done = emitter.op(f"icmp eq i64 %i1, {m}")
    emitter.do(f"br i1 {done}, label %back, label %rows")


def _copy_to_registers(emitter: Emitter, type_: str, element: str, count: int) -> None:
    """Write the loop that copies the sum to the registers of a fragment."""
    emitter.lines += ["back:", "  br label %back.loop", "back.loop:"]
    emitter.lines.append("  %iback = phi i64 [ 0, %back ], [ %jback, %back.loop ]")
    value = emitter.op(f"load {element}, ptr {emitter.op(f'getelementptr {element}, ptr %md, i64 %iback')}")
    pointer = emitter.op("getelementptr i16, ptr %td, i64 %iback")
    place = emitter.op(f"zext i16 {emitter.op(f'load i16, ptr {pointer}')} to i64")
    target = emitter.op(f"getelementptr i8, ptr %rd, i64 {place}")
    stored = element
    if type_ == "f16":
        value, stored = narrow(Writer(emitter, Type("float", is_vector=False)), value, "f16"), "i16"
    emitter.do(f"store {stored} {value}, ptr {target}, align 1")
    emitter.lines.append("  %jback = add i64 %iback, 1")
    over = emitter.op(f"icmp eq i64 %jback, {count}")
    emitter.do(f"br i1 {over}, label %end, label %back.loop")
    emitter.lines.append("end:")


def move(code: Code, size: int, to: str, places: str, source: str, order: str, count: int) -> None:
    """Write a call that copies elements from the places in one table to those in another."""
    code.globals.functions[f"move{size}"] = ir_text("move_elements", size=size, type=f"i{8 * size}")
    code.emitter.do(f"call void @move_{size}(ptr {to}, ptr {places}, ptr {source}, ptr {order}, i32 {count})")
