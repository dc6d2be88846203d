"""Functions that access memory for the lanes of a warp, each at its own address, with one check where that will do."""

from __future__ import annotations

from itertools import product

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.emitter import constants
from grader.ptxsim.generate.ir_text import Kind, ir_text, mover_name

WORD = 4  # bytes
# Two steps transpose 4 x 4 words: each shuffles pairs of rows, and takes four words of both.
_TRANSPOSITION = ((((0, 1), (2, 3)), ((0, 4, 1, 5), (2, 6, 3, 7))), (((0, 2), (1, 3)), ((0, 1, 4, 5), (2, 3, 6, 7))))


def mover(size: int, count: int, kind: Kind, name: str = "") -> str:
    """Return the function that accesses `count` values of `size` bytes for each lane in a mask, named after these.

    The buffer has the first value of all 32 lanes, then the second value of all lanes, and so on. If all addresses lie
    in one segment, a single check covers all lanes. For a read, lanes outside the mask then read from the address of
    the first lane in it; for a write, the mask must have all lanes. If all lanes access the same words of their own
    local memory, those are rows of 32 words. Otherwise each lane has checks of its own, but neighbouring values, each
    aligned for itself, are read only if the single check covers them.
    """
    name = name or mover_name(size, count, kind)
    if kind == "neighbours":
        moves = _transposed() if size == WORD else _moves(size, count, write=False)
        sizes = {"total": size * count, "below_size": size - 1}
        return ir_text("neighbours", name=name, count=count, moves=moves, **sizes)
    write = kind == "scatter"
    return ir_text(
        "mover",
        name=name,
        size=size,
        total=size * count,
        below_total=size * count - 1,
        write=int(write),
        acting="eq i32 %lanes, -1" if write else "ne i32 %lanes, 0",
        moves=_moves(size, count, write=write),
        row=_row(size, count, write=write),
        pieces=_pieces(size, count, write=write),
    )


def all_lanes(name: str, size: int) -> str:
    """Return the function that writes a value of each lane in a mask to the host's memory."""
    return ir_text("write_lanes", name=name, type=f"i{8 * size}", moves=_moves(size, 1, write=True))


def _moves(size: int, count: int, *, write: bool) -> str:
    """Return the accesses of all lanes after the common check."""
    moves = []
    for lane in range(LANES):
        moves.append(f"  %host{lane} = load ptr, ptr %hosts[ptr {lane}]")
        for part in range(count):
            name, there = f"%moved{lane}_{part}", f"%host{lane}[{part * size}]"
            kept = f"%values[{(part * LANES + lane) * size}]"
            source, target = (kept, there) if write else (there, kept)
            moves.append(f"  {name} = load i{8 * size}, ptr {source}, align 1")
            moves.append(f"  store i{8 * size} {name}, ptr {target}, align 1")
    return "\n".join(moves)


def _transposed() -> str:
    """Return the reads of four words for each lane: those of four lanes make rows, whose columns are stored."""
    row, lines = "<4 x i32>", []
    for group in range(0, LANES, 4):
        names = [f"%row{lane}" for lane in range(group, group + 4)]
        for lane, name in enumerate(names, group):
            lines.append(f"  %host{lane} = load ptr, ptr %hosts[ptr {lane}]")
            lines.append(f"  {name} = load {row}, ptr %host{lane}, align {WORD}")
        for step, (pairs, orders) in enumerate(_TRANSPOSITION):
            rows, names = names, []
            for (a, b), order in product(pairs, orders):
                names.append(f"%column{group}_{step}_{len(names)}")
                both = f"{row} {rows[a]}, {row} {rows[b]}"
                lines.append(f"  {names[-1]} = shufflevector {both}, {row} {constants('i32', order)}")
        for part, name in enumerate(names):
            lines.append(f"  store {row} {name}, ptr %values[{WORD * (part * LANES + group)}], align {WORD}")
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
    kept, lines = f"%values[{part * words * WORD * LANES}]", []
    places = [f"%row_p[{(part * words + word) * WORD * LANES}]" for word in range(words)]
    names = [f"%old{part}_{word}" for word in range(words)]
    for name, place in zip(names, places, strict=True):
        lines.append(f"  {name} = load {row}, ptr {place}, align 4")
    if not write:
        order = constants("i32", [word * LANES + lane for lane in range(LANES) for word in range(words)])
        both = f"{row} {names[0]}, {row} {names[-1] if words > 1 else 'poison'}"
        lines.append(f"  %both{part} = shufflevector {both}, {whole} {order}")
        lines.append(f"  store {whole} %both{part}, ptr {kept}, align 4")
        return "\n".join(lines)
    lines.append(f"  %new{part} = load {whole}, ptr {kept}, align 4")
    for word, (name, place) in enumerate(zip(names, places, strict=True)):
        key, order = f"{part}_{word}", constants("i32", [lane * words + word for lane in range(LANES)])
        lines.append(f"  %own{key} = shufflevector {whole} %new{part}, {whole} poison, {row} {order}")
        lines.append(f"  %mix{key} = select <{LANES} x i1> %row_bits, {row} %own{key}, {row} {name}")
        lines.append(f"  store {row} %mix{key}, ptr {place}, align 4")
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
