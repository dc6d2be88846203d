"""The part of the generated module that is the same for every kernel: checked accesses lane by lane, and faults."""

from __future__ import annotations

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate import copy_list, traces
from grader.ptxsim.generate.code import PlacedKernel
from grader.ptxsim.generate.ir_text import Kind, ir_text

WORD = 4  # bytes
DECLARED = (
    "declare i32 @llvm.cttz.i32(i32, i1)",
    "declare i64 @llvm.umin.i64(i64, i64)",
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
    "declare i32 @llvm.ctpop.i32(i32)",
)


def runtime(*, traced: bool = False, copies: bool = False) -> str:
    """Return the functions that every module contains.

    Those of `traced` code append accesses to a trace; a kernel with asynchronous `copies` needs the functions for them.
    """
    names = ("faults", "resolve", "local_row", "preload")
    more = (traces.functions() if traced else "", copy_list.functions(traced=traced) if copies else "")
    return "".join((*map(ir_text, names), *more))


def mover(size: int, count: int, kind: Kind) -> str:
    """Return the function of a kind."""
    if kind == "neighbours":
        return _neighbours(size, count)
    return _lane_by_lane(size, count, write=kind == "scatter")


def _neighbours(size: int, count: int) -> str:
    """Return the function that reads neighbouring values, each aligned for itself, if a single check covers them all."""
    return ir_text(
        "neighbours",
        name=mover_name(size, count, "neighbours"),
        count=count,
        range=common_check(size * count, size, "other", write=False),
        moves=_transposed() if size == WORD else _moves(size, count, write=False),
    )


def _lane_by_lane(size: int, count: int, *, write: bool) -> str:
    """Return the function that reads or writes `count` values of `size` bytes for each lane in a mask.

    The buffer has the first value of all 32 lanes, then the second value of all lanes, and so on. If all addresses lie
    in one segment, a single check covers all lanes. For a read, lanes outside the mask then read from the address of
    the first lane in it; for a write, the mask must have all lanes. If all lanes access the same words of their own
    local memory, those are rows of 32 words. Otherwise each lane has checks of its own.
    """
    return ir_text(
        "mover",
        name=mover_name(size, count, "scatter" if write else "gather"),
        size=size,
        range=common_check(size * count, size * count, "slow", write=write),
        acting="eq i32 %lanes, -1" if write else "ne i32 %lanes, 0",
        moves=_moves(size, count, write=write),
        row=_row(size, count, write=write),
        pieces=_pieces(size, count, write=write),
    )


def common_check(total: int, unit: int, otherwise: str, *, write: bool) -> str:
    """Return the common check of all lanes, which access `total` bytes each, aligned to `unit`."""
    return ir_text("one_segment_of_lanes", total=total, below_unit=unit - 1, otherwise=otherwise, write=int(write))


def mover_name(size: int, count: int, kind: Kind) -> str:
    """Return the name of the function that `mover` returns."""
    return f"{kind}_{size}_{count}"


def _moves(size: int, count: int, *, write: bool) -> str:
    """Return the accesses of all lanes after the common check."""
    moves = []
    for lane in range(LANES):
        moves.append(f"  %ls{lane} = getelementptr i64, ptr %safe, i64 {lane}\n  %lx{lane} = load i64, ptr %ls{lane}")
        moves.append(f"  %lh{lane} = add i64 %lx{lane}, %delta\n  %lq{lane} = inttoptr i64 %lh{lane} to ptr")
        for part in range(count):
            key = f"{lane}_{part}"
            moves.append(f"  %lf{key} = getelementptr i8, ptr %lq{lane}, i64 {part * size}")
            moves.append(f"  %lt{key} = getelementptr i8, ptr %values, i64 {(part * LANES + lane) * size}")
            source, target = (f"%lt{key}", f"%lf{key}") if write else (f"%lf{key}", f"%lt{key}")
            moves.append(f"  %ly{key} = load i{8 * size}, ptr {source}, align 1")
            moves.append(f"  store i{8 * size} %ly{key}, ptr {target}, align 1")
    return "\n".join(moves)


def _transposed() -> str:
    """Return the reads of four words for each lane: those of four lanes make rows, whose columns are stored."""
    row, lines = "<4 x i32>", []
    for group in range(0, LANES, 4):
        for lane in range(group, group + 4):
            lines.append(
                f"  %ls{lane} = getelementptr i64, ptr %safe, i64 {lane}\n  %lx{lane} = load i64, ptr %ls{lane}"
            )
            lines.append(f"  %lh{lane} = add i64 %lx{lane}, %delta\n  %lq{lane} = inttoptr i64 %lh{lane} to ptr")
            lines.append(f"  %r{lane} = load {row}, ptr %lq{lane}, align {WORD}")
        names = [f"%r{lane}" for lane in range(group, group + 4)]
        for step, (first, second) in enumerate((("0, 4, 1, 5", "2, 6, 3, 7"), ("0, 1, 4, 5", "2, 3, 6, 7"))):
            pairs = ((0, 1), (2, 3)) if step == 0 else ((0, 2), (1, 3))
            chosen = [(a, b, order) for a, b in pairs for order in (first, second)]
            for number, (a, b, order) in enumerate(chosen):
                listing = ", ".join(f"i32 {index}" for index in order.split(", "))
                name = f"%c{group}_{step}_{number}"
                lines.append(f"  {name} = shufflevector {row} {names[a]}, {row} {names[b]}, {row} <{listing}>")
            names = [f"%c{group}_{step}_{number}" for number in range(4)]
        for part, name in enumerate(names):
            lines.append(f"  %lt{group}_{part} = getelementptr i8, ptr %values, i64 {WORD * (part * LANES + group)}")
            lines.append(f"  store {row} {name}, ptr %lt{group}_{part}, align {WORD}")
    return "\n".join(lines)


def _row(size: int, count: int, *, write: bool) -> str:
    """Return the access to the same words of local memory in all lanes; none for parts of a word, or four of them."""
    if size not in {WORD, 2 * WORD}:
        return "slow:\n  br label %lanes_alone\n"
    rows = "\n".join(_words(part, size // WORD, write=write) for part in range(count))
    return ir_text("mover_row", total=size * count, rows=rows)


def _words(part: int, words: int, *, write: bool) -> str:
    """Return the moves between rows of words and a vector that has the `words` of each lane side by side."""
    whole, row = f"<{LANES * words} x i32>", f"<{LANES} x i32>"
    lines = [f"  %values{part} = getelementptr i8, ptr %values, i64 {part * words * WORD * LANES}"]
    names = []
    for word in range(words):
        key = f"{part}_{word}"
        names.append(f"%old{key}")
        lines.append(f"  %rowp{key} = getelementptr i8, ptr %row_p, i64 {(part * words + word) * WORD * LANES}")
        lines.append(f"  %old{key} = load {row}, ptr %rowp{key}, align 4")
    if not write:
        order = ", ".join(f"i32 {word * LANES + lane}" for lane in range(LANES) for word in range(words))
        second = names[-1] if words > 1 else "poison"
        lines.append(f"  %both{part} = shufflevector {row} {names[0]}, {row} {second}, {whole} <{order}>")
        lines.append(f"  store {whole} %both{part}, ptr %values{part}, align 4")
        return "\n".join(lines)
    lines.append(f"  %new{part} = load {whole}, ptr %values{part}, align 4")
    for word in range(words):
        key = f"{part}_{word}"
        order = ", ".join(f"i32 {lane * words + word}" for lane in range(LANES))
        lines.append(f"  %own{key} = shufflevector {whole} %new{part}, {whole} poison, {row} <{order}>")
        lines.append(f"  %mix{key} = select <{LANES} x i1> %row_bits, {row} %own{key}, {row} %old{key}")
        lines.append(f"  store {row} %mix{key}, ptr %rowp{key}, align 4")
    return "\n".join(lines)


def _pieces(size: int, count: int, *, write: bool) -> str:
    """Return the accesses of one lane in pieces of at most 4 bytes, each with its own check."""
    unit, total = min(size, 4), size * count
    pieces = []
    for piece in range(0, total, unit):
        source, target = (f"%t{piece}", f"%p{piece}") if write else (f"%p{piece}", f"%t{piece}")
        pieces.append(
            ir_text(
                "mover_piece",
                piece=piece,
                total=total,
                write=int(write),
                behind=(piece // size) * LANES * size + piece % size,
                type=f"i{8 * unit}",
                source=source,
                target=target,
                next=f"piece{piece + unit}" if piece + unit < total else "done",
            )
        )
    return "".join(pieces)


def scheduler(kernel: PlacedKernel, stride: int, local_at: int) -> str:
    """Return the functions that run blocks. A warp's record has `stride` bytes; local memory starts at `local_at`."""
    geometry = kernel.facts.geometry
    warps = geometry.warps
    return (
        ir_text(
            "run",
            warps=warps,
            stride=stride,
            shared_bytes=kernel.shared_bytes,
            reserved_bytes=kernel.reserved_bytes,
            local_at=local_at,
            all_local_bytes=stride - local_at,
        )
        + ir_text("arrive", warps=warps, stride=stride)
        + ir_text("open_for_rest", warps=warps, stride=stride, threads=geometry.threads)
        + ir_text("run_block", warps=warps, last_warp=warps - 1, stride=stride, reverse=1)
    )
