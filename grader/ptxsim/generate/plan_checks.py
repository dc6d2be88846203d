"""The checks of planned loads: one comparison for each root, and the call that loads lane by lane where they fail."""

from __future__ import annotations

from grader.ptxsim.analysis.shape import LANES
from grader.ptxsim.generate.addresses import segment_check, shared_check
from grader.ptxsim.generate.code import Code
from grader.ptxsim.generate.emitter import BITS
from grader.ptxsim.generate.exits import succeed
from grader.ptxsim.generate.layout import SHARED, window
from grader.ptxsim.generate.plans import Plan, Root
from grader.ptxsim.generate.values import Base, Value


def check(code: Code, plan: Plan) -> None:
    """Write the code that sets each root's pointer: to the host's memory, or to the scratch area."""
    emitter = code.emitter
    place = 0
    pointers, conditions = [], []
    for root in plan.roots:
        root.scratch = place
        place += root.room
        check_range = _shared if root.space == "shared" else _global
        pointer, condition = check_range(code, root)
        pointers.append(pointer)
        conditions += [condition, *_aligned(code, root)]
    whole = conditions[0]
    for condition in conditions[1:]:
        whole = emitter.pure(f"and i1 {whole}, {condition}")

    def preloaded() -> list[str]:
        _call_preload(code, plan)
        return [emitter.at(code.processor("scratch", "ptr"), root.scratch) for root in plan.roots]

    for root, pointer in zip(plan.roots, emitter.either(whole, lambda: pointers, preloaded), strict=True):
        root.pointer = pointer


def _first(code: Code, root: Root, added: int) -> str:
    """Return the root's value moved by some bytes."""
    if not root.name:
        return str(added)
    return code.emitter.pure(f"add {root.element} {root.name}, {added}") if added else root.name


def _shared(code: Code, root: Root) -> tuple[str, str]:
    return shared_check(code, Value(root.element, (Base(root.name),)), root.low, root.high - root.low, root.array)


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


def _call_preload(code: Code, plan: Plan) -> None:
    """Write the call, and the table of what it loads."""
    emitter = code.emitter
    roots = code.temporary("roots", 8 * len(plan.roots))
    for number, root in enumerate(plan.roots):
        name = root.name or "0"
        wide = emitter.op(f"zext {root.element} {name} to i64") if root.element != "i64" else name
        emitter.store("i64", wide, roots, 8 * number, 8)
    rows = [row for number in sorted(plan.readings) for row in _rows(code, plan, number)]
    table = f"@table{len(code.globals.tables)}"
    type_ = "{ i32, i32, i32, i32, i64, i64, i64, i64, ptr }"
    code.globals.tables.append(f"{table} = internal constant [{len(rows)} x {type_}] [{', '.join(rows)}]")
    scratch = code.processor("scratch", "ptr")
    given = f"ptr {table}, i32 {len(rows)}, ptr {roots}, i32 {code.active}, ptr {scratch}"
    succeed(code, f"@preload(ptr %m, ptr %w, {given})")


def _rows(code: Code, plan: Plan, number: int) -> list[str]:
    reading = plan.readings[number]
    value, access = reading.value, reading.access
    length = LANES // value.groups
    where = code.place_of(number)
    offsets = code.globals.table("i32", value.offsets)
    wrap = -1 if BITS[value.element] == 64 else (1 << BITS[value.element]) - 1
    start = window(SHARED) if access.space == "shared" else 0
    rows = []
    for group, key in enumerate(reading.roots):
        root = plan.roots[key]
        own = ((1 << length) - 1) << group * length
        own -= (own >> 31) << 32
        added = value.bases[group].added
        rows.append(
            f"{{ i32, i32, i32, i32, i64, i64, i64, i64, ptr }} {{ i32 {key}, i32 {own}, i32 {access.total}, "
            f"i32 {where}, i64 {added}, i64 {wrap}, i64 {start}, i64 {root.scratch + added - root.low}, ptr {offsets} }}"
        )
    return rows
