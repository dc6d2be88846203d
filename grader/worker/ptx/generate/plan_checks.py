"""The checks of planned loads: one comparison for each root, and the call that loads lane by lane where they fail."""

from __future__ import annotations

from grader.worker.ptx.analysis.shape import LANES
from grader.worker.ptx.generate.code import Code
from grader.worker.ptx.generate.emitter import BITS
from grader.worker.ptx.generate.exits import succeed
from grader.worker.ptx.generate.layout import FIRST_SHARED, SEGMENT_BITS, SEGMENTS, SHARED, Segment, window
from grader.worker.ptx.generate.plans import Plan, Root


def check(code: Code, found: Plan) -> None:
    """Write the code that sets each root's pointer: to the host's memory, or to the scratch area."""
    emitter = code.emitter
    place = 0
    pointers, conditions = [], []
    for root in found.roots:
        root.scratch = place
        place += root.room
        pointer, condition = _shared(code, root) if root.space == "shared" else _global(code, root)
        pointers.append(pointer)
        conditions += [condition, *_aligned(code, root)]
    whole = conditions[0]
    for condition in conditions[1:]:
        whole = emitter.pure(f"and i1 {whole}, {condition}")
    fast, slow, behind = (emitter.new_label(stem) for stem in ("fast", "slow", "loads"))
    known = emitter.keep()
    emitter.do(f"br i1 {whole}, label %{fast}, label %{slow}, !prof !0")
    emitter.inner_label(slow)
    _call_preload(code, found)
    end = emitter.new_label("preloaded")
    emitter.do(f"br label %{end}")
    emitter.inner_label(end)
    scratch = code.machine("scratch", "ptr")
    others = [emitter.at(scratch, root.scratch) for root in found.roots]
    emitter.do(f"br label %{behind}")
    emitter.inner_label(fast)
    emitter.do(f"br label %{behind}")
    emitter.inner_label(behind)
    emitter.restore(known)
    for root, pointer, other in zip(found.roots, pointers, others, strict=True):
        root.pointer = emitter.op(f"phi ptr [ {pointer}, %{fast} ], [ {other}, %{end} ]")


def _first(code: Code, root: Root, added: int) -> str:
    """Return the root's value moved by some bytes."""
    if not root.name:
        return str(added)
    return code.emitter.pure(f"add {root.element} {root.name}, {added}") if added else root.name


def _shared(code: Code, root: Root) -> tuple[str, str]:
    emitter = code.emitter
    place = _first(code, root, root.low - FIRST_SHARED)
    room = code.shared_bytes - (root.high - root.low)
    if room < 0:
        return "null", "false"
    condition = emitter.pure(f"icmp ule {root.element} {place}, {room}")
    if root.element != "i64":
        place = emitter.pure(f"zext {root.element} {place} to i64")
    return emitter.pure(f"getelementptr i8, ptr {code.machine('shared', 'ptr')}, i64 {place}"), condition


def segment_check(code: Code, place: str, length: int, *, write: bool = False) -> tuple[str, str]:
    """Return the host's pointer to a generic address, and whether so many bytes behind it lie in one segment."""
    if length >> SEGMENT_BITS:
        return "null", "false"
    emitter = code.emitter
    number = emitter.pure(f"lshr i64 {place}, {SEGMENT_BITS}")
    known = emitter.call("i64", "llvm.umin.i64", [("i64", number), ("i64", str(SEGMENTS - 1))])
    scaled = emitter.pure(f"mul i64 {known}, {8 * len(Segment._fields_)}")
    segment = emitter.pure(f"getelementptr i8, ptr %m, i64 {scaled}")
    start, end, delta = (emitter.load("i64", segment, 8 * field_, 8) for field_ in range(3))
    room = emitter.pure(f"sub i64 {emitter.pure(f'sub i64 {end}, {start}')}, {length}")
    above = emitter.pure(f"icmp sge i64 {room}, 0")
    inside = emitter.pure(f"icmp ule i64 {emitter.pure(f'sub i64 {place}, {start}')}, {room}")
    host = emitter.pure(f"add i64 {place}, {delta}")
    condition = emitter.pure(f"and i1 {above}, {inside}")
    if write:
        writable = emitter.pure(f"icmp sgt i64 {emitter.load('i64', segment, 24, 8)}, 0")
        condition = emitter.pure(f"and i1 {condition}, {writable}")
    return emitter.pure(f"inttoptr i64 {host} to ptr"), condition


def _global(code: Code, root: Root) -> tuple[str, str]:
    place = _first(code, root, root.low)
    if root.element != "i64":
        place = code.emitter.pure(f"zext {root.element} {place} to i64")
    return segment_check(code, place, root.high - root.low)


def _aligned(code: Code, root: Root) -> list[str]:
    """Return the conditions under which all loads from a root are aligned."""
    conditions = []
    for size in sorted({size for size, _ in root.alignments if size > 1}):
        rests = {rest for other, rest in root.alignments if other == size}
        if len(rests) > 1:
            return ["false"]
        low = code.emitter.pure(f"and {root.element} {_first(code, root, rests.pop())}, {size - 1}")
        conditions.append(code.emitter.pure(f"icmp eq {root.element} {low}, 0"))
    return conditions


def _call_preload(code: Code, found: Plan) -> None:
    """Write the call, and the table that tells it what to load."""
    emitter = code.emitter
    roots = code.temporary("roots", 8 * len(found.roots))
    for number, root in enumerate(found.roots):
        name = root.name or "0"
        wide = emitter.op(f"zext {root.element} {name} to i64") if root.element != "i64" else name
        emitter.store("i64", wide, roots, 8 * number, 8)
    rows = [row for number in sorted(found.readings) for row in _rows(code, found, number)]
    table = f"@table{len(code.globals.tables)}"
    type_ = "{ i32, i32, i32, i32, i64, i64, i64, i64, ptr }"
    code.globals.tables.append(f"{table} = internal constant [{len(rows)} x {type_}] [{', '.join(rows)}]")
    scratch = code.machine("scratch", "ptr")
    went = emitter.op(
        f"call i1 @preload(ptr %m, ptr %w, ptr {table}, i32 {len(rows)}, ptr {roots}, i32 {code.active}, ptr {scratch})"
    )
    succeed(code, went)


def _rows(code: Code, found: Plan, number: int) -> list[str]:
    reading = found.readings[number]
    value, access = reading.value, reading.access
    length = LANES // value.groups
    where = code.place_of(number)
    offsets = code.globals.offsets_table(value.offsets)
    wrap = -1 if BITS[value.element] == 64 else (1 << BITS[value.element]) - 1
    start = window(SHARED) if access.space == "shared" else 0
    rows = []
    for group, key in enumerate(reading.roots):
        root = found.roots[key]
        own = ((1 << length) - 1) << group * length
        own -= (own >> 31) << 32
        added = value.bases[group].added
        rows.append(
            f"{{ i32, i32, i32, i32, i64, i64, i64, i64, ptr }} {{ i32 {key}, i32 {own}, i32 {access.total}, "
            f"i32 {where}, i64 {added}, i64 {wrap}, i64 {start}, i64 {root.scratch + added - root.low}, ptr {offsets} }}"
        )
    return rows
