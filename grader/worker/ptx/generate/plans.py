"""Bounds of many loads checked at once.

Loads of one block whose addresses are computed without the values they load are planned together: their addresses have
few roots (registers), and around each root they reach from a lowest to a highest byte. If all of that lies in one
segment, and is aligned, the loads need no further check. If not, or where only few lanes have valid addresses,
`preload` makes the loads one by one for the active lanes, with all checks, and copies what they find to a scratch area
at the same distances; the same code then reads it from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.worker.ptx.analysis.divergence import Facts
from grader.worker.ptx.analysis.registers import results, sources
from grader.worker.ptx.analysis.shape import LANES
from grader.worker.ptx.engine.layout import FIRST_SHARED, SCRATCH, SEGMENT_BITS, SEGMENTS, SHARED, Segment, window
from grader.worker.ptx.generate.addresses import Access, access_of, address_shape, address_value
from grader.worker.ptx.generate.code import Code
from grader.worker.ptx.generate.emitter import BITS
from grader.worker.ptx.generate.values import Value
from grader.worker.ptx.syntax.records import Instruction
from grader.worker.ptx.syntax.types import is_integer

MOST = 512  # loads of one plan
FARTHEST = 8192  # bytes between the first and the last that are checked as one range

_HOISTED = frozenset({"mov", "add", "sub", "mul", "mad", "shl", "shr", "and", "or", "xor", "not", "cvt", "cvta"})
_FENCES = frozenset({"bar", "barrier", "call", "mbarrier", "atom", "red", "cp", "wmma", "ldmatrix", "stmatrix"})


@dataclass(slots=True)
class Root:
    """A register that addresses are computed from, and the range of bytes around it that loads read."""

    space: str
    element: str
    name: str
    low: int
    high: int
    alignments: set[tuple[int, int]] = field(default_factory=set)
    pointer: str = ""
    scratch: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """A planned load: for each group of lanes its root and the distance of the first lane's address from it."""

    access: Access
    value: Value
    roots: tuple[int, ...]


@dataclass(slots=True)
class Plan:
    """Loads by their place in the block, and the roots that they share."""

    readings: dict[int, Reading] = field(default_factory=dict)
    roots: list[Root] = field(default_factory=list)
    keys: dict[tuple[str, str, str, int], int] = field(default_factory=dict)


def plan(code: Code, instructions: Sequence[Instruction], place: int) -> Plan:
    """Return the plan of the loads from a place of a block on. Address arithmetic is carried out on the way."""
    found = Plan()
    before = code.instruction
    saved = code.snapshot()
    spaces = {"global", "shared"}
    unknown: set[str] = set()
    for number in range(place, len(instructions)):
        instruction = instructions[number]
        code.instruction = instruction
        if instruction.opcode in _FENCES or not spaces or len(found.readings) >= MOST:
            break
        if instruction.opcode == "st":
            spaces -= (
                {"global", "shared"}
                if access_of(code, instruction).space == "generic"
                else {access_of(code, instruction).space}
            )
        if instruction.opcode == "ld" and not (set(_names(instruction)) & unknown):
            _plan_load(code, found, instruction, number, spaces)
        if number not in code.hoisted and _is_hoistable(code.facts, code, instruction, unknown):
            code.hoist(number, instruction)
        if number in code.hoisted:
            code.recall(number)
            unknown -= set(code.hoisted[number])
        else:
            unknown |= {register.name for register in results(instruction)}
    code.restore(saved)
    code.instruction = before
    return found


def _names(instruction: Instruction) -> list[str]:
    return [register.name for register in sources(instruction)]


def _is_hoistable(facts: Facts, code: Code, instruction: Instruction, unknown: set[str]) -> bool:
    """Whether an instruction only computes scalars, from what is known already."""
    if instruction.opcode not in _HOISTED or instruction.guard or set(_names(instruction)) & unknown:
        return False
    blended = facts.blended.get(code.block, frozenset())
    for register in results(instruction):
        if code.shape(register.name).is_varying or register.name in blended:
            return False
        if not is_integer(code.types[register.name]):
            return False
    return not any(code.shape(name).is_varying for name in _names(instruction)) and len(results(instruction)) == 1


def _plan_load(code: Code, found: Plan, instruction: Instruction, number: int, spaces: set[str]) -> None:
    if "param" in instruction.modifiers or instruction.guard:
        return
    access = access_of(code, instruction)
    if access.space not in spaces or address_shape(code, access.address).is_varying:
        return
    value = address_value(code, access.address)
    if value.vector:
        return
    used = sum(_rounded(root) for root in found.roots)
    if max(value.offsets) - min(value.offsets) + access.total > FARTHEST or used + FARTHEST * value.groups > SCRATCH:
        return  # too far apart for the scratch area: lane by lane, or in the next plan
    roots = [_root(found, access, value, group) for group in range(value.groups)]
    found.readings[number] = Reading(access, value, tuple(roots))


def _root(found: Plan, access: Access, value: Value, group: int) -> int:
    """Return the number of the root of a group's addresses, its range made large enough."""
    base = value.bases[group]
    length = LANES // value.groups
    offsets = value.offsets[group * length : (group + 1) * length]
    places = [base.added + offset for offset in offsets]
    low, high = min(places), max(places) + access.total
    for part in range(1 << 20):
        key = (access.space, value.element, base.root, part)
        number = found.keys.get(key)
        if number is None:
            number = found.keys[key] = len(found.roots)
            found.roots.append(Root(access.space, value.element, base.root, low, high))
        root = found.roots[number]
        if max(root.high, high) - min(root.low, low) <= FARTHEST:
            root.low, root.high = min(root.low, low), max(root.high, high)
            root.alignments |= {(access.total, place % access.total) for place in places}
            return number
    raise ValueError("unreachable")


def _rounded(root: Root) -> int:
    return -(-(root.high - root.low) // 64) * 64


def check(code: Code, found: Plan) -> None:
    """Write the code that sets each root's pointer: to the host's memory, or to the scratch area."""
    emitter = code.emitter
    place = 0
    pointers, conditions = [], []
    for root in found.roots:
        root.scratch = place
        place += _rounded(root)
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
    emitter = code.emitter
    number = emitter.pure(f"lshr i64 {place}, {SEGMENT_BITS}")
    known = emitter.call("i64", "llvm.umin.i64", [("i64", number), ("i64", str(SEGMENTS - 1))])
    scaled = emitter.pure(f"mul i64 {known}, {8 * len(Segment._fields_)}")
    segment = emitter.pure(f"getelementptr i8, ptr %m, i64 {scaled}")
    start, end, delta = (emitter.load("i64", segment, 8 * field_, 8) for field_ in range(3))
    behind = emitter.pure(f"add i64 {place}, {length}")
    above = emitter.pure(f"icmp sge i64 {place}, {start}")
    inside = emitter.pure(f"icmp sle i64 {behind}, {end}")
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
    table = f"@table{len(code.tables)}"
    type_ = "{ i32, i32, i32, i32, i64, i64, i64, i64, ptr }"
    code.tables.append(f"{table} = internal constant [{len(rows)} x {type_}] [{', '.join(rows)}]")
    scratch = code.machine("scratch", "ptr")
    went = emitter.op(
        f"call i1 @preload(ptr %m, ptr %w, ptr {table}, i32 {len(rows)}, ptr {roots}, i32 {code.active}, ptr {scratch})"
    )
    code.succeed(went)


def _rows(code: Code, found: Plan, number: int) -> list[str]:
    reading = found.readings[number]
    value, access = reading.value, reading.access
    length = LANES // value.groups
    where = code.place_of(number)
    offsets = code.offsets_table(value.offsets)
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
